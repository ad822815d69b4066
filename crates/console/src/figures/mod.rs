//! Reports: the numbers and fees of the orders that were placed on some days.

mod columns;
mod export;
mod filter;
mod page;
mod routes;

use export::export;
use page::show;
pub(crate) use routes::ROUTES;

/// The path of the page.
const REPORTS: &str = "/console/reports";
/// The path of the export.
const EXPORT: &str = "/console/reports/export.csv";
