//! What is wrong with the rows of a file of shipments or of orders.

use crate::rows::Findings;
use pressline_domain::report::{IssueCode, Violation};

/// Most problems that a report lists; the rest is counted. A file whose every row is wrong takes no more
/// memory than one with so many wrong rows.
const LISTED: usize = 10_000;

/// A problem in a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowProblem {
    /// The line of the file, from 1.
    pub line: u64,
    /// The column; empty for the whole row.
    pub field: String,
    /// What kind of problem it is, for programs: an [`IssueCode`], or the code of the error that the same
    /// call of an operator would get.
    pub code: &'static str,
    /// What is wrong and what would be right, for people.
    pub message: String,
}

#[derive(Debug, Default)]
pub(in crate::import) struct Problems {
    listed: Vec<RowProblem>,
    count: usize,
}

impl RowProblem {
    pub(in crate::import) fn new(
        line: u64,
        field: &str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            line,
            field: field.to_owned(),
            code,
            message: message.into(),
        }
    }

    pub(in crate::import) fn in_row(line: u64, field: &str, violation: Violation) -> Self {
        Self::new(line, field, violation.code.as_str(), violation.message)
    }
}

impl Problems {
    pub(in crate::import) fn add(&mut self, problem: RowProblem) {
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(problem);
        }
    }

    pub(in crate::import) fn add_findings(&mut self, mut findings: Findings) {
        let code = IssueCode::InvalidFormat.as_str();
        for finding in findings.shown() {
            let (column, message) = (&finding.column, &finding.message);
            self.add(RowProblem::new(finding.line, column, code, message));
        }
        self.count += findings.count() - findings.shown().len();
    }

    pub(in crate::import) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the problems by their lines, with a last one that counts those that are not listed.
    pub(in crate::import) fn sorted(mut self) -> Vec<RowProblem> {
        self.listed.sort();
        let more = self.count - self.listed.len();
        if more > 0 {
            let line = self.listed.last().map_or(1, |last| last.line);
            let message = format!("and {more} more");
            self.listed
                .push(RowProblem::new(line, "", IssueCode::More.as_str(), message));
        }
        self.listed
    }
}
