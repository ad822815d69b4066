//! Shipments: the parcels of all stores, and their import.

mod filter;
mod import;
mod list;
mod routes;

use list::{export, show};
pub(crate) use routes::ROUTES;

/// The path of the list.
pub(crate) const SHIPMENTS: &str = "/console/shipments";
/// The path of the export.
const EXPORT: &str = "/console/shipments/export.csv";
