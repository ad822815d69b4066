//! Import and export of the data that orders are priced with: variants, price lists, shipping rates
//! and fees.
//!
//! [`ImportService::import`] checks [`Rows`], also against stored data, and stores the result; a
//! dry run only reports the changes. [`ImportService::export`] returns the stored data as rows.
//! Rows can come from a file, a form or a program.

mod areas;
mod report;
mod service;
mod variants;

pub use crate::import::pricing::{
    Schedules, Warning, fee_sheet, price_sheet, read_fees, read_prices, read_shipping,
    shipping_sheet,
};
pub use crate::rows::{
    Cell, Column, ColumnName, Content, Finding, Findings, FormerReferences, LIST_SEPARATOR, Layout,
    MAX_FINDINGS, Nested, Record, References, Row, Rows, Sheet, SheetRow, Value, find_store,
    unknown_store,
};
pub use report::{Accepted, ImportError, ImportSettings, Mode, Progress, RowChanges, Summary};
pub use service::ImportService;
pub use variants::{read_variants, variant_sheet};
