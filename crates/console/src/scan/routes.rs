//! The routes of the station.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/scan",
        "Scan",
        Access::Call("production/record"),
        signed!(super::show),
    )
    .below(Section::Scan),
    Route::action(
        "/console/scan",
        "Record, Misprint, Ship",
        Access::Call("production/record"),
        signed!(super::submit),
    )
    .below(Section::Scan),
];
