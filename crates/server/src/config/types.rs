//! Converts the value of each setting to its type, and checks it against its bounds.

use config::{Value, ValueKind};

use super::sections::{BOUNDS, CHOICES};

pub(crate) const DEFAULTS: &str = include_str!("default.toml");

/// Prefixes of the names of secret settings. Their values do not appear in messages.
const SECRETS: [&str; 2] = ["auth.", "database.url"];

/// Converts `value` to the type of `default`, and checks the bounds of the setting `key`.
pub(super) fn checked(
    key: &str,
    default: &ValueKind,
    value: ValueKind,
) -> Result<ValueKind, String> {
    let shown = shown(key, &value);
    match default {
        ValueKind::I64(_) => number(key, &value, &shown).map(ValueKind::I64),
        ValueKind::Boolean(_) => truth(&value)
            .map(ValueKind::Boolean)
            .ok_or(format!("{shown} is neither true nor false")),
        ValueKind::Array(_) => list(key, value, &shown).map(ValueKind::Array),
        _ => text(key, value, &shown).map(ValueKind::String),
    }
}

/// Parses `value`, which is a list or, as in environment variables, a text with commas between the
/// entries. In messages, `shown_list` stands for `value`.
fn list(key: &str, value: ValueKind, shown_list: &str) -> Result<Vec<Value>, String> {
    let entries: Vec<ValueKind> = match value {
        ValueKind::Array(entries) => entries.into_iter().map(|entry| entry.kind).collect(),
        ValueKind::String(text) => between_commas(&text),
        _ => return Err(format!("{shown_list} is not a list")),
    };
    let has_numbers = BOUNDS.iter().any(|(name, ..)| *name == key);
    let mut checked = Vec::new();
    let mut problems = Vec::new();
    for entry in entries {
        let shown = shown(key, &entry);
        let entry = if has_numbers {
            number(key, &entry, &shown).map(ValueKind::I64)
        } else {
            text(key, entry, &shown).map(ValueKind::String)
        };
        match entry {
            Ok(entry) => checked.push(Value::new(None, entry)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(checked)
    } else {
        Err(problems.join("; "))
    }
}

fn between_commas(text: &str) -> Vec<ValueKind> {
    let entries = text.split(',').map(str::trim);
    let named = entries.filter(|entry| !entry.is_empty());
    named.map(ValueKind::from).collect()
}

fn number(key: &str, value: &ValueKind, shown: &str) -> Result<i64, String> {
    // `i128` holds every integer that a source can contain.
    let number = match value {
        ValueKind::I64(number) => Some(i128::from(*number)),
        ValueKind::I128(number) => Some(*number),
        ValueKind::U64(number) => Some(i128::from(*number)),
        ValueKind::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let (_, least, limit) = BOUNDS
        .iter()
        .find(|(name, ..)| *name == key)
        .copied()
        .unwrap_or((key, i64::MIN, i64::MAX));
    let Some(number) = number else {
        return Err(format!(
            "{shown} is not a whole number from {least} to {limit}"
        ));
    };
    let fits = i64::try_from(number)
        .ok()
        .filter(|number| (least..=limit).contains(number));
    fits.ok_or_else(|| format!("{shown} is not between {least} and {limit}"))
}

fn truth(value: &ValueKind) -> Option<bool> {
    match value {
        ValueKind::Boolean(truth) => Some(*truth),
        ValueKind::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn text(key: &str, value: ValueKind, shown: &str) -> Result<String, String> {
    let text = match value {
        ValueKind::String(text) => text,
        // `listen = 8080` in a file: the setting's own check explains the mistake in the text.
        ValueKind::I64(number) => number.to_string(),
        ValueKind::Float(number) => number.to_string(),
        _ => return Err(format!("{shown} is not text")),
    };
    match CHOICES.iter().find(|(name, _)| *name == key) {
        Some((_, choices)) if !choices.contains(&text.as_str()) => {
            Err(format!("{shown} is not one of {}", choices.join(", ")))
        }
        _ => Ok(text),
    }
}

/// Returns the text for `value` in messages. It hides the value of a secret setting.
fn shown(key: &str, value: &ValueKind) -> String {
    if SECRETS.iter().any(|secret| key.starts_with(secret)) {
        return "the value".to_owned();
    }
    match value {
        ValueKind::Table(_) => "a table".to_owned(),
        ValueKind::Array(_) => "a list".to_owned(),
        value => format!("`{value}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_bounds_that_its_default_fits() {
        let defaults: toml::Table = DEFAULTS.parse().unwrap();
        let mut numbers = 0;
        for (section, settings) in &defaults {
            for (name, value) in settings.as_table().unwrap() {
                // All entries of a list have the same bounds.
                let values = value.as_array().cloned().unwrap_or(vec![value.clone()]);
                let given: Vec<i64> = values.iter().filter_map(toml::Value::as_integer).collect();
                if given.is_empty() {
                    continue;
                }
                let key = format!("{section}.{name}");
                let (_, least, limit) = BOUNDS
                    .iter()
                    .find(|(bound, ..)| *bound == key)
                    .unwrap_or_else(|| {
                        panic!("{key} has no bounds");
                    });
                let fits = |number: &i64| (*least..=*limit).contains(number);
                assert!(given.iter().all(fits), "{key}");
                numbers += 1;
            }
        }
        assert_eq!(numbers, BOUNDS.len());
    }
}
