//! How a case fails.

use std::error::Error;
use std::fmt;

/// How a case ends.
pub type CaseResult = Result<(), CaseError>;

/// Why a case failed, as text. Any error becomes one, with the chain of its sources.
pub struct CaseError(String);

impl CaseError {
    /// A failure that says so.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The same failure, with what was being done in front.
    pub(crate) fn in_context(self, context: &str) -> Self {
        Self(format!("{context}: {}", self.0))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

// No `Display` and no `Error`: `From` below could not take every error then.
impl fmt::Debug for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Error> From<E> for CaseError {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            text = format!("{text}: {error}");
            source = error.source();
        }
        Self(text)
    }
}
