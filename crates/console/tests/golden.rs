//! Checks that generated documents are up to date; `UPDATE=1` rewrites them.

use std::fs;
use std::path::Path;

#[test]
fn the_matrix_of_roles_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/console.md");
    let document = fs::read_to_string(&path).unwrap();
    let (start, end) = (
        "<!-- generated: console roles -->\n",
        "<!-- end of console roles -->",
    );
    let (before, rest) = document.split_once(start).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let matrix = pressline_console::role_matrix();
    let made = format!("{before}{start}{matrix}{end}{after}");
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == made,
        "docs/guides/console.md is out of date; UPDATE=1 cargo test -p pressline-console --test golden writes it"
    );
}
