//! Reports: the numbers and fees of the orders that were placed on some days.

mod columns;
mod export;
mod filter;
mod page;

use crate::shell::frame::Section;
use crate::shell::route::{Access, Route, signed};
use export::export;
use page::show;

pub(crate) const ROUTES: &[Route] = &Section::Reports.routes([
    Route::search(
        "/console/reports",
        "Reports",
        Access::Call("reports/orders"),
        signed!(show),
    ),
    Route::search(
        "/console/reports/export.csv",
        "Export CSV of a report",
        Access::Call("reports/orders"),
        signed!(export),
    ),
]);
