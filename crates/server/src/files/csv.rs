//! Files in CSV: a header, then one row for each entry, or for each thing that an entry has several
//! of.

use std::collections::HashMap;

use pressline_kit::nearest::nearest;

use super::lines::Lines;
use super::row::{Cell, Row, SEPARATOR};
use super::table::{Entry, Sheet, Value, too_many_rows};
use super::{Format, Problem, Problems, Shape, did_you_mean, quotes};

/// Stands at the beginning of files that Excel writes.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where each column stands in the file.
struct Header {
    places: HashMap<&'static str, usize>,
    width: usize,
}

impl Header {
    fn read(record: &csv::StringRecord, line: u64, shape: &Shape) -> Result<Self, Problems> {
        let mut places = HashMap::new();
        let mut problems = Problems::default();
        let mut problem = |column: &str, message: String| {
            problems.add(Problem {
                line,
                column: column.to_owned(),
                message,
            });
        };
        let known: Vec<&'static str> = names(shape).collect();
        for (place, given) in record.iter().enumerate() {
            let given = given.trim();
            match known
                .iter()
                .find(|column| column.eq_ignore_ascii_case(given))
            {
                Some(column) if places.insert(*column, place).is_some() => {
                    problem(column, "stands twice".into());
                }
                Some(_) => {}
                None => {
                    let near = nearest(given, known.iter().copied(), 1);
                    problem(given, format!("no such column{}", did_you_mean(&near)));
                }
            }
        }
        for column in shape
            .required
            .iter()
            .filter(|column| !places.contains_key(*column))
        {
            problem(column, "the header lacks this column".into());
        }
        if problems.is_empty() {
            Ok(Self {
                places,
                width: record.len(),
            })
        } else {
            Err(problems)
        }
    }

    fn cells(&self, record: &csv::StringRecord, columns: super::Columns, line: u64) -> Vec<Cell> {
        let cell = |(column, _): &(&'static str, &'static str)| {
            let text = self.places.get(column).and_then(|place| record.get(*place));
            let text = text.filter(|text| !text.trim().is_empty());
            Cell {
                value: text.map_or(Value::Absent, |text| Value::Text(text.to_owned())),
                line,
            }
        };
        columns.iter().map(cell).collect()
    }
}

fn names(shape: &Shape) -> impl Iterator<Item = &'static str> {
    let nested = shape
        .nested
        .as_ref()
        .map(|nested| nested.columns)
        .unwrap_or_default();
    shape.columns.iter().chain(nested).map(|(csv, _)| *csv)
}

/// The rows of a file. Rows of one entry are not joined here: that needs to know what the columns
/// mean.
pub(super) fn read(
    bytes: &[u8],
    shape: &'static Shape,
    most_rows: usize,
    problems: &mut Problems,
) -> Result<Vec<Entry>, Problems> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    check_separator(bytes, shape)?;
    let misquoted = quotes::check(bytes);
    if !misquoted.is_empty() {
        return Err(misquoted);
    }
    let mut rows = Rows::new(bytes);
    let header = match rows.next() {
        Some((line, Ok(record))) => Header::read(&record, line, shape)?,
        Some((line, Err(error))) => return Err(unreadable(line, &error).into()),
        None => {
            let message = "the file is empty".to_owned();
            return Err(Problem {
                line: 1,
                column: String::new(),
                message,
            }
            .into());
        }
    };
    let mut entries = Vec::new();
    for (line, record) in rows {
        if entries.len() == most_rows {
            return Err(too_many_rows(line, most_rows).into());
        }
        match record {
            Ok(record) => entries.extend(entry(&record, line, &header, shape, problems)),
            Err(error) => problems.add(unreadable(line, &error)),
        }
    }
    Ok(entries)
}

/// The records of a file, each with the line in which it begins.
struct Rows<'b> {
    bytes: &'b [u8],
    lines: Lines,
    records: csv::StringRecordsIntoIter<&'b [u8]>,
}

impl<'b> Rows<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
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
        // The reader is still before the LF of a CR LF, and before blank lines, which it skips.
        let rest = self.bytes.get(from..).unwrap_or_default();
        let blank = rest
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        Some((self.lines.of(from.saturating_add(blank)), record))
    }
}

