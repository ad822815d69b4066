//! CSV files: a header, then a row for each entry, or for each part of an entry.

use std::collections::HashMap;
use std::io;

use pressline_backoffice::import::catalog::{
    Cell, Column, Finding, Findings, LIST_SEPARATOR, Layout, Record, Row, Sheet, SheetRow, Value,
};
use pressline_backoffice::rows::{doubt_cut_numbers, marked, unmarked};
use pressline_kit::nearest::{nearest, suggestion};
use pressline_kit::text::excerpt;

use super::encoding::{self, SAVE_AS_UTF8};
use super::lines::{Lines, too_many_rows};
use super::quotes;
use super::separator::first_row_and_separator;

/// Bounds the time for a header: each unknown column name is compared with all known names.
const MOST_COLUMNS: usize = 1_000;

struct Header {
    positions: HashMap<&'static str, usize>,
    width: usize,
    /// Positions of the cells without a name. Spreadsheets write them for columns that are empty.
    unnamed: Vec<usize>,
}

impl Header {
    fn read(record: &csv::StringRecord, line: u64, layout: &Layout) -> Result<Self, Findings> {
        let (mut positions, mut unnamed) = (HashMap::new(), Vec::new());
        let mut findings = Findings::default();
        let mut problem = |column: &str, mut message: String| {
            // Only the first message lists the columns.
            if findings.is_empty() {
                let columns: Vec<&str> = layout.flat_names().collect();
                message = format!("{message} (columns: {})", columns.join(", "));
            }
            findings.add(Finding {
                line,
                column: excerpt(column).into_owned(),
                message,
            });
        };
        for (position, given) in record.iter().enumerate() {
            let given = given.trim();
            if given.is_empty() {
                unnamed.push(position);
                continue;
            }
            let known = layout
                .flat_names()
                .find(|column| column.eq_ignore_ascii_case(given));
            let Some(column) = known else {
                let mut ignored = layout.ignored.iter();
                if ignored.any(|column| column.eq_ignore_ascii_case(given)) {
                    continue;
                }
                let near = nearest(given, layout.flat_names(), 1);
                problem(given, format!("not a known column{}", suggestion(&near)));
                continue;
            };
            if positions.insert(column, position).is_some() {
                problem(column, "the header has this column twice".into());
            }
        }
        for column in layout.required {
            if !positions.contains_key(column) {
                problem(column, "the header lacks this column".into());
            }
        }
        if findings.is_empty() {
            Ok(Self {
                positions,
                width: record.len(),
                unnamed,
            })
        } else {
            Err(findings)
        }
    }

    fn cells(&self, record: &csv::StringRecord, columns: &[Column], line: u64) -> Vec<Cell> {
        let cell = |column: &Column| {
            let position = self.positions.get(column.name);
            let cell = position.and_then(|position| record.get(*position));
            let text = cell.filter(|text| !text.trim().is_empty());
            let content = text.map(|text| unmarked(text, column));
            let is_exact = content.as_ref().is_some_and(|(_, is_marked)| *is_marked);
            let value = content.map_or(Value::Absent, |(text, _)| Value::Text(text.into_owned()));
            Cell {
                value,
                line,
                is_exact,
            }
        };
        columns.iter().map(cell).collect()
    }

    /// Returns a finding if `record` has a value that belongs to no column.
    fn misplaced(&self, record: &csv::StringRecord, line: u64) -> Option<Finding> {
        let mut values = record
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.trim().is_empty());
        let (last, _) = values.clone().last()?;
        if last >= self.width {
            let message = format!(
                "{} cells, and the header has {}; put a text with separators in quotes",
                last + 1,
                self.width
            );
            return Some(Finding::of_row(line, message));
        }
        let (position, text) = values.find(|(position, _)| self.unnamed.contains(position))?;
        let message = format!(
            "cell {} has `{}`, but the header has no name for this column; name it, or empty it",
            position + 1,
            excerpt(text.trim())
        );
        Some(Finding::of_row(line, message))
    }
}

/// Returns `column` itself: a CSV header has the column names of the layout.
fn column_name(_: &Layout, _: bool, column: &str) -> String {
    column.to_owned()
}

/// Adds errors in single rows to `findings`, and fails with errors that affect the whole file. Rows
/// of an entry are not joined: only the import knows whether rows belong together.
pub(crate) fn read(
    bytes: &[u8],
    layout: &'static Layout,
    most_rows: usize,
    findings: &mut Findings,
) -> Result<Vec<Record>, Findings> {
    let bytes = &*encoding::utf8(bytes)?;
    let (start, separator) = first_row_and_separator(bytes, layout, MOST_COLUMNS);
    let mut rows = Rows::new(bytes, start, separator);
    let table = bytes.get(start..).unwrap_or_default();
    // The `csv` crate repairs wrong quotes silently, and may join rows by that.
    let malformed = quotes::check(table, separator, rows.lines.of(start), MOST_COLUMNS);
    if !malformed.is_empty() {
        return Err(malformed);
    }
    let mut filled = rows.by_ref().filter(|(_, record)| !is_blank(record));
    let header = match filled.next() {
        Some((line, Ok(record))) => Header::read(&record, line, layout)?,
        Some((line, Err(error))) => return Err(unreadable(line, &error).into()),
        None => {
            return Err(Finding::of_row(1, "the file is empty").into());
        }
    };
    let mut entries = Vec::new();
    for (line, record) in filled {
        if entries.len() == most_rows {
            return Err(too_many_rows(line, most_rows).into());
        }
        match record {
            Ok(record) => entries.extend(self::record(&record, line, &header, layout, findings)),
            Err(error) => findings.add(unreadable(line, &error)),
        }
    }
    doubt_cut_numbers(&mut entries);
    Ok(entries)
}

