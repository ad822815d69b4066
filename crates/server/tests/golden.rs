//! Generated documents of this crate: compared with the repository's files, or rewritten with
//! `UPDATE=1`.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The text before the settings in `docs/CONFIG.md`.
const INTRODUCTION: &str = "\
# Configuration

## The five settings that you may want to change

| Setting | When |
|---|---|
| `database.url` | You use PostgreSQL, or keep the SQLite file elsewhere. |
| `auth.master_key_file` | You use PostgreSQL, or keep the master key apart from the database. |
| `http.listen` | Stores reach the service from other machines. |
| `operator.public_url` | Staff open the console from other machines, over https. |
| `production.steps` | Your print shop has other steps than print, check and pack. |

The defaults of all other settings suit most print shops.

## All settings

Every setting has a default. Settings are read from three places; a later place overrides the earlier places:

1. the defaults below, embedded in the binary;
2. a TOML file, named with `--config FILE`, with the settings that differ;
3. environment variables: `PRESSLINE__`, then section and key in upper case, separated by two underscores.
   `listen` of `[http]` is `PRESSLINE__HTTP__LISTEN`, and `pool_size` of `[database]` is `PRESSLINE__DATABASE__POOL_SIZE`.

Prices, shipping rates and fees are not settings: `pressline catalog`, `prices`, `shipping` and `fees` import them.

An unknown key is refused, with the nearest known key. A value out of its range is refused too. All errors are reported
together. A key of an earlier version is refused with an explanation. A variable with one underscore instead of two
is refused, with the right name. `pressline config print` shows the settings in force, with secrets masked.
`pressline config print --origin` adds the source of each setting. `pressline config print --defaults` prints the
following text.

";

#[test]
fn the_configuration_is_documented() {
    let output = Command::new(env!("CARGO_BIN_EXE_pressline"))
        .args(["config", "print", "--defaults"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let settings = String::from_utf8(output.stdout).unwrap();
    check(
        "docs/CONFIG.md",
        &format!("{INTRODUCTION}```toml\n{}\n```\n", settings.trim_end()),
    );
}

#[test]
fn the_guide_to_adapters_lists_all_ports_of_a_database() {
    let sources = |folder: &str| source_files(&workspace().join("crates").join(folder).join("src"));
    let [kit, sqlite, postgres] = ["store-kit", "store-sqlite", "store-postgres"].map(sources);
    let implements = |files: &[PathBuf], port: &str| {
        let line = format!(" {port} for ");
        let is_line = |text: &str| text.starts_with("impl") && text.contains(&line);
        let mut texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
        texts.any(|text| text.lines().any(is_line))
    };
    let mut rows = Vec::new();
    for file in ["domain", "backoffice"].into_iter().flat_map(sources) {
        let text = fs::read_to_string(&file).unwrap();
        for (port, purpose) in traits(&text) {
            let once = implements(&kit, port);
            let twice = [&sqlite, &postgres].map(|files| implements(files, port));
            assert_eq!(twice[0], twice[1], "{port} is a port of one adapter only");
            if once || twice[0] {
                let place = file.strip_prefix(workspace()).unwrap().display();
                let by = if once { "`store-kit`" } else { "each adapter" };
                rows.push((
                    once,
                    format!("| `{port}` | {by} | {purpose} | `{place}` |\n"),
                ));
            }
        }
    }
    rows.sort();
    assert!(rows.len() > 15, "{rows:?}");
    let table = rows.iter().map(|(_, row)| row.as_str()).collect::<String>();
    let guide = "docs/guides/write-an-adapter.md";
    let document = fs::read_to_string(workspace().join(guide)).unwrap();
    let (start, end) = ("<!-- generated: ports -->\n", "<!-- end of ports -->");
    let (before, rest) = document.split_once(start).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let head = "| Port | Implemented by | Purpose | File |\n|---|---|---|---|\n";
    check(guide, &format!("{before}{start}{head}{table}{end}{after}"));
}

/// Returns the public traits in a source text, each with the first sentence of its documentation.
fn traits(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut documentation = Vec::new();
    text.lines().filter_map(move |line| {
        if let Some(comment) = line.strip_prefix("/// ") {
            documentation.push(comment);
        } else if let Some(rest) = line.strip_prefix("pub trait ") {
            let purpose = std::mem::take(&mut documentation).join(" ");
            let sentence = purpose.split(". ").next().unwrap_or_default();
            let name = rest.split([':', '<', ' ']).next()?;
            return Some((name, sentence.trim_end_matches('.').to_owned()));
        } else if !line.starts_with("#[") && line != "///" {
            documentation.clear();
        }
        None
    })
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.append(&mut source_files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}

/// Compares the workspace's file `name` with `expected`, or rewrites it with `UPDATE=1`.
fn check(name: &str, expected: &str) {
    let path = workspace().join(name);
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        return fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{name} is out of date; `UPDATE=1 cargo test -p pressline --test golden` writes it anew"
    );
}
