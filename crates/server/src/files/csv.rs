//! Files in CSV: a header, then one row for each entry, or for each thing that an entry has several of.

use std::collections::HashMap;

use pressline_domain::nearest::nearest;

use super::row::{Cell, Row, SEPARATOR};
use super::table::{Entry, Sheet, Value};
use super::{Format, Problem, Shape, did_you_mean};

/// Where each column stands in the file.
struct Header {
    places: HashMap<&'static str, usize>,
    width: usize,
}

impl Header {
    fn read(record: &csv::StringRecord, shape: &Shape) -> Result<Self, Vec<Problem>> {
        let mut places = HashMap::new();
        let mut problems = Vec::new();
        let mut problem = |column: &str, message: String| {
            problems.push(Problem { line: 1, column: column.to_owned(), message });
        };
        let known: Vec<&'static str> = names(shape).collect();
        for (place, given) in record.iter().enumerate() {
            let given = given.trim_start_matches('\u{feff}').trim();
            match known.iter().find(|column| column.eq_ignore_ascii_case(given)) {
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
        for column in shape.required.iter().filter(|column| !places.contains_key(*column)) {
            problem(column, "the header lacks this column".into());
        }
        if problems.is_empty() { Ok(Self { places, width: record.len() }) } else { Err(problems) }
    }

    fn cells(&self, record: &csv::StringRecord, columns: super::Columns, line: u64) -> Vec<Cell> {
        let cell = |(column, _): &(&'static str, &'static str)| {
            let text = self.places.get(column).and_then(|place| record.get(*place));
            let text = text.filter(|text| !text.trim().is_empty());
            Cell { value: text.map_or(Value::Absent, |text| Value::Text(text.to_owned())), line }
        };
        columns.iter().map(cell).collect()
    }
}

fn names(shape: &Shape) -> impl Iterator<Item = &'static str> {
    let nested = shape.nested.as_ref().map(|nested| nested.columns).unwrap_or_default();
    shape.columns.iter().chain(nested).map(|(csv, _)| *csv)
}

/// The rows of a file. Rows of one entry stay apart: only who knows the columns can tell that they belong together.
pub(super) fn read(
    bytes: &[u8],
    shape: &'static Shape,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Entry>, Vec<Problem>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut records = reader.records();
    let header = match records.next() {
        Some(Ok(record)) => Header::read(&record, shape)?,
        Some(Err(error)) => return Err(vec![unreadable(&error)]),
        None => {
            let message = "the file is empty".to_owned();
            return Err(vec![Problem { line: 1, column: String::new(), message }]);
        }
    };
    let mut entries = Vec::new();
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                problems.push(unreadable(&error));
                continue;
            }
        };
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().skip(header.width).any(|cell| !cell.trim().is_empty()) {
            let message = format!(
                "{} cells, and the header has {}; a text with commas stands in quotes",
                record.len(),
                header.width
            );
            problems.push(Problem { line, column: String::new(), message });
            continue;
        }
        let row = Row::new(line, Format::Csv, shape, false, header.cells(&record, shape.columns, line));
        let nested = shape.nested.as_ref().map(|nested| header.cells(&record, nested.columns, line));
        let nested = nested.filter(|cells| cells.iter().any(|cell| cell.value != Value::Absent));
        let nested = nested.map(|cells| Row::new(line, Format::Csv, shape, true, cells));
        entries.push(Entry { row, nested: nested.into_iter().collect() });
    }
    Ok(entries)
}

fn unreadable(error: &csv::Error) -> Problem {
    let line = error.position().map_or(1, csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    Problem { line, column: String::new(), message }
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
        let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
    };
    records(sheet).map(row).collect()
}

fn records(sheet: &Sheet) -> impl Iterator<Item = Vec<String>> {
    let width = names(sheet.shape).count();
    let texts = |cells: &[Value]| cells.iter().map(|value| cell(value, sheet.shape.pairs_by)).collect();
    sheet.rows.iter().flat_map(move |(row, nested)| {
        let own: Vec<String> = texts(row);
        let nested: Vec<Vec<String>> =
            if nested.is_empty() { vec![Vec::new()] } else { nested.iter().map(|row| texts(row)).collect() };
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
            let pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{key}{pairs_by}{value}")).collect();
            pairs.join(&separator)
        }
    }
}
