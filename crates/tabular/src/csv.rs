//! CSV files: a header, then a row for each entry, or for each part of an entry.

use std::collections::HashMap;
use std::io;

use pressline_backoffice::import::catalog::{
    Cell, Finding, Findings, LIST_SEPARATOR, Layout, Record, Row, Sheet, SheetRow, Value,
};
use pressline_kit::nearest::{nearest, suggestion};
use pressline_kit::text::excerpt;

use super::lines::{Lines, too_many_rows};
use super::quotes;
use super::table::unmarked;

/// UTF-8 byte order mark. Excel writes it at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bounds the time for a header: each unknown column name is compared with all known names.
const MOST_COLUMNS: usize = 1_000;

/// Bytes of the header line to examine for the separator. The rest of the line is ignored.
const HEADER: usize = 64 * 1024;

struct Header {
    positions: HashMap<&'static str, usize>,
    width: usize,
    is_marked: bool,
}

impl Header {
    fn read(record: &csv::StringRecord, line: u64, layout: &Layout) -> Result<Self, Findings> {
        let mut positions = HashMap::new();
        let mut findings = Findings::default();
        let mut problem = |column: &str, mut message: String| {
            // Only the first message lists the columns.
            if findings.is_empty() {
                let columns: Vec<&str> = layout.flat_columns().collect();
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
            let known = layout
                .flat_columns()
                .find(|column| column.eq_ignore_ascii_case(given));
            let Some(column) = known else {
                let mut ignored = layout.ignored.iter();
                if ignored.any(|column| column.eq_ignore_ascii_case(given)) {
                    continue;
                }
                let near = nearest(given, layout.flat_columns(), 1);
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
                is_marked: layout.is_marked,
            })
        } else {
            Err(findings)
        }
    }

    fn cells(&self, record: &csv::StringRecord, columns: &[&'static str], line: u64) -> Vec<Cell> {
        let cell = |column: &&'static str| {
            let position = self.positions.get(column);
            let text = position.and_then(|position| record.get(*position));
            let text = text.filter(|text| !text.trim().is_empty());
            let text = text.map(|text| if self.is_marked { unmarked(text) } else { text });
            Cell {
                value: text.map_or(Value::Absent, |text| Value::Text(text.to_owned())),
                line,
            }
        };
        columns.iter().map(cell).collect()
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
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let separator = separator(bytes, layout);
    // The `csv` crate repairs wrong quotes silently, and may join rows by that.
    let malformed = quotes::check(bytes, separator, MOST_COLUMNS);
    if !malformed.is_empty() {
        return Err(malformed);
    }
    let mut rows = Rows::new(bytes, separator);
    let header = match rows.next() {
        Some((line, Ok(record))) => Header::read(&record, line, layout)?,
        Some((line, Err(error))) => return Err(unreadable(line, &error).into()),
        None => {
            return Err(Finding::of_row(1, "the file is empty").into());
        }
    };
    let mut entries = Vec::new();
    for (line, record) in rows {
        if entries.len() == most_rows {
            return Err(too_many_rows(line, most_rows).into());
        }
        match record {
            Ok(record) => entries.extend(self::record(&record, line, &header, layout, findings)),
            Err(error) => findings.add(unreadable(line, &error)),
        }
    }
    Ok(entries)
}

/// Iterator over the rows of a CSV file, each with the number of its first line.
struct Rows<'b> {
    bytes: &'b [u8],
    lines: Lines<'b>,
    records: csv::StringRecordsIntoIter<&'b [u8]>,
}

impl<'b> Rows<'b> {
    fn new(bytes: &'b [u8], separator: u8) -> Self {
        // Rows of other lengths are accepted here; `record` reports them with a remedy.
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(bytes);
        Self {
            bytes,
            lines: Lines::new(bytes),
            records: reader.into_records(),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = (u64, csv::Result<csv::StringRecord>);

    fn next(&mut self) -> Option<Self::Item> {
        let from = usize::try_from(self.records.reader().position().byte()).unwrap_or(usize::MAX);
        let record = self.records.next()?;
        // The `csv` reader skips the LF of a CR LF, and blank lines, only when it reads the next
        // row.
        let rest = self.bytes.get(from..).unwrap_or_default();
        let begin = from.saturating_add(leading_line_ends(rest));
        Some((self.lines.of(begin), record))
    }
}

/// Returns `None` for a blank row and, with a finding, for a row with more cells than the header.
fn record(
    record: &csv::StringRecord,
    line: u64,
    header: &Header,
    layout: &'static Layout,
    findings: &mut Findings,
) -> Option<Record> {
    // Spreadsheets append empty rows.
    if record.iter().all(|cell| cell.trim().is_empty()) {
        return None;
    }
    if record.len() > header.width {
        let message = format!(
            "{} cells, and the header has {}; put a text with separators in quotes",
            record.len(),
            header.width
        );
        findings.add(Finding::of_row(line, message));
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

/// Returns the separator that gives the most column names of `layout`; in a tie, the most cells.
/// Excel writes commas, semicolons or tabs, depending on the regional settings and the file type.
fn separator(bytes: &[u8], layout: &Layout) -> u8 {
    let rest = bytes.get(leading_line_ends(bytes)..).unwrap_or_default();
    let is_line_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let end = rest.iter().position(is_line_end).unwrap_or(rest.len());
    let header = String::from_utf8_lossy(rest.get(..end.min(HEADER)).unwrap_or_default());
    let is_known = |cell: &&str| {
        let mut columns = layout.flat_columns().chain(layout.ignored.iter().copied());
        columns.any(|column| column.eq_ignore_ascii_case(cell))
    };
    let columns = |separator: &u8| {
        let cells = header.split(char::from(*separator)).take(MOST_COLUMNS);
        let cells = cells.map(|cell| cell.trim_matches([' ', '"']));
        (cells.clone().filter(is_known).count(), cells.count())
    };
    // Commas win a tie: `max_by_key` returns the last maximum.
    let best = [b'\t', b';', b','].into_iter().max_by_key(columns);
    best.unwrap_or(b',')
}

fn unreadable(line: u64, error: &csv::Error) -> Finding {
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    Finding::of_row(line, message)
}

pub(crate) fn write(sheet: &Sheet) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(sheet.content.layout().flat_columns())?;
    for record in records(sheet) {
        writer.write_record(record)?;
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
    let layout = sheet.content.layout();
    sheet.rows.iter().flat_map(move |row| flat(row, layout))
}

/// Returns one row for each part, or a single row if the entry has no parts.
fn flat(row: &SheetRow, layout: &Layout) -> Vec<Vec<String>> {
    let texts = |cells: &[Value]| -> Vec<String> {
        cells
            .iter()
            .map(|value| cell(value, layout.pair_separator))
            .collect()
    };
    let width = layout.flat_columns().count();
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
