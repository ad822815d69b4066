//! Generated documents are up to date; `UPDATE=1` rewrites them.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

use std::fs;
use std::path::Path;

fn check(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/{name} is out of date; UPDATE=1 cargo test -p pressline-api --test golden writes it"
    );
}

/// Replaces what is between the two markers of a name.
fn with_section(document: &str, name: &str, made: &str) -> String {
    let (start, end) = (
        format!("<!-- generated: {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = document.split_once(&start).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    format!("{before}{start}{made}{end}{after}")
}

#[test]
fn the_table_of_warnings_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/API.md");
    let document = fs::read_to_string(path).unwrap();
    let table = pressline_api::warning_reference();
    check("API.md", &with_section(&document, "warnings", &table));
}

#[test]
fn the_openapi_document_is_kept() {
    check("openapi.json", &pressline_api::openapi_json());
}

#[test]
fn the_error_reference_is_kept() {
    check("ERRORS.md", &pressline_api::error_reference());
}
