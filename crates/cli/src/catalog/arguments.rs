//! The arguments of `pressline catalog`.

use clap::Subcommand;

use crate::import::arguments::{ExportArgs, ImportArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Add the products of a file, or replace those with the same SKU: all of them or, if one is
    /// wrong, none.
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
        /// Only SKUs with words that begin with these.
        #[arg(long, value_name = "KEY")]
        search: Option<String>,
    },
    /// Show a SKU: its options and print areas, and its prices in all price lists.
    Show {
        /// The SKU.
        sku: String,
    },
}
