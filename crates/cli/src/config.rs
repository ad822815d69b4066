//! `pressline config`: shows and checks the settings.

use std::path::Path;

use serde_json::json;

use crate::arguments::ConfigCommand;
use crate::error::Result;
use crate::output::{Output, print_line};
use crate::services::{Configured, Program};
use crate::settings;
use crate::warnings::add_warnings;

pub(super) async fn run(
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
            let warnings = program.check_configuration(file).await?;
            let mut document = json!({ "problems": [] });
            add_warnings(&mut document, &warnings);
            output.print(&document, || "configuration: no problems".to_owned())
        }
    }
}
