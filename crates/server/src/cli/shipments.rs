//! The arguments of `pressline shipments`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum ShipmentsCommand {
    /// Import shipments from a CSV file: all of them, or none if a row is wrong.
    ///
    /// The columns are order_id, carrier, tracking_number, tracking_url, ref, sku, item_id, quantity and
    /// shipped_at; docs/guides/operators.md describes them. Rows that are imported already change nothing, so
    /// an import that was interrupted can be run again.
    Import(ShipmentsImport),
}

#[derive(Debug, Args)]
pub(crate) struct ShipmentsImport {
    /// A CSV file, or `-` for standard input; at most 256 MiB.
    pub(crate) file: PathBuf,
    /// Change nothing, and print what is wrong and how much would change.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
