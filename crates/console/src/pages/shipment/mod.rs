//! Shipments: the parcels of all stores, their import, and the export of parcels to send.

mod import;
mod list;
mod to_send;

use crate::shell::access::Access;
use crate::shell::import::import_routes;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
use import::IMPORTER;
use list::{export, show};

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
    Route::search(
        "/console/shipments/to-send.csv",
        "Export parcels to send",
        Access::Call("shipments/export"),
        signed!(to_send::export),
    ),
]);

pub(crate) const IMPORT: &[Route] = &Section::Shipments.routes(import_routes!(
    "/console/shipments/import",
    Access::Call("shipments/create"),
    IMPORTER
));
