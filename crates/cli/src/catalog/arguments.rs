//! The arguments of `pressline catalog`.

use clap::Subcommand;

use crate::import::arguments::{ExportArgs, ImportArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Add the products of a file; products with the same SKU are replaced. If one is invalid,
    /// nothing is imported.
    Import {
        #[command(flatten)]
        from: ImportArgs,
        /// Retire the SKUs that are not in the file.
        #[arg(long)]
        retire_missing: bool,
    },
    /// Write the whole catalog as a file that can be imported.
    Export(ExportArgs),
    /// List the SKUs, retired ones included.
    List {
        /// Only products with words that begin with the words of KEY.
        #[arg(long, value_name = "KEY")]
        search: Option<String>,
    },
    /// Show a SKU: its options and print areas, and its prices in all price lists.
    Show {
        /// The SKU.
        sku: String,
    },
}
