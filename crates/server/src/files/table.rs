//! A file as a table: what was read before anybody knows what it means, and what is about to be
//! written.

use super::row::Row;
use super::{FileError, Format, Location, MAX_ROWS, Problem, Problems, Shape, csv, json};

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
        if text.is_empty() {
            Self::Absent
        } else {
            Self::Text(text)
        }
    }

    /// A number, absent where it is 0.
    pub(super) fn number(number: u32) -> Self {
        if number == 0 {
            Self::Absent
        } else {
            Self::Number(number.to_string())
        }
    }

    /// A list of texts, absent where it is empty.
    pub(super) fn list(list: &[String]) -> Self {
        if list.is_empty() {
            Self::Absent
        } else {
            Self::List(list.to_vec())
        }
    }

    /// A list of pairs, absent where it is empty.
    pub(super) fn pairs(pairs: Vec<(String, String)>) -> Self {
        if pairs.is_empty() {
            Self::Absent
        } else {
            Self::Pairs(pairs)
        }
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
    problems: Problems,
}

impl Table {
    /// Reads a file.
    pub(crate) fn load(from: &Location, shape: &'static Shape) -> Result<Self, FileError> {
        Self::parse(from.name(), &from.read()?, from.format, shape)
    }

    /// Reads a text. What is wrong with its form alone ends it at once; what is wrong with rows
    /// comes up later with everything else.
    pub(crate) fn parse(
        path: &str,
        bytes: &[u8],
        format: Format,
        shape: &'static Shape,
    ) -> Result<Self, FileError> {
        let mut problems = Problems::default();
        let read = match format {
            Format::Csv => csv::read(bytes, shape, MAX_ROWS, &mut problems),
            Format::Json => json::read(bytes, shape, MAX_ROWS, &mut problems),
        };
        match read {
            Ok(entries) => Ok(Self {
                path: path.to_owned(),
                format,
                entries,
                problems,
            }),
            Err(problems) => Err(FileError::Bad {
                path: path.to_owned(),
                problems,
            }),
        }
    }

    /// The texts of a column, each once, by the alphabet.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        let texts = self
            .entries
            .iter()
            .flat_map(|entry| entry.row.texts(column));
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
    pub(super) fn done<T>(self, read: T) -> Result<T, FileError> {
        if self.problems.is_empty() {
            return Ok(read);
        }
        Err(FileError::Bad {
            path: self.path,
            problems: self.problems,
        })
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

    /// Writes the file.
    pub(crate) fn save(&self, to: &Location) -> Result<(), FileError> {
        let text = self.text(to.format);
        let text = text.map_err(|source| FileError::Write {
            path: to.name().to_owned(),
            source,
        })?;
        to.write(&text)
    }
}

/// The problem of a file with more rows than are read.
pub(super) fn too_many_rows(line: u64, most: usize) -> Problem {
    let message = format!("more than {most} rows; split the file");
    Problem {
        line,
        column: String::new(),
        message,
    }
}
