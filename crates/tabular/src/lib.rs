//! Files of what is imported and exported: converts CSV and JSON to [`Rows`], and [`Sheet`]s to CSV
//! and JSON.
//!
//! Nothing is read or written here, and nothing is decided: what rows mean and which of them are
//! right is up to the domain. What is wrong with the form of a file is reported with its line.

mod csv;
mod json;
mod lines;
mod quotes;
mod table;

use std::io;

use pressline_backoffice::import::catalog::{Content, Findings, Rows, Sheet};
use pressline_backoffice::import::order::{ORDER_COLUMNS, OrderRows};
use pressline_backoffice::import::shipment::{SHIPMENT_COLUMNS, ShipmentRows};

pub use json::Document;
pub use table::table;

/// Maximum number of rows of a file, in JSON with the entries of lists in them: a catalog of
/// 100,000 products with three print areas each has 300,000. A million rows take about 1 GB of
/// memory while they are read.
pub const MAX_ROWS: usize = 1_000_000;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A header and rows, separated by commas.
    Csv,
    /// A list of objects.
    Json,
}

/// Converts the text of a file to rows.
///
/// # Errors
/// What is wrong with the form of the file, such as quotes, the header or too many rows. What is
/// wrong with single rows is returned with the others, as [`Rows::findings`].
pub fn read(bytes: &[u8], format: Format, content: Content) -> Result<Rows, Findings> {
    read_at_most(MAX_ROWS, bytes, format, content)
}

/// Converts the text of a file with at most so many rows.
///
/// # Errors
/// As [`read`].
pub fn read_at_most(
    most_rows: usize,
    bytes: &[u8],
    format: Format,
    content: Content,
) -> Result<Rows, Findings> {
    let mut findings = Findings::default();
    let layout = content.layout();
    let records = match format {
        Format::Csv => csv::read(bytes, layout, most_rows, &mut findings)?,
        Format::Json => json::read(bytes, layout, most_rows, &mut findings)?,
    };
    Ok(Rows {
        content,
        flat: format == Format::Csv,
        records,
        findings,
    })
}

/// Converts the text of a CSV file of shipments to rows.
///
/// # Errors
/// As [`read`].
pub fn read_shipments(bytes: &[u8]) -> Result<ShipmentRows, Findings> {
    read_shipments_at_most(MAX_ROWS, bytes)
}

/// Converts the text of a CSV file of shipments with at most so many rows.
///
/// # Errors
/// As [`read`].
pub fn read_shipments_at_most(most_rows: usize, bytes: &[u8]) -> Result<ShipmentRows, Findings> {
    let mut findings = Findings::default();
    let records = csv::read(bytes, &SHIPMENT_COLUMNS, most_rows, &mut findings)?;
    Ok(ShipmentRows { records, findings })
}

/// Converts the text of a CSV file of orders with at most so many rows.
///
/// # Errors
/// As [`read`].
pub fn read_orders_at_most(most_rows: usize, bytes: &[u8]) -> Result<OrderRows, Findings> {
    let mut findings = Findings::default();
    let records = csv::read(bytes, &ORDER_COLUMNS, most_rows, &mut findings)?;
    Ok(OrderRows { records, findings })
}

/// Converts rows to the text of a file.
///
/// # Errors
/// None are expected, as the text is written to memory; those of the libraries are passed on.
pub fn write(sheet: &Sheet, format: Format) -> io::Result<Vec<u8>> {
    match format {
        Format::Csv => csv::write(sheet),
        Format::Json => json::write(sheet),
    }
}

/// Converts rows to lines of CSV, without a header and without line breaks at their ends.
///
/// # Errors
/// As [`write()`].
pub fn csv_lines(sheet: &Sheet) -> io::Result<Vec<String>> {
    csv::lines(sheet)
}
