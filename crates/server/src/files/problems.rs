//! What is wrong with a file, as far as it is shown.

use std::fmt;

/// How many problems are shown; the rest is counted.
pub(crate) const SHOWN: usize = 100;

/// A problem at one place of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// From 1.
    pub(crate) line: u64,
    /// The column's name (CSV) or the key (JSON).
    pub(crate) column: String,
    /// What is wrong and what would be right.
    pub(crate) message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(f, ", {}", self.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The problems of a file: the first ones by line, and how many there are in all. A file whose
/// every row is wrong takes no more memory than one with a few wrong rows.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    /// At most twice [`SHOWN`], in the order of their discovery.
    first: Vec<Problem>,
    count: usize,
}

impl Problems {
    /// Adds a problem. Those of one line keep the order in which they are added.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.count += 1;
        self.first.push(problem);
        // Sorting at every second hundredth problem keeps this linear.
        if self.first.len() >= 2 * SHOWN {
            self.keep_first();
        }
    }

    /// How many problems there are, shown or not.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns at most [`SHOWN`] problems, those of the first lines, sorted by line.
    pub(crate) fn shown(&mut self) -> &[Problem] {
        self.keep_first();
        &self.first
    }

    fn keep_first(&mut self) {
        self.first.sort_by_key(|problem| problem.line);
        self.first.truncate(SHOWN);
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self {
            first: vec![problem],
            count: 1,
        }
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        problems.into_iter().for_each(|problem| self.add(problem));
    }
}
