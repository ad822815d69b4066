//! Rows as they are imported and exported, before their cells are interpreted.

use std::collections::BTreeSet;

use super::finding::Findings;
use super::layout::Content;
use super::row::Row;
use super::value::Value;

/// A row, and the rows of its parts.
#[derive(Debug)]
pub struct Record {
    /// The entry's own columns.
    pub row: Row,
    /// The columns of its parts.
    pub nested: Vec<Row>,
}

/// The rows of an import.
#[derive(Debug)]
pub struct Rows {
    /// What the rows contain.
    pub content: Content,
    /// Whether several rows can describe one entry: rows of a table can, objects of a list cannot.
    pub flat: bool,
    /// The rows, in the order of the source.
    pub records: Vec<Record>,
    /// What was wrong with rows that could not be read as rows, and are left out.
    pub findings: Findings,
}

impl Rows {
    /// Returns the texts of a column, each once, sorted.
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

/// The rows of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What the rows contain.
    pub content: Content,
    /// The rows, in order.
    pub rows: Vec<SheetRow>,
}

/// A row of an export: its cells in the order of the columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SheetRow {
    /// The entry's own cells.
    pub cells: Vec<Value>,
    /// The cells of its parts.
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
