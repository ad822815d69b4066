//! Generated documents of this crate: compared with what is in the repository, or written anew with
//! `UPDATE=1`.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

use std::path::Path;
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
| `production.steps` | Your shop has other steps than print, check and pack. |

The defaults of all others suit most shops.

## All settings

Every setting has a default. Settings are read from these places; a later one overrides an earlier one:

1. the defaults below, which are embedded in the binary;
2. a TOML file, named with `--config FILE`, with the settings that differ;
3. environment variables: `PRESSLINE__`, then section and key in upper case, separated by two underscores.
   `listen` of `[http]` is `PRESSLINE__HTTP__LISTEN`, and `pool_size` of `[database]` is `PRESSLINE__DATABASE__POOL_SIZE`.

Prices, shipping rates and fees are not settings: `pressline catalog`, `prices`, `shipping` and `fees` import them.

An unknown key is refused, with the nearest known one, and so is a value out of its range; all errors are
reported at once. A key of an earlier version is refused with what became of it. A variable with one underscore instead of two is refused, with the right name. `pressline config
print` shows the settings in force, with secrets masked, and `pressline config print --origin` where each comes from; `pressline
config print --defaults` prints the following text.

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

/// Compares a file of the workspace with what it should be.
fn check(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .join(name);
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        return fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{name} is out of date; `UPDATE=1 cargo test -p pressline --test golden` writes it anew"
    );
}
