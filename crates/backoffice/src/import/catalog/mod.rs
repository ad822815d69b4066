//! The import and export of what orders are priced with: variants, price lists, shipping rates and
//! fees.
//!
//! [`ImportService::import`] takes [`Rows`], checks them, also against what is stored, and stores
//! what they describe, or says what that would change. [`ImportService::export`] returns the rows
//! of what is stored. Where rows come from is up to the caller: a file, a form, a program.

mod references;
mod report;
mod service;
mod variants;

pub use crate::import::pricing::{
    Schedules, Warning, fee_sheet, price_sheet, read_fees, read_prices, read_shipping,
    shipping_sheet,
};
pub use crate::rows::{
    Cell, ColumnName, Content, Finding, Findings, FormerReferences, LIST_SEPARATOR, Layout, Nested,
    Record, References, Row, Rows, SHOWN, Sheet, SheetRow, Value, find_store, unknown_store,
};
pub use report::{
    Accepted, ImportError, ImportReport, ImportSettings, Mode, Progress, RowChanges, Summary,
};
pub use service::ImportService;
pub use variants::{read_variants, variant_sheet};
