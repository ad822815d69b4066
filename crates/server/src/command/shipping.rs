//! `pressline shipping`: imports, exports and restores zones and shipping rates.

use pressline_domain::catalog::import::Content;
use serde_json::json;

use crate::cli::ShippingCommand;
use crate::config::Settings;
use crate::error::CommandError;
use crate::logging;
use crate::terminal::escape;
use crate::wiring::Adapters;

use super::Output;
use super::import::{document, export, import, warnings};

pub(super) async fn run(
    settings: &Settings,
    command: ShippingCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        ShippingCommand::Import(from) => {
            import(settings, Content::Shipping, &from, false, output).await
        }
        ShippingCommand::Export(to) => export(settings, Content::Shipping, &to, output).await,
        ShippingCommand::Remove => remove(settings, output).await,
    }
}

/// Restores the rates of a new database.
async fn remove(settings: &Settings, output: &Output) -> Result<(), CommandError> {
    let adapters = Adapters::open_migrated(settings).await?;
    let (removed, warning) = adapters.imports()?.remove_shipping().await?;
    let mut document = document([("removed", json!(removed))]);
    if let Some(warning) = warning {
        document.extend(warnings(std::slice::from_ref(&warning)));
        logging::message(&escape(&warning.to_string()));
    }
    output.print(&document, || match removed {
        true => "Removed: the rates of a new database hold.".to_owned(),
        false => "There was none.".to_owned(),
    })
}
