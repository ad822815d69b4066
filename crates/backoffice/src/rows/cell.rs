//! Cells of an import, and doubts about cells that a spreadsheet has probably changed.

use super::column::{CellContent, Column};
use super::layout::Value;
use super::spreadsheet::{Damage, damage};

/// Cell of an import, with its line in the source.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Content of the cell.
    pub value: Value,
    /// Line number in the source, counted from 1.
    pub line: u64,
    /// Whether the source keeps texts as they are: JSON does, and a table with a mark such as a
    /// leading apostrophe. Other cells of a table may have been changed by a spreadsheet.
    pub is_exact: bool,
}

impl Cell {
    /// Returns the text of a cell of identifiers that a spreadsheet may have changed, and the
    /// grouping of the column.
    pub(super) fn inexact_identifier(&self, column: &Column) -> Option<(&str, &'static [char])> {
        match (&self.value, column.content) {
            (Value::Text(text), CellContent::Identifier { grouping }) if !self.is_exact => {
                Some((text.trim(), grouping))
            }
            _ => None,
        }
    }
}

/// Columns of a row in which a spreadsheet has probably changed the cell.
#[derive(Debug)]
pub(super) struct Doubts(Vec<(&'static str, Damage)>);

impl Doubts {
    pub(super) fn new(columns: &'static [Column], cells: &[Cell]) -> Self {
        let doubts = columns.iter().zip(cells).filter_map(|(column, cell)| {
            let (text, grouping) = cell.inexact_identifier(column)?;
            Some((column.name, damage(text, grouping)?))
        });
        Self(doubts.collect())
    }

    pub(super) fn add(&mut self, column: &'static str, damage: Damage) {
        if !self.has(column) {
            self.0.push((column, damage));
        }
    }

    pub(super) fn remove(&mut self, column: &str) {
        self.0.retain(|(doubted, _)| *doubted != column);
    }

    pub(super) fn has(&self, column: &str) -> bool {
        self.0.iter().any(|(doubted, _)| *doubted == column)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, Damage)> {
        self.0.iter().copied()
    }
}
