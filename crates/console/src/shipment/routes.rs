//! The routes of shipments.

use super::import::Parcels;
use crate::frame::Section;
use crate::import;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/shipments",
        "Shipments",
        Access::Call("shipments/find"),
        signed!(super::show),
    )
    .below(Section::Shipments)
    .searching(),
    Route::page(
        "/console/shipments/export.csv",
        "Export CSV of the parcels",
        Access::Call("shipments/find"),
        signed!(super::export),
    )
    .below(Section::Shipments)
    .searching(),
    Route::page(
        "/console/shipments/import",
        "Import parcels",
        Access::Call("shipments/create"),
        signed!(import::show::<Parcels>),
    )
    .below(Section::Shipments)
    .searching(),
    Route::action(
        "/console/shipments/import",
        "Check file",
        Access::Call("shipments/create"),
        signed!(import::receive::<Parcels>),
    )
    .below(Section::Shipments)
    .uploading(),
    Route::page(
        "/console/shipments/import/errors.csv",
        "Download errors",
        Access::Call("shipments/create"),
        signed!(import::errors::<Parcels>),
    )
    .below(Section::Shipments)
    .searching(),
    Route::action(
        "/console/shipments/import/run",
        "Import rows",
        Access::Call("shipments/create"),
        signed!(import::run::<Parcels>),
    )
    .below(Section::Shipments),
];
