//! Shipments: the parcels of all stores, and their import.

mod import;
mod list;

use crate::frame::Section;
use crate::import::import_routes;
use crate::route::{Access, Route, signed};
use import::IMPORTER;
use list::{export, show};

pub(crate) const SHIPMENTS: &str = "/console/shipments";
const EXPORT: &str = "/console/shipments/export.csv";

pub(crate) const ROUTES: &[Route] = &Section::Shipments.routes([
    Route::search(
        "/console/shipments",
        "Shipments",
        Access::Call("shipments/find"),
        signed!(show),
    ),
    Route::search(
        "/console/shipments/export.csv",
        "Export CSV of the parcels",
        Access::Call("shipments/find"),
        signed!(export),
    ),
]);

pub(crate) const IMPORT: &[Route] = &Section::Shipments.routes(import_routes!(
    "/console/shipments/import",
    Access::Call("shipments/create"),
    IMPORTER
));
