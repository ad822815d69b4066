//! Rows of an import or export with uninterpreted cells.

use std::collections::{BTreeSet, HashSet};

use super::column::Column;
use super::finding::{Finding, Findings};
use super::layout::{Content, Value};
use super::row::Row;

/// Entry of an import, such as a variant, with its parts, such as print areas.
#[derive(Debug)]
pub struct Record {
    /// Cells of the entry.
    pub row: Row,
    /// Cells of each part of the entry.
    pub nested: Vec<Row>,
}

/// Rows of a catalog import.
#[derive(Debug)]
pub struct Rows {
    /// Kind of data in the rows, such as [`Content::Prices`].
    pub content: Content,
    /// Whether several rows can form one entry: `true` for a table, `false` for objects of a list.
    pub flat: bool,
    /// Rows, in the order of the source.
    pub records: Vec<Record>,
    /// Errors found when the rows were parsed. An invalid row may be missing in `records`.
    pub findings: Findings,
}

/// Parsed rows of an order or shipment file.
#[derive(Debug, Default)]
pub struct FileRows {
    records: Vec<Record>,
    /// Errors of parsing, such as surplus cells.
    pub findings: Findings,
}

impl FileRows {
    /// Creates the rows of a file from `records`, in file order, and the errors of parsing. If the
    /// file is malformed, `records` is empty.
    pub fn new(records: Vec<Record>, findings: Findings) -> Self {
        Self { records, findings }
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.records.iter().map(|record| &record.row)
    }

    /// Returns the texts in `column` that a spreadsheet has probably changed, sorted.
    pub(crate) fn doubted(&self, column: &str) -> BTreeSet<String> {
        doubted(&self.records, column)
    }

    /// Accepts the texts `known` in `column`, although they look changed by a spreadsheet.
    pub(crate) fn confirm(&mut self, column: &str, known: &HashSet<String>) {
        for record in &mut self.records {
            confirm(&mut record.row, column, |text| known.contains(text));
        }
    }

    /// Accepts the cell in `column` of each row for which `is_unread` returns `true`.
    pub(crate) fn skip(&mut self, column: &str, is_unread: impl Fn(&Row) -> bool) {
        for record in &mut self.records {
            if is_unread(&record.row) {
                record.row.confirm(column);
            }
        }
    }

    /// Passes each row to `read`, with findings about the cells that a spreadsheet has changed: the
    /// row must not be used if there are any.
    pub(crate) fn each(self, mut read: impl FnMut(&Row, Vec<Finding>)) {
        // Dropping each row after reading it limits the memory of a large file.
        for record in self.records {
            let damages = record.row.damages();
            read(&record.row, damages);
        }
    }
}

fn doubted(records: &[Record], column: &str) -> BTreeSet<String> {
    let texts = records
        .iter()
        .filter_map(|record| record.row.doubted_text(column));
    texts.map(str::to_owned).collect()
}

fn confirm(row: &mut Row, column: &str, is_known: impl Fn(&str) -> bool) {
    if row.doubted_text(column).is_some_and(is_known) {
        row.confirm(column);
    }
}

impl Rows {
    /// Returns the distinct strings in `column`, sorted. Each entry of a list is a separate string.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        let texts = self
            .records
            .iter()
            .flat_map(|record| record.row.texts(column));
        texts.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Returns the texts in `column` that a spreadsheet has probably changed, sorted.
    pub(crate) fn doubted(&self, column: &str) -> BTreeSet<String> {
        doubted(&self.records, column)
    }

    /// Accepts the texts in `column` that `is_known`, although they look changed by a spreadsheet.
    pub(crate) fn confirm(&mut self, column: &str, is_known: impl Fn(&str) -> bool) {
        for record in &mut self.records {
            confirm(&mut record.row, column, &is_known);
        }
    }

    pub(crate) fn each(self, mut read: impl FnMut(&mut Record)) -> Result<(), Findings> {
        let mut findings = self.findings;
        for mut record in self.records {
            read(&mut record);
            findings.extend(record.row.into_findings());
            findings.extend(record.nested.into_iter().flat_map(Row::into_findings));
        }
        if findings.is_empty() {
            Ok(())
        } else {
            Err(findings)
        }
    }
}

/// Catalog data as rows, for an export or for a list of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Kind of data in the rows, such as [`Content::Prices`].
    pub content: Content,
    /// Rows, in the order in which they are exported.
    pub rows: Vec<SheetRow>,
}

impl Sheet {
    /// Returns the columns of the sheet as a table. Leaves out the optional columns of its layout if
    /// no row has a value in any of them.
    pub fn flat_columns(&self) -> impl Iterator<Item = &'static Column> + Clone + use<> {
        let layout = self.content.layout();
        let uses_optional = self.rows.iter().any(|row| {
            has_optional(&row.cells, layout.columns(false))
                || row
                    .nested
                    .iter()
                    .any(|part| has_optional(part, layout.columns(true)))
        });
        let columns = layout.flat_columns();
        columns.filter(move |column| uses_optional || !column.is_optional)
    }
}

fn has_optional(cells: &[Value], columns: &[Column]) -> bool {
    let mut cells = cells.iter().zip(columns);
    cells.any(|(value, column)| column.is_optional && *value != Value::Absent)
}

/// Row of an export: an entry with its parts. Cells are in the order of the columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SheetRow {
    /// Cells of the entry.
    pub cells: Vec<Value>,
    /// Cells of each part of the entry.
    pub nested: Vec<Vec<Value>>,
}

impl From<Vec<Value>> for SheetRow {
    fn from(cells: Vec<Value>) -> Self {
        Self {
            cells,
            nested: Vec::new(),
        }
    }
}
