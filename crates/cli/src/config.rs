//! `pressline config`: shows and checks the settings.

use std::path::Path;

use serde_json::json;

use crate::arguments::ConfigCommand;
use crate::error::Result;
use crate::output::{Output, print_line};
use crate::services::{Configured, Program};
use crate::settings;

pub(super) fn run(
    program: &impl Program,
    file: Option<&Path>,
    command: &ConfigCommand,
    output: &Output,
) -> Result {
    match command {
        ConfigCommand::Print { defaults: true, .. } => print_line(program.default_settings()),
        ConfigCommand::Print { origin, .. } => {
            let program = program.configure(file)?;
            settings::print(&program.masked(), program.origins(), *origin, output)
        }
        ConfigCommand::Check => {
            program.check_configuration(file)?;
            output.print(&json!({ "problems": [] }), || {
                "configuration: no problems".to_owned()
            })
        }
    }
}
