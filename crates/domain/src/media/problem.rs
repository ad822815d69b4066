//! The result of a file check: problems and a verdict.

use std::cmp::Reverse;

use super::code::{ProblemCode, ProblemSeverity};

/// One thing that is wrong with a file, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// Kind of the problem, for programs.
    pub code: ProblemCode,
    /// Description of the problem and its solution, for people.
    pub message: String,
    /// Value that the print area asks for, such as `300 dpi`; `None` if no value can be named.
    pub expected: Option<String>,
    /// Value that the file has instead, such as `85 dpi`; `None` if no value can be named.
    pub actual: Option<String>,
}

impl FileProblem {
    /// Returns a problem without values to compare.
    pub(super) fn new(code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            expected: None,
            actual: None,
        }
    }

    /// Adds the value that the print area asks for, and the file's value.
    pub(super) fn values(self, expected: impl ToString, actual: impl ToString) -> Self {
        Self {
            expected: Some(expected.to_string()),
            actual: Some(actual.to_string()),
            ..self
        }
    }

    /// Returns how serious the problem is.
    pub fn severity(&self) -> ProblemSeverity {
        self.code.severity()
    }

    /// Returns whether the store may take the problem upon itself.
    pub fn is_acceptable(&self) -> bool {
        self.code.is_acceptable()
    }
}

pressline_kit::named! {
    /// Result of a file check in one word.
    #[derive(PartialOrd, Ord)]
    pub enum Verdict {
        /// No warning and no error.
        Pass = "pass",
        /// At least one warning, and no error.
        Warn = "warn",
        /// At least one error.
        Fail = "fail",
    }
}

/// Facts of a file compared with a print area.
///
/// Not the production step `check`. Do not store it: facts belong to the file, problems to the
/// area, and checking again takes microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCheck {
    /// Whether the file will print well.
    pub verdict: Verdict,
    /// Resolution in which the file prints if it fills the area, in dots per inch; `None` if the
    /// area has no size, and for vector files without images.
    pub effective_dpi: Option<u32>,
    /// Problems, the most serious first.
    pub problems: Vec<FileProblem>,
}

impl FileCheck {
    /// Sorts `problems`, and derives the verdict from them.
    pub(super) fn new(effective_dpi: Option<u32>, mut problems: Vec<FileProblem>) -> Self {
        problems.sort_by_key(|problem| (Reverse(problem.severity()), problem.code));
        let worst = problems.first().map(FileProblem::severity);
        let verdict = match worst {
            Some(ProblemSeverity::Error) => Verdict::Fail,
            Some(ProblemSeverity::Warning) => Verdict::Warn,
            Some(ProblemSeverity::Info) | None => Verdict::Pass,
        };
        Self {
            verdict,
            effective_dpi,
            problems,
        }
    }

    /// Returns whether the store may take all errors of the file upon itself. `false` if there is
    /// no error.
    pub fn is_acceptable(&self) -> bool {
        self.verdict == Verdict::Fail
            && self
                .problems
                .iter()
                .filter(|problem| problem.severity() == ProblemSeverity::Error)
                .all(FileProblem::is_acceptable)
    }
}
