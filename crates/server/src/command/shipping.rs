//! `pressline shipping`: imports and exports zones and shipping rates.

use pressline_domain::catalog::import::Content;

use crate::cli::ShippingCommand;
use crate::config::Settings;
use crate::failure::Failure;

use super::Output;
use super::import::{export, import};

pub(super) async fn run(
    settings: &Settings,
    command: ShippingCommand,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        ShippingCommand::Import(from) => {
            import(settings, Content::Shipping, &from, false, output).await
        }
        ShippingCommand::Export(to) => export(settings, Content::Shipping, &to, output).await,
    }
}
