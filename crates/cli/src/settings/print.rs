//! `config print`: the settings in force.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::CommandError;
use crate::output::Output;

use super::Origins;

/// Prints `settings`, with the origin of each if `with_origins` is true. Secrets must be masked.
pub(crate) fn print(
    settings: &impl Serialize,
    origins: &Origins,
    with_origins: bool,
    output: &Output,
) -> Result<(), CommandError> {
    let unshown = |error| CommandError::other("the settings cannot be shown", error);
    if with_origins {
        let sections = toml::Value::try_from(settings).map_err(unshown)?;
        let shown = add_origins(&sections, origins);
        return output.print(&shown, || lines(&shown));
    }
    let text = toml::to_string(settings).map_err(unshown)?;
    output.print(settings, || text)
}

fn add_origins(sections: &toml::Value, origins: &Origins) -> BTreeMap<String, Setting> {
    let setting = |(key, origin): (&String, &super::Origin)| {
        let (section, name) = key.split_once('.')?;
        let value = sections.get(section)?.get(name)?.clone();
        let origin = origin.to_string();
        Some((key.clone(), Setting { value, origin }))
    };
    origins.0.iter().filter_map(setting).collect()
}

#[derive(Debug, Serialize)]
struct Setting {
    value: toml::Value,
    /// `default`, a file path, or the name of an environment variable.
    origin: String,
}

/// Formats `settings` as TOML, one setting per line, each with its origin in a comment.
fn lines(settings: &BTreeMap<String, Setting>) -> String {
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
