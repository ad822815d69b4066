//! Shows the configuration without its secrets.

use std::collections::BTreeMap;

use pressline_store_postgres::without_password;
use serde::Serialize;

use super::Settings;

const MASK: &str = "********";

impl Settings {
    pub(crate) fn masked(&self) -> Self {
        let mut shown = self.clone();
        let auth = &mut shown.auth;
        for key in [&mut auth.master_key, &mut auth.previous_master_key] {
            if !key.is_empty() {
                MASK.clone_into(key);
            }
        }
        shown.database.url = without_password(&self.database.url, MASK);
        shown
    }

    /// Returns each setting by its key, with value and origin. Secrets are masked.
    pub(crate) fn with_origins(&self) -> Result<BTreeMap<String, Setting>, toml::ser::Error> {
        let sections = toml::Value::try_from(self.masked())?;
        let setting = |(key, origin): (&String, &super::Origin)| {
            let (section, name) = key.split_once('.')?;
            let value = sections.get(section)?.get(name)?.clone();
            let origin = origin.to_string();
            Some((key.clone(), Setting { value, origin }))
        };
        Ok(self.origins.iter().filter_map(setting).collect())
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Setting {
    value: toml::Value,
    /// `default`, a file path, or the name of an environment variable.
    origin: String,
}

/// Formats `settings` as TOML, one setting per line, each with its origin in a comment.
pub(crate) fn lines(settings: &BTreeMap<String, Setting>) -> String {
    // Wider values do not push all comments to the right.
    const WIDEST: usize = 60;
    let assignment = |(key, setting): (&String, &Setting)| format!("{key} = {}", setting.value);
    let assignments: Vec<String> = settings.iter().map(assignment).collect();
    let lengths = assignments.iter().map(|text| text.chars().count());
    let width = lengths.filter(|length| *length <= WIDEST).max();
    let width = width.unwrap_or(0);
    let lines = assignments
        .iter()
        .zip(settings.values())
        .map(|(text, setting)| format!("{text:<width$}  # {}", setting.origin));
    lines.collect::<Vec<_>>().join("\n")
}
