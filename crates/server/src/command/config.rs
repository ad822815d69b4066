//! `pressline config`: shows the settings in force.

use crate::cli::ConfigCommand;
use crate::config::{self, ConfigError, DEFAULTS, Settings};
use crate::failure::Failure;

use super::{Output, print_line};

pub(super) fn run(
    settings: impl Fn() -> Result<Settings, ConfigError>,
    command: &ConfigCommand,
    output: &Output,
) -> Result<(), Failure> {
    let ConfigCommand::Print { defaults, origin } = command;
    if *defaults {
        return print_line(DEFAULTS);
    }
    let unshown = |error| Failure::other("the settings cannot be shown", error);
    let settings = settings()?;
    if *origin {
        let shown = settings.with_origins().map_err(unshown)?;
        return output.print(&shown, || config::lines(&shown));
    }
    let shown = settings.masked();
    let text = toml::to_string(&shown).map_err(unshown)?;
    output.print(&shown, || text)
}
