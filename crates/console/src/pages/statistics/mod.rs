//! Reports: numbers and fees of the orders placed on some days.

mod columns;
mod export;
mod filter;
mod page;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
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
