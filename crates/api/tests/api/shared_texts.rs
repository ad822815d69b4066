//! Descriptions that both OpenAPI documents contain, and limits that documents state.

use std::path::Path;

use pressline_api::{openapi_json, operator_openapi_json};
use pressline_domain::check::limits;
use serde_json::Value;

/// Adds each description of `value`, with its path.
fn descriptions(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let ("description", Value::String(text)) = (name.as_str(), value) {
                    found.push((path.to_owned(), text.clone()));
                } else {
                    descriptions(&format!("{path}/{name}"), value, found);
                }
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                descriptions(&format!("{path}/{index}"), value, found);
            }
        }
        _ => {}
    }
}

/// In the document for operators, "you" is an operator: a shared text about a store names the
/// store.
#[test]
fn shared_descriptions_are_right_for_stores_and_operators() {
    let document = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let (stores, operators) = (document(openapi_json()), document(operator_openapi_json()));
    let shared = |part: &str| {
        let (stores, operators) = (&stores["components"][part], &operators["components"][part]);
        let names = operators.as_object().unwrap().iter();
        let shared = names.filter(|(name, _)| stores.get(name).is_some());
        let mut found = Vec::new();
        for (name, value) in shared {
            descriptions(name, value, &mut found);
        }
        found
    };
    let texts: Vec<_> = ["schemas", "responses", "parameters"].map(shared).concat();
    assert!(texts.len() > 100, "{}", texts.len());
    for (path, text) in texts {
        // Whoever calls has read the version that the call expects.
        let text = text.replace("`version` that you have read", "");
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        let word =
            words.find(|word| ["you", "your", "yours"].contains(&word.to_lowercase().as_str()));
        assert_eq!(word, None, "{path}: {text}");
    }
}

#[test]
fn documents_state_the_limits_that_apply() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, stated) in [
        (
            "docs/API.md",
            format!("`order_id` {}, URLs {}", limits::ORDER_ID, limits::URL),
        ),
        (
            "docs/API.md",
            format!(
                "`production_note` {}, all other strings {}",
                limits::PRODUCTION_NOTE,
                limits::TEXT
            ),
        ),
        ("docs/API.md", format!("`size` up to {}", limits::PAGE_SIZE)),
        (
            "docs/EVENTS.md",
            format!("`waitSeconds`, 0 to {}", limits::EVENT_WAIT_SECONDS),
        ),
        (
            "docs/EVENTS.md",
            format!("\"limit\": {}", limits::EVENTS_ON_PAGE),
        ),
        (
            "deploy/proxy/README.md",
            format!("waits {} s for events", limits::EVENT_WAIT_SECONDS),
        ),
        (
            "deploy/proxy/nginx.conf",
            format!("waits {} s for events", limits::EVENT_WAIT_SECONDS),
        ),
        (
            "deploy/proxy/Caddyfile",
            format!("waits {} s for events", limits::EVENT_WAIT_SECONDS),
        ),
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        // A sentence may be continued on the next line.
        let text: Vec<&str> = text.split_whitespace().collect();
        assert!(
            text.join(" ").contains(&stated),
            "{file} does not say: {stated}"
        );
    }
}
