//! `pressline prices`, `shipping` and `fees`: import and export what orders are priced with, and
//! restore the defaults.

use pressline_backoffice::audit::Author;
use pressline_backoffice::import::catalog::Content;
use serde_json::json;

use crate::cli::{FeesCommand, PricesCommand, ShippingCommand};
use crate::config::Settings;
use crate::error::CommandError;
use crate::logging;
use crate::output::Output;
use crate::terminal::escape;
use crate::wiring::Adapters;

use super::import::{document, export, import, warnings};
use super::store;

pub(super) async fn prices(
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

pub(super) async fn shipping(
    settings: &Settings,
    command: ShippingCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        ShippingCommand::Import(from) => {
            import(settings, Content::Shipping, &from, false, output).await
        }
        ShippingCommand::Export(to) => export(settings, Content::Shipping, &to, output).await,
        ShippingCommand::Remove => remove_shipping(settings, output).await,
    }
}

pub(super) async fn fees(
    settings: &Settings,
    command: FeesCommand,
    output: &Output,
) -> Result<(), CommandError> {
    match command {
        FeesCommand::Import(from) => import(settings, Content::Fees, &from, false, output).await,
        FeesCommand::Export(to) => export(settings, Content::Fees, &to, output).await,
        FeesCommand::Remove { store, service: _ } => {
            remove_fees(settings, store.as_deref(), output).await
        }
    }
}

async fn remove_shipping(settings: &Settings, output: &Output) -> Result<(), CommandError> {
    let adapters = Adapters::open_migrated(settings).await?;
    let imports = adapters.imports()?.by(Author::COMMAND_LINE);
    let (removed, warning) = imports.remove_shipping().await?;
    let mut document = document([("removed", json!(removed))]);
    if let Some(warning) = warning {
        document.extend(warnings(std::slice::from_ref(&warning)));
        logging::message(&escape(&warning.to_string()));
    }
    output.print(&document, || match removed {
        true => "Removed. The default rates apply again.".to_owned(),
        false => "The rates are the default ones already.".to_owned(),
    })
}

/// Removes the schedule of a store, or restores the service's default one.
async fn remove_fees(
    settings: &Settings,
    store: Option<&str>,
    output: &Output,
) -> Result<(), CommandError> {
    let adapters = Adapters::open_migrated(settings).await?;
    let owner = match store {
        None => None,
        Some(name) => Some(store::find(&adapters, name).await?.id),
    };
    let imports = adapters.imports()?.by(Author::COMMAND_LINE);
    let removed = imports.remove_fees(owner).await?;
    output.print(&json!({ "removed": removed }), || match (removed, owner) {
        (true, Some(_)) => "Removed. The store now has the service's schedule.".to_owned(),
        (true, None) => "Removed. The default fees apply again.".to_owned(),
        (false, Some(_)) => "The store has no schedule of its own.".to_owned(),
        (false, None) => "The schedule is the default one already.".to_owned(),
    })
}
