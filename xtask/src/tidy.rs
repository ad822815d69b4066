//! `cargo xtask tidy`: rules for files that no other tool checks.

use std::fs;
use std::io::ErrorKind;

use crate::error::{TaskError, refuse};
use crate::{cargo, documents};

/// Files and folders at the top of the repository, besides dot-files.
const TOP_LEVEL: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "clippy.toml",
    "crates",
    "deploy",
    "docs",
    "xtask",
];

/// Maximum number of lines of a source file, including tests. `clippy.toml` limits functions.
const MAX_LINES: usize = 400;

/// Forbidden words in source files. Written in parts, so that this file passes its own check.
const FORBIDDEN_WORDS: [(&str, &str); 6] = [
    (concat!("TO", "DO"), "unfinished work belongs in an issue"),
    (concat!("FIX", "ME"), "unfinished work belongs in an issue"),
    (concat!("todo", "!("), "unfinished work belongs in an issue"),
    (concat!("dbg", "!("), "left over from debugging"),
    (concat!("[al", "low("), "use #[expect(…, reason = \"…\")]"),
    (concat!("[ig", "nore"), "a test must run"),
];

/// Folders that exist only on a developer's machine.
const MACHINE_FOLDERS: [&str; 3] = [
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
];

/// The only file that may use HTTP status codes: its table maps errors to them.
const STATUS_TABLE: &str = "crates/http/src/error.rs";
/// Webhook receiver for manual tests. Its responses are not the service's.
const RECEIVER: &str = "crates/cli/src/webhook/listen.rs";

/// Endings of files that must not have trailing white space.
const NO_TRAILING_SPACE: [&str; 7] = [".rs", ".toml", ".md", ".sql", ".yml", ".yaml", ".sh"];

/// Checks all tracked files, and untracked files that `git add` would add.
pub(crate) fn run() -> Result<(), TaskError> {
    let mut findings = Vec::new();
    let files = files()?;
    for path in &files {
        let Some(content) = read(path)? else {
            continue;
        };
        findings.extend(check_top_level(path));
        // Only text files have lines to check.
        if let Ok(text) = String::from_utf8(content) {
            findings.extend(check_text(path, &text));
            if path.ends_with(".md") {
                findings.extend(documents::missing_files(path, &text, &files));
            }
        }
    }
    let text = |file: &str| fs::read_to_string(cargo::root().join(file)).ok();
    findings.extend(documents::undescribed_operations(&files, text));
    refuse("tidy", &findings)
}

/// Returns the paths of tracked files, and of untracked files that `git add` would add.
pub(crate) fn files() -> Result<Vec<String>, TaskError> {
    let arguments = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let output = cargo::git().args(arguments).output()?;
    if !output.status.success() {
        return Err(format!(
            "git ls-files failed: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

/// Returns the content of the file at `path`; `None` if it is deleted, but still in git's index.
pub(crate) fn read(path: &str) -> Result<Option<Vec<u8>>, TaskError> {
    match fs::read(cargo::root().join(path)) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{path}: {error}").into()),
    }
}

fn check_top_level(path: &str) -> Option<String> {
    let top = path.split('/').next().unwrap_or(path);
    let known = top.starts_with('.') || TOP_LEVEL.contains(&top);
    (!known).then(|| format!("{path}: the top level is fixed; move this into one of its folders"))
}

fn check_text(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let source = path.ends_with(".rs");
    if source {
        findings.extend(check_shape(path, text));
    }
    let strips_ends = NO_TRAILING_SPACE
        .iter()
        .any(|ending| path.ends_with(ending));
    for (index, line) in text.lines().enumerate() {
        let mut find = |what: &str| findings.push(format!("{path}:{}: {what}", index + 1));
        if strips_ends && line.ends_with([' ', '\t']) {
            find("white space at the end of the line");
        }
        if let Some(folder) = MACHINE_FOLDERS
            .iter()
            .find(|folder| names_folder(line, folder))
        {
            find(&format!(
                "names a folder of a developer's machine ({folder})"
            ));
        }
        if source {
            check_source_line(path, line, &mut find);
        }
    }
    findings
}

/// Rules for a whole source file.
fn check_shape(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    if !text.starts_with("//! ") {
        findings.push(format!(
            "{path}:1: the first line does not say what the file is for (`//! …`)"
        ));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        findings.push(format!(
            "{path}: {lines} lines; split it by what its parts are for (limit {MAX_LINES})"
        ));
    }
    findings
}

fn check_source_line(path: &str, line: &str, find: &mut impl FnMut(&str)) {
    if line.contains('\t') {
        find("a tab");
    }
    for (word, reason) in FORBIDDEN_WORDS {
        if line.contains(word) {
            find(&format!("`{word}`: {reason}"));
        }
    }
    let may_name_status = [STATUS_TABLE, RECEIVER].contains(&path) || in_tests(path);
    if path.starts_with("crates/") && !may_name_status && names_status(line) {
        find(&format!("names an HTTP status; only {STATUS_TABLE} does"));
    }
}

fn in_tests(path: &str) -> bool {
    path.split('/').any(|part| part == "tests")
}

/// Returns whether an absolute path in `line` begins with `folder`. As part of a longer path or of
/// a URL, the folder does not count.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|before| before.is_ascii_alphanumeric() || "._-~}".contains(before))
    })
}

