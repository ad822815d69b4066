//! Problems in the rows of an order or shipment file.

use crate::rows::{Finding, Findings};
use pressline_domain::check::{IssueCode, Violation};

/// Further problems are only counted, to bound the memory if all rows are invalid.
const MAX_PROBLEMS: usize = 10_000;

/// Error or warning about a row of an order or shipment file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowProblem {
    /// Line number in the file, counted from 1.
    pub line: u64,
    /// Name of the column; empty if the problem concerns the whole row.
    pub field: String,
    /// Machine-readable code: the string of an [`IssueCode`], or an error code of the operators'
    /// API, such as `order_not_found`.
    pub code: &'static str,
    /// Message for people that describes the problem.
    pub message: String,
}

#[derive(Debug, Default)]
pub(in crate::import) struct Problems {
    listed: Vec<RowProblem>,
    count: usize,
    /// The last line with cells that a spreadsheet has changed, and their columns.
    damaged: (u64, Vec<String>),
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

    pub(in crate::import) fn issue(
        line: u64,
        field: &str,
        code: IssueCode,
        message: impl Into<String>,
    ) -> Self {
        Self::new(line, field, code.as_str(), message)
    }

    pub(in crate::import) fn in_row(line: u64, field: &str, violation: Violation) -> Self {
        Self::issue(line, field, violation.code, violation.message)
    }
}

impl Extend<RowProblem> for Problems {
    fn extend<I: IntoIterator<Item = RowProblem>>(&mut self, problems: I) {
        problems.into_iter().for_each(|problem| self.add(problem));
    }
}

impl Problems {
    fn add(&mut self, problem: RowProblem) {
        if self.is_damaged(problem.line, &problem.field) {
            return;
        }
        self.count += 1;
        if self.listed.len() < MAX_PROBLEMS {
            self.listed.push(problem);
        }
    }

    pub(in crate::import) fn issue(
        &mut self,
        line: u64,
        field: &str,
        code: IssueCode,
        message: impl Into<String>,
    ) {
        self.add(RowProblem::issue(line, field, code, message));
    }

    pub(in crate::import) fn add_findings(&mut self, mut findings: Findings) {
        for finding in findings.shown() {
            let (column, message) = (&finding.column, &finding.message);
            self.issue(finding.line, column, IssueCode::InvalidFormat, message);
        }
        // Findings that were only counted stay counted.
        self.count += findings.count() - findings.shown().len();
    }

    /// Adds findings about cells that a spreadsheet has changed. Returns whether there are any.
    pub(in crate::import) fn add_damages(&mut self, damages: Vec<Finding>) -> bool {
        let Some(Finding {
            line: first_line, ..
        }) = damages.first()
        else {
            return false;
        };
        let (line, mut columns) = (*first_line, Vec::new());
        for damage in damages {
            let code = IssueCode::InvalidFormat;
            self.issue(line, &damage.column, code, damage.message);
            columns.push(damage.column);
        }
        self.damaged = (line, columns);
        true
    }

    /// Returns whether a spreadsheet has changed the cell. Further problems of its value would only
    /// hide the cause.
    fn is_damaged(&self, line: u64, field: &str) -> bool {
        let (damaged, columns) = &self.damaged;
        *damaged == line && columns.iter().any(|column| column == field)
    }

    pub(in crate::import) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sorts by line. Problems that were only counted become a last entry [`IssueCode::More`].
    pub(in crate::import) fn sorted(mut self) -> Vec<RowProblem> {
        self.listed.sort();
        let more = self.count - self.listed.len();
        if more > 0 {
            let line = self.listed.last().map_or(1, |last| last.line);
            let message = format!("and {more} more");
            let rest = RowProblem::issue(line, "", IssueCode::More, message);
            self.listed.push(rest);
        }
        self.listed
    }
}
