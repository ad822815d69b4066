//! `pressline config`: shows and checks the settings.

use std::path::Path;

use serde_json::json;

use crate::cli::ConfigCommand;
use crate::config::{self, DEFAULTS, Settings};
use crate::error::CommandError;
use crate::output::{Output, print_line};

pub(super) fn run(
    file: Option<&Path>,
    command: &ConfigCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        ConfigCommand::Print { defaults: true, .. } => print_line(DEFAULTS),
        ConfigCommand::Print { origin, .. } => print(&Settings::load(file)?, *origin, output),
        ConfigCommand::Check => {
            Settings::check_all(file)?;
            output.print(&json!({ "problems": [] }), || {
                "configuration: no problems".to_owned()
            })
        }
    }
}

fn print(settings: &Settings, with_origins: bool, output: &Output) -> Result<(), CommandError> {
    let unshown = |error| CommandError::other("the settings cannot be shown", error);
    if with_origins {
        let shown = settings.with_origins().map_err(unshown)?;
        return output.print(&shown, || config::lines(&shown));
    }
    let shown = settings.masked();
    let text = toml::to_string(&shown).map_err(unshown)?;
    output.print(&shown, || text)
}
