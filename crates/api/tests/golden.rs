//! Generated documents are as their sources say; `UPDATE=1` writes them anew.

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

#[test]
fn the_openapi_document_is_kept() {
    check("openapi.json", &pressline_api::openapi_json());
}

#[test]
fn the_error_reference_is_kept() {
    check("ERRORS.md", &pressline_api::error_reference());
}
