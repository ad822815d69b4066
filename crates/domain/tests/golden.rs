//! Generated parts of the documentation are up to date; `UPDATE=1` rewrites them.

#![expect(
    clippy::disallowed_methods,
    reason = "the test reads and writes files of the repository; the crate does not"
)]
#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

use std::fs;
use std::path::Path;

use pressline_domain::fulfilment::{command_table, state_diagram};

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
fn the_table_of_commands_and_the_diagram_are_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/life-of-an-order.md");
    let stored = fs::read_to_string(&path).unwrap();
    let diagram = format!("```mermaid\n{}```\n", state_diagram());
    let made = with_section(&stored, "diagram", &diagram);
    let made = with_section(&made, "commands", &command_table());
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &made).unwrap();
        return;
    }
    assert!(
        stored == made,
        "docs/guides/life-of-an-order.md is out of date; \
         UPDATE=1 cargo test -p pressline-domain --test golden writes it"
    );
}
