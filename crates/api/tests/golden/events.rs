//! The catalog of event types, generated from `EventType` and from events that a test causes.

use std::fmt::Write as _;

use pressline_domain::event::EventType;
use serde_json::{Map, Value};

const HEAD: &str = "\
# The types of events

This page is generated. The meanings are in `crates/domain/src/event/kind.rs`; each example is an event that the test
`crates/api/tests/api/operators/catalog.rs` makes happen.

All events have one form, which the schema `Event` of [openapi.json](openapi.json) describes. The examples are without
`order`, as `\"include\": \"changes\"` requests them. Only the first is complete. The others leave out all fields outside
`data`, the ids and the version in `data`, and fields that are null or empty. There will be new types and fields:
ignore types and fields that you do not know. [EVENTS.md](EVENTS.md) says how to read events, and what is promised.
";

/// Fields of `data` that only the complete example has.
const IDS: [&str; 5] = ["id", "orderId", "serviceOrderId", "requestId", "version"];

/// Returns the catalog of event types, in Markdown. `example` returns the JSON of an example event
/// of a type.
pub(crate) fn event_reference(example: impl Fn(EventType) -> String) -> String {
    let mut text = HEAD.to_owned();
    for (at, kind) in EventType::ALL.into_iter().enumerate() {
        let (name, meaning) = (kind.as_str(), kind.meaning());
        let mut example: Map<String, Value> = serde_json::from_str(&example(kind)).unwrap();
        if at > 0 {
            example.retain(|name, _| name == "data");
            let data = example
                .get_mut("data")
                .and_then(Value::as_object_mut)
                .unwrap();
            data.retain(|name, value| !IDS.contains(&name.as_str()) && !is_empty(value));
        }
        let example = object(&example, "");
        write!(
            text,
            "\n## `{name}`\n\n{meaning}\n\n```json\n{example}\n```\n"
        )
        .unwrap();
    }
    text
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Returns `fields` as JSON, with a line for each field of the event and of its `data`, and for each
/// entry of a list.
fn object(fields: &Map<String, Value>, indent: &str) -> String {
    let lines = fields.iter().map(|(name, value)| {
        let value = match value {
            Value::Object(inner) if name == "data" => object(inner, &format!("{indent}  ")),
            Value::Array(entries) if !entries.is_empty() => {
                let entries = entries.iter().map(|entry| format!("{indent}    {entry}"));
                format!(
                    "[\n{}\n{indent}  ]",
                    entries.collect::<Vec<_>>().join(",\n")
                )
            }
            other => other.to_string(),
        };
        format!("{indent}  \"{name}\": {value}")
    });
    format!("{{\n{}\n{indent}}}", lines.collect::<Vec<_>>().join(",\n"))
}
