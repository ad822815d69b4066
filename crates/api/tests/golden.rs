//! Checks that generated documents are up to date; `UPDATE=1` rewrites them.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

#[path = "golden/commands.rs"]
mod commands;
#[path = "golden/errors.rs"]
mod errors;
#[path = "golden/events.rs"]
mod events;
#[path = "golden/rights.rs"]
mod rights;

use std::fs;
use std::path::{Path, PathBuf};

use commands::{command_table, state_diagram};
use errors::{error_reference, warning_reference};
use events::event_reference;
use pressline_domain::event::EventType;
use rights::rights_table;

fn path_of(name: &str) -> PathBuf {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    docs.join(name)
}

fn check(name: &str, made: &str) {
    let path = path_of(name);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/{name} is out of date; UPDATE=1 cargo test -p pressline-api --test golden writes it"
    );
}

/// Replaces the text between the two markers of section `name`.
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
    let document = fs::read_to_string(path_of("API.md")).unwrap();
    let table = warning_reference();
    check("API.md", &with_section(&document, "warnings", &table));
}

#[test]
fn the_table_of_commands_and_the_diagram_are_kept() {
    let guide = "guides/life-of-an-order.md";
    let document = fs::read_to_string(path_of(guide)).unwrap();
    let diagram = format!("```mermaid\n{}```\n", state_diagram());
    let made = with_section(&document, "diagram", &diagram);
    check(guide, &with_section(&made, "commands", &command_table()));
}

#[test]
fn the_table_of_rights_is_kept() {
    let guide = "guides/operators.md";
    let document = fs::read_to_string(path_of(guide)).unwrap();
    check(guide, &with_section(&document, "rights", &rights_table()));
}

#[test]
fn the_openapi_document_is_kept() {
    check("openapi.json", &pressline_api::openapi_json());
}

#[test]
fn the_error_reference_is_kept() {
    check("ERRORS.md", &error_reference());
}

#[test]
fn the_catalog_of_events_is_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/event/examples/types");
    let example = |kind: EventType| {
        let file = folder.join(format!("{}.json", kind.as_str()));
        fs::read_to_string(file).unwrap()
    };
    check("EVENT_TYPES.md", &event_reference(example));
}

#[test]
fn the_openapi_document_of_operators_is_kept() {
    check(
        "openapi-operators.json",
        &pressline_api::operator_openapi_json(),
    );
}
