//! A file as a table: what was read before anybody knows what it means, and what is about to be written.

use std::path::Path;

use super::row::Row;
use super::{FileError, Format, Problem, Shape, csv, json};

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Absent,
    Text(String),
    /// As it was written.
    Number(String),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
    /// Something that no column takes, by what it is.
    Wrong(&'static str),
}

impl Value {
    /// A text, absent where it is empty.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::Absent } else { Self::Text(text) }
    }

    /// A number, absent where it is 0.
    pub(super) fn number(number: u32) -> Self {
        if number == 0 { Self::Absent } else { Self::Number(number.to_string()) }
    }

    /// A list of texts, absent where it is empty.
    pub(super) fn list(list: &[String]) -> Self {
        if list.is_empty() { Self::Absent } else { Self::List(list.to_vec()) }
    }

    /// A list of pairs, absent where it is empty.
    pub(super) fn pairs(pairs: Vec<(String, String)>) -> Self {
        if pairs.is_empty() { Self::Absent } else { Self::Pairs(pairs) }
    }
}

/// A row, and the rows that belong to it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) row: Row,
    pub(super) nested: Vec<Row>,
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Table {
    path: String,
    pub(super) format: Format,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Table {
    /// Reads a file; its format follows from its name.
    pub(crate) fn load(path: &Path, shape: &'static Shape) -> Result<Self, FileError> {
        let format = Format::of(path)?;
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Self::parse(&name, &bytes, format, shape),
            Err(source) => Err(FileError::Read { path: name, source }),
        }
    }

    /// Reads a text. What is wrong with its form alone ends it at once; what is wrong with rows comes up later with
    /// everything else.
    pub(crate) fn parse(
        path: &str,
        bytes: &[u8],
        format: Format,
        shape: &'static Shape,
    ) -> Result<Self, FileError> {
        let mut problems = Vec::new();
        let read = match format {
            Format::Csv => csv::read(bytes, shape, &mut problems),
            Format::Json => json::read(bytes, shape, &mut problems),
        };
        match read {
            Ok(entries) => Ok(Self { path: path.to_owned(), format, entries, problems }),
            Err(problems) => Err(FileError::Bad { path: path.to_owned(), problems }),
        }
    }

    /// The texts of a column, each once, by the alphabet.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        let texts = self.entries.iter().flat_map(|entry| entry.row.texts(column));
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    /// Takes the entries out.
    pub(super) fn take(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }

    /// Notes what was found wrong with a row.
    pub(super) fn note(&mut self, row: Row) {
        self.problems.extend(row.into_problems());
    }

    /// What was read, unless something was wrong.
    pub(super) fn done<T>(mut self, read: T) -> Result<T, FileError> {
        if self.problems.is_empty() {
            return Ok(read);
        }
        self.problems.sort_by_key(|problem| problem.line);
        Err(FileError::Bad { path: self.path, problems: self.problems })
    }
}

/// What is to be written: each row with those that belong to it.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(super) shape: &'static Shape,
    pub(super) rows: Vec<(Vec<Value>, Vec<Vec<Value>>)>,
}

impl Sheet {
    /// The text of the file.
    pub(crate) fn text(&self, format: Format) -> Result<Vec<u8>, std::io::Error> {
        match format {
            Format::Csv => csv::write(self),
            Format::Json => json::write(self),
        }
    }

    /// The rows as CSV has them, without the header.
    pub(crate) fn lines(&self) -> Result<Vec<String>, std::io::Error> {
        csv::rows(self)
    }

    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Writes the file; its format follows from its name.
    pub(crate) fn save(&self, path: &Path) -> Result<(), FileError> {
        let format = Format::of(path)?;
        let written = self.text(format).and_then(|text| std::fs::write(path, text));
        written.map_err(|source| FileError::Write { path: path.display().to_string(), source })
    }
}
