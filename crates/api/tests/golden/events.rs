//! The catalog of event types, generated from `EventType` and from events that a test causes.

use std::fmt::Write as _;

use pressline_domain::event::EventType;

const HEAD: &str = "\
# The types of events

This page is generated. The meanings are in `crates/domain/src/event/kind.rs`; each example is an event that the test
`crates/api/tests/api/operators/catalog.rs` makes happen.

All events have one form, which the schema `Event` of [openapi.json](openapi.json) describes. The examples are without
`order`, as `\"include\": \"changes\"` requests them. There will be new types and fields; ignore those that you do not
know. [EVENTS.md](EVENTS.md) says how to read events, and what is promised.
";

/// Returns the catalog of event types, in Markdown. `example` returns the JSON of an example event
/// of a type.
pub fn event_reference(example: impl Fn(EventType) -> String) -> String {
    let mut text = HEAD.to_owned();
    for kind in EventType::ALL {
        let (name, meaning, example) = (kind.as_str(), kind.meaning(), example(kind));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## `{name}`\n\n{meaning}\n\n```json\n{example}```\n"
        );
    }
    text
}
