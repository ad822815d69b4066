//! The routes of reports.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/reports",
        "Reports",
        Access::Call("reports/orders"),
        signed!(super::show),
    )
    .below(Section::Reports)
    .searching(),
    Route::page(
        "/console/reports/export.csv",
        "Export CSV of a report",
        Access::Call("reports/orders"),
        signed!(super::export),
    )
    .below(Section::Reports)
    .searching(),
];
