//! Keys that nobody knows: most likely misspelled, so never ignored.

use config::{Config, Source, Value, ValueKind};
use pressline_domain::nearest::nearest;

use super::ConfigError;

/// Tables whose keys are the user's own.
const OPEN_TABLES: [&str; 1] = ["label.handling_fee"];

/// Refuses keys that the defaults do not have.
pub(super) fn check(chosen: &Config, defaults: &Config) -> Result<(), ConfigError> {
    let known = keys(defaults)?;
    let unknown: Vec<String> = keys(chosen)?
        .into_iter()
        .filter(|key| !known.contains(key) && !OPEN_TABLES.iter().any(|table| is_below(key, table)))
        .map(|key| {
            let near = nearest(&key, known.iter().map(String::as_str), 1);
            match near.first() {
                Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
                None => format!("unknown key `{key}`; `pressline config print` shows all keys"),
            }
        })
        .collect();
    if unknown.is_empty() { Ok(()) } else { Err(ConfigError::Unknown(unknown.join("\n"))) }
}

fn is_below(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'))
}

fn keys(config: &Config) -> Result<Vec<String>, config::ConfigError> {
    let mut keys = Vec::new();
    for (name, value) in config.collect()? {
        collect(&name, &value, &mut keys);
    }
    keys.sort();
    Ok(keys)
}

fn collect(path: &str, value: &Value, keys: &mut Vec<String>) {
    match &value.kind {
        ValueKind::Table(table) => {
            for (name, value) in table {
                collect(&format!("{path}.{name}"), value, keys);
            }
        }
        // Entries of a list are checked by their type.
        _ => keys.push(path.to_owned()),
    }
}
