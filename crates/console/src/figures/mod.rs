//! Reports: the numbers and fees of the orders that were placed on some days.

mod columns;
mod export;
mod filter;
mod page;
mod routes;

use export::export;
use page::show;
pub(crate) use routes::ROUTES;

const REPORTS: &str = "/console/reports";
const EXPORT: &str = "/console/reports/export.csv";
