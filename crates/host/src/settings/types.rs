//! Converts the value of each setting to its type, and checks it against its bounds.

use config::{Value, ValueKind};

use super::schema::Schema;

impl Schema {
    /// Converts `value` to the type of `default`, and checks it against the bounds of `key`.
    pub(super) fn checked(
        &self,
        key: &str,
        default: &ValueKind,
        value: ValueKind,
    ) -> Result<ValueKind, String> {
        let shown = self.shown(key, &value);
        match default {
            ValueKind::I64(_) => self.number(key, &value, &shown).map(ValueKind::I64),
            ValueKind::Boolean(_) => truth(&value)
                .map(ValueKind::Boolean)
                .ok_or(format!("{shown} is neither true nor false")),
            ValueKind::Array(_) => self.list(key, value, &shown).map(ValueKind::Array),
            _ => self.text(key, value, &shown).map(ValueKind::String),
        }
    }

    /// Accepts a list or, as in environment variables, a text with commas between the entries.
    fn list(&self, key: &str, value: ValueKind, shown_list: &str) -> Result<Vec<Value>, String> {
        let entries: Vec<ValueKind> = match value {
            ValueKind::Array(entries) => entries.into_iter().map(|entry| entry.kind).collect(),
            ValueKind::String(text) => between_commas(&text),
            _ => return Err(format!("{shown_list} is not a list")),
        };
        let has_numbers = self.bounds.iter().any(|(name, ..)| *name == key);
        let mut checked = Vec::new();
        let mut problems = Vec::new();
        for entry in entries {
            let shown = self.shown(key, &entry);
            let entry = if has_numbers {
                self.number(key, &entry, &shown).map(ValueKind::I64)
            } else {
                self.text(key, entry, &shown).map(ValueKind::String)
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

    fn number(&self, key: &str, value: &ValueKind, shown: &str) -> Result<i64, String> {
        // `i128` holds every integer that a source can contain.
        let number = match value {
            ValueKind::I64(number) => Some(i128::from(*number)),
            ValueKind::I128(number) => Some(*number),
            ValueKind::U64(number) => Some(i128::from(*number)),
            ValueKind::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let (_, least, limit) = self
            .bounds
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

    fn text(&self, key: &str, value: ValueKind, shown: &str) -> Result<String, String> {
        let text = match value {
            ValueKind::String(text) => text,
            // `listen = 8080` in a file: the setting's own check explains the mistake in the text.
            ValueKind::I64(number) => number.to_string(),
            ValueKind::Float(number) => number.to_string(),
            _ => return Err(format!("{shown} is not text")),
        };
        match self.choices.iter().find(|(name, _)| *name == key) {
            Some((_, choices)) if !choices.contains(&text.as_str()) => {
                Err(format!("{shown} is not one of {}", choices.join(", ")))
            }
            _ => Ok(text),
        }
    }

    /// Hides the value of a secret setting.
    fn shown(&self, key: &str, value: &ValueKind) -> String {
        if self.secrets.iter().any(|secret| key.starts_with(secret)) {
            return "the value".to_owned();
        }
        match value {
            ValueKind::Table(_) => "a table".to_owned(),
            ValueKind::Array(_) => "a list".to_owned(),
            value => format!("`{value}`"),
        }
    }
}

fn between_commas(text: &str) -> Vec<ValueKind> {
    let entries = text.split(',').map(str::trim);
    entries
        .filter(|entry| !entry.is_empty())
        .map(ValueKind::from)
        .collect()
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
