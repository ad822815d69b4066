//! Reports: numbers and fees of the orders placed on some days.

mod columns;
mod export;
mod filter;
mod page;

use crate::shell::access::Access::Call;
use crate::shell::{Route, Section, routes};
use export::export;
use page::show;

pub(crate) const ROUTES: &[Route] = &Section::Reports.routes(routes! {
    page.searching: "/console/reports", "Reports", Call("reports/orders") => show;
    page.searching: "/console/reports/export.csv", "Export CSV of a report", Call("reports/orders")
        => export;
});
