//! What is wrong with the rows of an import.

use std::fmt;

/// How many findings are kept; the rest is counted.
pub const SHOWN: usize = 100;

/// Something that is wrong at one place of the rows of an import.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The line of the source, from 1.
    pub line: u64,
    /// The column, under the name that the source has for it; empty for the whole row.
    pub column: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Finding {
    /// Returns a finding about a whole row.
    pub fn of_row(line: u64, message: impl Into<String>) -> Self {
        Self {
            line,
            column: String::new(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(f, ", {}", self.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The findings of an import: those of the first lines, and how many there are in all. An import
/// whose every row is wrong takes no more memory than one with a few wrong rows.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// At most twice [`SHOWN`], in the order of their discovery.
    first: Vec<Finding>,
    count: usize,
}

impl Findings {
    /// Adds a finding. Those of one line keep the order in which they are added.
    pub fn add(&mut self, finding: Finding) {
        self.count += 1;
        self.first.push(finding);
        // Sorting only when the list has doubled keeps the total cost linear.
        if self.first.len() >= 2 * SHOWN {
            self.keep_first();
        }
    }

    /// Returns how many findings there are, kept or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns at most [`SHOWN`] findings, those of the first lines, sorted by line.
    pub fn shown(&mut self) -> &[Finding] {
        self.keep_first();
        &self.first
    }

    fn keep_first(&mut self) {
        self.first.sort_by_key(|finding| finding.line);
        self.first.truncate(SHOWN);
    }
}

impl From<Finding> for Findings {
    fn from(finding: Finding) -> Self {
        Self {
            first: vec![finding],
            count: 1,
        }
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }
}
