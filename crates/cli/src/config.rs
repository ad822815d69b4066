//! `pressline config`: shows and checks the settings.

use std::collections::BTreeMap;
use std::path::Path;

use pressline_host::settings::{Origin, Origins};
use serde::Serialize;
use serde_json::json;

use crate::arguments::ConfigCommand;
use crate::error::{CommandError, Result};
use crate::output::{Output, print_line};
use crate::services::Program;
use crate::warnings::add_warnings;

pub(super) async fn run(
    program: &Program,
    file: Option<&Path>,
    command: &ConfigCommand,
    output: &Output,
) -> Result {
    match command {
        ConfigCommand::Print { defaults: true, .. } => print_line(program.default_settings),
        ConfigCommand::Print { origin, .. } => {
            let configured = (program.configure)(file)?;
            print(&configured.masked(), configured.origins(), *origin, output)
        }
        ConfigCommand::Check => {
            let configured = (program.configure_with_files)(file)?;
            let warnings = configured.examine().await?;
            let mut document = json!({ "problems": [] });
            add_warnings(&mut document, &warnings);
            output.print(&document, || "configuration: no problems".to_owned())
        }
    }
}

/// Prints `settings`, with the origin of each if `with_origins` is true. Secrets must be masked.
fn print(
    settings: &impl Serialize,
    origins: &Origins,
    with_origins: bool,
    output: &Output,
) -> Result {
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
    let setting = |(key, origin): (&str, &Origin)| {
        let (section, name) = key.split_once('.')?;
        let value = sections.get(section)?.get(name)?.clone();
        let origin = origin.to_string();
        Some((key.to_owned(), Setting { value, origin }))
    };
    origins.iter().filter_map(setting).collect()
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
    let width = lengths
        .filter(|length| *length <= WIDEST)
        .max()
        .unwrap_or(0);
    let lines = assignments
        .iter()
        .zip(settings.values())
        .map(|(text, setting)| format!("{text:<width$}  # {}", setting.origin));
    lines.collect::<Vec<_>>().join("\n")
}
