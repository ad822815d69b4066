//! `pressline config`: shows the settings in force.

use crate::cli::ConfigCommand;
use crate::config::{self, ConfigError, DEFAULTS, Settings};
use crate::error::CommandError;

use super::{Output, print_line};

pub(super) fn run(
    settings: impl Fn() -> Result<Settings, ConfigError>,
    command: &ConfigCommand,
    output: &Output,
) -> Result<(), CommandError> {
    let ConfigCommand::Print { defaults, origin } = command;
    if *defaults {
        return print_line(DEFAULTS);
    }
    let unshown = |error| CommandError::other("the settings cannot be shown", error);
    let settings = settings()?;
    if *origin {
        let shown = settings.with_origins().map_err(unshown)?;
        return output.print(&shown, || config::lines(&shown));
    }
    let shown = settings.masked();
    let text = toml::to_string(&shown).map_err(unshown)?;
    output.print(&shown, || text)
}
