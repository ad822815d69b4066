//! Shipments: the parcels of all stores, their import, and the export of parcels to send.

mod import;
mod list;
mod to_send;

use crate::shell::access::Access::Call;
use crate::shell::import::import_routes;
use crate::shell::{Access, Route, Section, routes};
use import::IMPORTER;
use list::{export, show};

pub(crate) const ROUTES: &[Route] = &Section::Shipments.routes(routes! {
    page.searching: "/console/shipments", "Shipments", Call("shipments/find") => show;
    page.searching: "/console/shipments/export.csv", "Export CSV of the parcels",
        Call("shipments/find") => export;
    page.searching: "/console/shipments/to-send.csv", "Export parcels to send",
        Call("shipments/export") => to_send::export;
});

pub(crate) const IMPORT: &[Route] = &Section::Shipments.routes(import_routes!(
    "/console/shipments/import",
    Access::Call("shipments/create"),
    IMPORTER
));