/// Spreadsheets write rows without any content.
fn is_blank(record: &csv::Result<csv::StringRecord>) -> bool {
    let cells = record.as_ref();
    cells.is_ok_and(|record| record.iter().all(|cell| cell.trim().is_empty()))
}

/// Iterator over the rows of a CSV file, each with the number of its first line.
struct Rows<'b> {
    bytes: &'b [u8],
    /// Offset of the first row in `bytes`.
    start: usize,
    lines: Lines<'b>,
    records: csv::StringRecordsIntoIter<&'b [u8]>,
}

impl<'b> Rows<'b> {
    fn new(bytes: &'b [u8], start: usize, separator: u8) -> Self {
        // Rows of other lengths are accepted here; `record` reports them with a remedy.
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(bytes.get(start..).unwrap_or_default());
        Self {
            bytes,
            start,
            lines: Lines::new(bytes),
            records: reader.into_records(),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = (u64, csv::Result<csv::StringRecord>);

    fn next(&mut self) -> Option<Self::Item> {
        let read = usize::try_from(self.records.reader().position().byte()).unwrap_or(usize::MAX);
        let from = self.start.saturating_add(read);
        let record = self.records.next()?;
        // The `csv` reader skips the LF of a CR LF, and blank lines, only when it reads the next
        // row.
        let rest = self.bytes.get(from..).unwrap_or_default();
        let begin = from.saturating_add(leading_line_ends(rest));
        Some((self.lines.of(begin), record))
    }
}

/// Returns `None`, with a finding, for a row with a value that belongs to no column.
fn record(
    record: &csv::StringRecord,
    line: u64,
    header: &Header,
    layout: &'static Layout,
    findings: &mut Findings,
) -> Option<Record> {
    if let Some(misplaced) = header.misplaced(record, line) {
        findings.add(misplaced);
        return None;
    }
    let cells = header.cells(record, layout.columns(false), line);
    let row = Row::new(line, layout, false, column_name, cells);
    let of_part = header.cells(record, layout.columns(true), line);
    let part = of_part
        .iter()
        .any(|cell| cell.value != Value::Absent)
        .then(|| Row::new(line, layout, true, column_name, of_part));
    Some(Record {
        row,
        nested: part.into_iter().collect(),
    })
}

fn leading_line_ends(bytes: &[u8]) -> usize {
    let is_other = |byte: &u8| !matches!(byte, b'\r' | b'\n');
    bytes.iter().position(is_other).unwrap_or(bytes.len())
}

fn unreadable(line: u64, error: &csv::Error) -> Finding {
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => {
            format!("cell {} is not UTF-8; {SAVE_AS_UTF8}", err.field() + 1)
        }
        _ => error.to_string(),
    };
    Finding::of_row(line, message)
}

/// Marks the cells that a spreadsheet would convert, so that the file can be imported again.
pub(crate) fn write(sheet: &Sheet) -> io::Result<Vec<u8>> {
    let columns = sheet.flat_columns();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.clone().map(|column| column.name))?;
    for record in records(sheet) {
        let cells = columns
            .clone()
            .zip(&record)
            .map(|(column, cell)| marked(cell, column).into_owned());
        writer.write_record(cells)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

pub(crate) fn lines(sheet: &Sheet) -> io::Result<Vec<String>> {
    records(sheet).map(line).collect()
}

fn line(record: Vec<String>) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(record)?;
    let bytes = writer
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches('\n').to_owned())
}

fn records(sheet: &Sheet) -> impl Iterator<Item = Vec<String>> {
    let separator = sheet.content.layout().pair_separator;
    let width = sheet.flat_columns().count();
    let rows = sheet.rows.iter();
    rows.flat_map(move |row| flat(row, width, separator))
}

/// Returns one row for each part, or a single row if the entry has no parts.
fn flat(row: &SheetRow, width: usize, pair_separator: char) -> Vec<Vec<String>> {
    let texts = |cells: &[Value]| -> Vec<String> {
        let texts = cells.iter().map(|value| cell(value, pair_separator));
        texts.collect()
    };
    let record = |part: &[Value]| {
        let mut record = texts(&row.cells);
        record.extend(texts(part));
        record.resize(width, String::new());
        record
    };
    if row.nested.is_empty() {
        return vec![record(&[])];
    }
    row.nested.iter().map(|part| record(part)).collect()
}

fn cell(value: &Value, pair_separator: char) -> String {
    let separator = LIST_SEPARATOR.to_string();
    match value {
        Value::Absent | Value::Wrong(_) => String::new(),
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::List(list) => list.join(&separator),
        Value::Pairs(pairs) => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(key, value)| format!("{key}{pair_separator}{value}"))
                .collect();
            pairs.join(&separator)
        }
    }
}
