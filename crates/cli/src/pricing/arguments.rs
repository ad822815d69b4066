//! The arguments of `pressline prices`, `shipping` and `fees`.

use clap::Subcommand;

use crate::import::arguments::{ExportArgs, ImportArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Add the prices of a file, or replace those of the same list, SKU, currency and date.
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
    /// Replace all zones and rates by those of a file.
    Import(ImportArgs),
    /// Write all zones and rates as a file that can be imported.
    Export(ExportArgs),
    /// Replace all zones and rates by the defaults.
    Remove,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeesCommand {
    /// Replace the schedules of the stores in a file. Schedules of other stores stay.
    Import(ImportArgs),
    /// Write all schedules as a file that can be imported.
    Export(ExportArgs),
    /// Remove the schedule of a store, which then has the service's, or replace the service's
    /// schedule by the default.
    #[group(required = true)]
    Remove {
        /// The id or the prefix of the store.
        store: Option<String>,
        /// The service's own schedule.
        #[arg(long, conflicts_with = "store")]
        service: bool,
    },
}