/// The entry of a row; nothing for a row without content, and for one that is too long.
fn entry(
    record: &csv::StringRecord,
    line: u64,
    header: &Header,
    shape: &'static Shape,
    problems: &mut Problems,
) -> Option<Entry> {
    if record.iter().all(|cell| cell.trim().is_empty()) {
        return None;
    }
    if record
        .iter()
        .skip(header.width)
        .any(|cell| !cell.trim().is_empty())
    {
        let message = format!(
            "{} cells, and the header has {}; put a text with commas in quotes",
            record.len(),
            header.width
        );
        problems.add(Problem {
            line,
            column: String::new(),
            message,
        });
        return None;
    }
    let row = Row::new(
        line,
        Format::Csv,
        shape,
        false,
        header.cells(record, shape.columns, line),
    );
    let nested = shape
        .nested
        .as_ref()
        .map(|nested| header.cells(record, nested.columns, line));
    let nested = nested.filter(|cells| cells.iter().any(|cell| cell.value != Value::Absent));
    let nested = nested.map(|cells| Row::new(line, Format::Csv, shape, true, cells));
    Some(Entry {
        row,
        nested: nested.into_iter().collect(),
    })
}

/// Refuses a file whose header is clearly separated by something else than commas.
fn check_separator(bytes: &[u8], shape: &Shape) -> Result<(), Problem> {
    let blank = bytes
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    let rest = bytes.get(blank..).unwrap_or_default();
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'\r' | b'\n'))
        .unwrap_or(rest.len());
    let header = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
    let known = |separator: char| {
        let cells = header
            .split(separator)
            .map(|cell| cell.trim_matches([' ', '"']));
        cells
            .filter(|cell| names(shape).any(|column| column.eq_ignore_ascii_case(cell)))
            .count()
    };
    for (separator, what) in [(';', "semicolons"), ('\t', "tabs")] {
        // One known name alone could be a cell of its own.
        if known(separator) > known(',').max(1) {
            let message = format!(
                "the columns seem to be separated by {what}, as Excel does in many countries, but must be separated by \
                 commas: save the file with another field separator, or import JSON"
            );
            let line = Lines::new(bytes).of(blank);
            return Err(Problem {
                line,
                column: String::new(),
                message,
            });
        }
    }
    Ok(())
}

fn unreadable(line: u64, error: &csv::Error) -> Problem {
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    Problem {
        line,
        column: String::new(),
        message,
    }
}

/// The text of a file.
pub(super) fn write(sheet: &Sheet) -> Result<Vec<u8>, std::io::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names(sheet.shape))?;
    for record in records(sheet) {
        writer.write_record(record)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The rows alone, each as a file has it, without the line break.
pub(super) fn rows(sheet: &Sheet) -> Result<Vec<String>, std::io::Error> {
    let row = |record| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record::<Vec<String>, _>(record)?;
        let bytes = writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes)
            .trim_end_matches('\n')
            .to_owned())
    };
    records(sheet).map(row).collect()
}

fn records(sheet: &Sheet) -> impl Iterator<Item = Vec<String>> {
    let width = names(sheet.shape).count();
    let texts = |cells: &[Value]| {
        cells
            .iter()
            .map(|value| cell(value, sheet.shape.pairs_by))
            .collect()
    };
    sheet.rows.iter().flat_map(move |(row, nested)| {
        let own: Vec<String> = texts(row);
        let nested: Vec<Vec<String>> = if nested.is_empty() {
            vec![Vec::new()]
        } else {
            nested.iter().map(|row| texts(row)).collect()
        };
        nested.into_iter().map(move |inner| {
            let mut record = own.clone();
            record.extend(inner);
            record.resize(width, String::new());
            record
        })
    })
}

fn cell(value: &Value, pairs_by: char) -> String {
    let separator = SEPARATOR.to_string();
    match value {
        Value::Absent | Value::Wrong(_) => String::new(),
        Value::Text(text) | Value::Number(text) => text.clone(),
        Value::List(list) => list.join(&separator),
        Value::Pairs(pairs) => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(key, value)| format!("{key}{pairs_by}{value}"))
                .collect();
            pairs.join(&separator)
        }
    }
}
