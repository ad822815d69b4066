//! Schemas of conditions between an object's fields.

use serde_json::{Value, json};

use super::requests::NOT_BLANK;

pub(super) fn any_of(ways: impl Iterator<Item = Value>) -> Value {
    json!({ "anyOf": ways.collect::<Vec<Value>>() })
}

/// Returns the schema of objects with non-blank strings in all of the fields `texts`.
pub(super) fn given(texts: &[&str]) -> Value {
    let text = json!({ "type": "string", "pattern": NOT_BLANK });
    let properties = texts
        .iter()
        .map(|field| ((*field).to_owned(), text.clone()));
    json!({ "required": texts, "properties": Value::Object(properties.collect()) })
}
