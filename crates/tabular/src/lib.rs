//! File formats of imports and exports: converts CSV and JSON to [`Rows`], and [`Sheet`]s to CSV
//! and JSON.
//!
//! This crate does no I/O and does not interpret rows: the imports decide whether rows are valid.
//! Errors in the form of a file are reported with their lines.

// Modules import only modules of the groups above them.
mod lines;
mod quotes;
mod table;

mod encoding;
mod separator;

mod csv;
mod json;

use std::io;

use pressline_backoffice::import::catalog::{Content, Findings, Rows, Sheet};
use pressline_backoffice::import::order::ORDER_COLUMNS;
use pressline_backoffice::import::shipment::SHIPMENT_COLUMNS;
use pressline_backoffice::rows::{FileRows, Layout};

pub use json::Document;
pub use table::{for_spreadsheets, table};

/// Maximum number of rows in a file. In JSON, each entry and each part of an entry counts as a row.
/// A catalog of 100,000 products with three print areas each has 300,000 rows as CSV. A million
/// rows take about 1 GB of memory while they are read.
pub const MAX_ROWS: usize = 1_000_000;

/// Format of an import or export file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV: a header, and rows separated by commas, semicolons or tabs.
    Csv,
    /// JSON: a list of objects.
    Json,
}

/// Parses the file `bytes`, with up to [`MAX_ROWS`] rows.
///
/// # Errors
/// Returns errors that affect the whole file, such as wrong quotes, an invalid header or too many
/// rows. Errors in single rows are in [`Rows::findings`] of the result.
pub fn read(bytes: &[u8], format: Format, content: Content) -> Result<Rows, Findings> {
    read_at_most(MAX_ROWS, bytes, format, content)
}

/// Parses the file `bytes` like [`read`], but with up to `most_rows` rows.
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

/// Parses a shipment file in CSV, up to [`MAX_ROWS`] rows. Errors are in [`FileRows::findings`].
pub fn read_shipments(bytes: &[u8]) -> FileRows {
    read_shipments_at_most(MAX_ROWS, bytes)
}

/// Parses a shipment file in CSV, up to `most_rows` rows. Errors are in [`FileRows::findings`].
pub fn read_shipments_at_most(most_rows: usize, bytes: &[u8]) -> FileRows {
    read_file(bytes, &SHIPMENT_COLUMNS, most_rows)
}

/// Parses an order file in CSV, up to `most_rows` rows. Errors are in [`FileRows::findings`].
pub fn read_orders_at_most(most_rows: usize, bytes: &[u8]) -> FileRows {
    read_file(bytes, &ORDER_COLUMNS, most_rows)
}

fn read_file(bytes: &[u8], columns: &'static Layout, most_rows: usize) -> FileRows {
    let mut findings = Findings::default();
    match csv::read(bytes, columns, most_rows, &mut findings) {
        Ok(records) => FileRows::new(records, findings),
        // A malformed file has no rows; its problems are reported like problems of rows.
        Err(findings) => FileRows::new(Vec::new(), findings),
    }
}

/// Returns `sheet` as a file in `format`. No error is expected, because the file is in memory.
pub fn write(sheet: &Sheet, format: Format) -> io::Result<Vec<u8>> {
    match format {
        Format::Csv => csv::write(sheet),
        Format::Json => json::write(sheet),
    }
}

/// Returns the rows of `sheet` as CSV lines, without a header and without line breaks at their
/// ends.
pub fn csv_lines(sheet: &Sheet) -> io::Result<Vec<String>> {
    csv::lines(sheet)
}
