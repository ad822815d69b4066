//! Shipments: the parcels of all stores, and their import.

mod filter;
mod import;
mod list;
mod routes;

use list::{export, show};
pub(crate) use routes::ROUTES;

pub(crate) const SHIPMENTS: &str = "/console/shipments";
const EXPORT: &str = "/console/shipments/export.csv";
