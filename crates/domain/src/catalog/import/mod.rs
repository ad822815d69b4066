//! The import and export of what orders are priced with: variants, price lists, shipping rates and
//! fees.
//!
//! [`ImportService::import`] takes [`Rows`], checks them, also against what is stored, and stores
//! what they describe, or says what that would change. [`ImportService::export`] returns the rows
//! of what is stored. Where rows come from is up to the caller: a file, a form, a program.

mod finding;
mod layout;
mod references;
mod report;
mod row;
mod rows;
mod service;
mod variants;

pub use crate::pricing::import::{
    Schedules, fee_sheet, price_sheet, read_fees, read_prices, read_shipping, shipping_sheet,
};
pub use finding::{Finding, Findings, SHOWN};
pub use layout::{Content, LIST_SEPARATOR, Layout, Nested};
pub use references::{FormerReferences, References, find_store, unknown_store};
pub(crate) use references::{earlier_line, store_name};
pub use report::{
    Accepted, ImportError, ImportReport, ImportSettings, Mode, Progress, RowChanges, Summary,
    Warning,
};
pub use row::{Cell, ColumnName, Row};
pub use rows::{Record, Rows, Sheet, SheetRow, Value};
pub use service::ImportService;
pub use variants::{read_variants, variant_sheet};

/// Returns words that offer similar names, to be added to a message; none without names.
#[must_use]
pub fn did_you_mean<S: AsRef<str>>(similar: &[S]) -> String {
    match crate::pricing::did_you_mean(similar) {
        none if none.is_empty() => none,
        words => format!("; {words}"),
    }
}
