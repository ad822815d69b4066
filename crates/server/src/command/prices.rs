//! `pressline prices`: imports and exports price lists.

use pressline_domain::catalog::import::Content;

use crate::cli::PricesCommand;
use crate::config::Settings;
use crate::error::CommandError;

use super::Output;
use super::import::{export, import};

pub(super) async fn run(
    settings: &Settings,
    command: PricesCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        PricesCommand::Import { from, replace } => {
            import(settings, Content::Prices, &from, replace, output).await
        }
        PricesCommand::Export(to) => export(settings, Content::Prices, &to, output).await,
    }
}
