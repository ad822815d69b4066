//! Rows of an import or export with uninterpreted cells.

use std::collections::BTreeSet;

use super::finding::Findings;
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
    /// Rows in file order, with the cells of the file's columns.
    pub records: Vec<Record>,
    /// Errors of parsing, such as surplus cells. If the file is malformed, `records` is empty.
    pub findings: Findings,
}

impl From<Findings> for FileRows {
    fn from(findings: Findings) -> Self {
        Self {
            records: Vec::new(),
            findings,
        }
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
