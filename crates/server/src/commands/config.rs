//! `pressline config`: shows the settings in force.

use crate::cli::ConfigCommand;
use crate::config::{ConfigError, DEFAULTS, Settings};
use crate::failure::Failure;

use super::{Output, print_line};

pub(super) fn run(
    settings: impl Fn() -> Result<Settings, ConfigError>,
    command: &ConfigCommand,
    output: &Output,
) -> Result<(), Failure> {
    let ConfigCommand::Print { defaults } = command;
    if *defaults {
        return print_line(DEFAULTS);
    }
    let shown = settings()?.masked();
    let text =
        toml::to_string(&shown).map_err(|error| Failure::other("the settings cannot be shown", error))?;
    output.print(&shown, || text)
}
