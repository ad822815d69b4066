//! The arguments of `pressline prices`, `shipping` and `fees`.

use clap::Subcommand;

use crate::import::arguments::{ExportArgs, ImportArgs};

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
