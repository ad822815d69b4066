//! `pressline prices`, `shipping` and `fees`: import and export prices, rates and fees, and restore
//! the defaults.

use clap::Subcommand;
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::import::catalog::Content;
use pressline_host::logging;
use pressline_host::terminal::escape;
use serde_json::json;

use crate::error::Result;
use crate::import::{ExportArgs, ImportArgs};
use crate::import::{document, export, import, warnings};
use crate::output::Output;
use crate::services::ConfiguredProgram;
use crate::store;

#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Add the prices of a file. They replace prices of the same list, SKU, currency and date.
    Import {
        #[command(flatten)]
        from: ImportArgs,
        /// Remove all other prices of the lists that the file names.
        #[arg(long)]
        replace: bool,
    },
    /// Write all price lists as a file that can be imported.
    Export(ExportArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ShippingCommand {
    /// Replace all zones and rates by the contents of a file.
    Import(ImportArgs),
    /// Write all zones and rates as a file that can be imported.
    Export(ExportArgs),
    /// Replace all zones and rates by the defaults.
    Remove,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeesCommand {
    /// Import the fee schedules of a file. Each replaces the schedule of its store; other schedules
    /// are kept.
    Import(ImportArgs),
    /// Write all schedules as a file that can be imported.
    Export(ExportArgs),
    /// Remove a store's schedule, so that the service's schedule applies, or reset the service's
    /// schedule to the default.
    #[group(required = true)]
    Remove {
        /// The store's id or prefix.
        store: Option<String>,
        /// Reset the service's own schedule.
        #[arg(long, conflicts_with = "store")]
        service: bool,
    },
}

pub(super) async fn prices(
    program: &dyn ConfiguredProgram,
    command: PricesCommand,
    output: &Output,
) -> Result {
    match command {
        PricesCommand::Import { from, replace } => {
            import(program, Content::Prices, &from, replace, output).await
        }
        PricesCommand::Export(to) => export(program, Content::Prices, &to, output).await,
    }
}

pub(super) async fn shipping(
    program: &dyn ConfiguredProgram,
    command: ShippingCommand,
    output: &Output,
) -> Result {
    match command {
        ShippingCommand::Import(from) => {
            // An import of rates always replaces all rates.
            import(program, Content::Shipping, &from, false, output).await
        }
        ShippingCommand::Export(to) => export(program, Content::Shipping, &to, output).await,
        ShippingCommand::Remove => remove_shipping(program, output).await,
    }
}

pub(super) async fn fees(
    program: &dyn ConfiguredProgram,
    command: FeesCommand,
    output: &Output,
) -> Result {
    match command {
        FeesCommand::Import(from) => import(program, Content::Fees, &from, false, output).await,
        FeesCommand::Export(to) => export(program, Content::Fees, &to, output).await,
        // clap requires a store or `--service`, so `None` means the service's schedule.
        FeesCommand::Remove { store, service: _ } => {
            remove_fees(program, store.as_deref(), output).await
        }
    }
}

async fn remove_shipping(program: &dyn ConfiguredProgram, output: &Output) -> Result {
    let services = program.open().await?;
    let imports = services.imports.by(AuditContext::COMMAND_LINE);
    let (removed, warning) = imports.remove_shipping().await?;
    let mut document = document([("removed", json!(removed))]);
    if let Some(warning) = warning {
        document.extend(warnings(std::slice::from_ref(&warning)));
        logging::message(&escape(&warning.to_string()));
    }
    output.print(&document, || match removed {
        true => "Removed. The default rates apply again.".to_owned(),
        false => "The default rates are already in use.".to_owned(),
    })
}

/// Removes the fee schedule of `store`, or resets the service's schedule if `store` is `None`.
async fn remove_fees(
    program: &dyn ConfiguredProgram,
    store: Option<&str>,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    let owner = match store {
        None => None,
        Some(name) => Some(store::find(&services, name).await?.id),
    };
    let imports = services.imports.by(AuditContext::COMMAND_LINE);
    let removed = imports.remove_fees(owner).await?;
    output.print(&json!({ "removed": removed }), || match (removed, owner) {
        (true, Some(_)) => "Removed. The store now has the service's schedule.".to_owned(),
        (true, None) => "Removed. The default fees apply again.".to_owned(),
        (false, Some(_)) => "The store has no schedule of its own.".to_owned(),
        (false, None) => "The default fee schedule is already in use.".to_owned(),
    })
}