/// Finds `StatusCode::…` and constructors named after a status, such as `HttpResponse::Ok()`.
fn names_status(line: &str) -> bool {
    line.contains("StatusCode::")
        || line
            .split("HttpResponse::")
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check_text(path, text)
    }

    #[test]
    fn the_repository_is_tidy() {
        run().unwrap();
    }

    #[test]
    fn a_tidy_file_passes() {
        assert_eq!(
            findings("crates/domain/src/fee.rs", "//! Fees.\n\nfn fee() {}\n"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_source_file_starts_with_its_purpose() {
        let found = findings("crates/domain/src/fee.rs", "fn fee() {}\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("what the file is for"), "{found:?}");
    }

    #[test]
    fn long_files_are_found_in_sources_and_in_tests() {
        for path in ["xtask/src/long.rs", "crates/http/tests/long.rs"] {
            let text = format!("//! Long.\n{}", "\n".repeat(MAX_LINES));
            assert!(findings(path, &text)[0].contains("401 lines"), "{path}");
            let text = text.trim_end_matches('\n').to_owned() + &"\n".repeat(MAX_LINES);
            assert_eq!(findings(path, &text), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn forbidden_words_and_white_space_are_found_with_their_line() {
        for (line, reason) in [
            (concat!("// TO", "DO: later"), "belongs in an issue"),
            (concat!("    todo", "!()"), "belongs in an issue"),
            (concat!("dbg", "!(x);"), "debugging"),
            (concat!("#![al", "low(dead_code)]"), "expect"),
            (concat!("#[ig", "nore]"), "must run"),
            ("let x = 1; ", "white space"),
            ("\tlet x = 1;", "a tab"),
            (
                concat!("// see /ho", "me/someone/notes"),
                "folder of a developer's machine",
            ),
        ] {
            let found = findings("crates/domain/src/fee.rs", &format!("//! Fees.\n{line}\n"));
            assert_eq!(found.len(), 1, "{line}: {found:?}");
            assert!(
                found[0].starts_with("crates/domain/src/fee.rs:2: "),
                "{found:?}"
            );
            assert!(found[0].contains(reason), "{line}: {found:?}");
        }
    }

    #[test]
    fn machine_folders_are_found_only_at_the_start_of_a_path() {
        assert!(names_folder(
            concat!("cd /wo", "rk/main"),
            concat!("/wo", "rk/")
        ));
        assert!(names_folder(
            concat!("\"/wo", "rk/main\""),
            concat!("/wo", "rk/")
        ));
        assert!(!names_folder(
            concat!("https://example.com/wo", "rk/1"),
            concat!("/wo", "rk/")
        ));
    }

    #[test]
    fn only_the_table_of_errors_names_statuses() {
        for line in ["StatusCode::OK", "let r = HttpResponse::Ok().finish();"] {
            let text = format!("//! A file.\n{line}\n");
            assert_eq!(
                findings("crates/http/src/orders.rs", &text).len(),
                1,
                "{line}"
            );
            assert_eq!(findings(STATUS_TABLE, &text), Vec::<String>::new());
            assert_eq!(
                findings("crates/http/tests/orders.rs", &text),
                Vec::<String>::new()
            );
        }
        assert!(!names_status("HttpResponse::build(status)"));
    }

    #[test]
    fn the_top_level_is_fixed() {
        assert!(check_top_level("notes.txt").is_some());
        assert!(check_top_level("scripts/run").is_some());
        assert_eq!(check_top_level("docs/adr/1.md"), None);
        assert_eq!(check_top_level(".ci/run"), None);
    }
}
