//! Errors in the rows of an import.

use std::fmt;

/// Maximum number of stored findings; findings beyond it are only counted.
pub const MAX_FINDINGS: usize = 100;

/// Error in a row or cell of an import.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Line number in the source, counted from 1.
    pub line: u64,
    /// Column name as the source spells it; empty if the finding concerns the whole row.
    pub column: String,
    /// Description of the error and of a correct value.
    pub message: String,
}

impl Finding {
    /// Creates a finding about the whole row in `line`.
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

/// Findings with the lowest lines, up to [`MAX_FINDINGS`], and the number of all: memory is bounded.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Unsorted; fewer than twice [`MAX_FINDINGS`]. [`keep_first`](Self::keep_first) drops the surplus.
    first: Vec<Finding>,
    count: usize,
}

impl Findings {
    /// Adds `finding`. Findings with equal lines stay in the order in which they were added.
    pub fn add(&mut self, finding: Finding) {
        self.count += 1;
        self.first.push(finding);
        // Sorting only when the list has doubled keeps the total cost linear.
        if self.first.len() >= 2 * MAX_FINDINGS {
            self.keep_first();
        }
    }

    /// Returns the total number of findings, including findings beyond [`MAX_FINDINGS`].
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether no finding was added.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the findings with the lowest lines, sorted by line; up to [`MAX_FINDINGS`].
    pub fn shown(&mut self) -> &[Finding] {
        self.keep_first();
        &self.first
    }

    fn keep_first(&mut self) {
        self.first.sort_by_key(|finding| finding.line);
        self.first.truncate(MAX_FINDINGS);
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
