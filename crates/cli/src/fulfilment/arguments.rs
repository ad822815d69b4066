//! The arguments of `pressline shipments`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pressline_domain::value::id::StoreId;

#[derive(Debug, Subcommand)]
pub(crate) enum ShipmentsCommand {
    /// Import shipments from a CSV file. If a row is invalid, nothing is imported.
    ///
    /// The columns are order_id, carrier, tracking_number, tracking_url, ref, sku, item_id,
    /// quantity and shipped_at; docs/guides/operators.md describes them. Rows that are already
    /// imported change nothing, so an interrupted import can be run again.
    Import(ShipmentsImport),
    /// Export the parcels to send as a CSV file for shipping programs, one row per order.
    ///
    /// A parcel contains all unshipped units of its order that are ready or in production. Orders
    /// that must not be sent, and orders with a prepared label, are not exported. To record the
    /// shipments, add the columns carrier and tracking_number and import the file.
    Export(ShipmentsExport),
}

#[derive(Debug, Args)]
pub(crate) struct ShipmentsImport {
    /// A CSV file, or `-` for standard input; at most 256 MiB.
    pub(crate) file: PathBuf,
    /// Change nothing; print the problems and the number of changes.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShipmentsExport {
    /// A CSV file, or `-` for standard output.
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// Export the orders of a batch, such as BATCH-12.
    #[arg(long, conflicts_with_all = ["stores", "test"])]
    pub(crate) batch: Option<String>,
    /// Export only the orders of this store; can be repeated.
    #[arg(long = "store", value_name = "ID")]
    pub(crate) stores: Vec<StoreId>,
    /// Include the orders of test stores.
    #[arg(long)]
    pub(crate) test: bool,
}
