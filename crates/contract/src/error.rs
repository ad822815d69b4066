//! The result of a case.

use std::error::Error;
use std::fmt;

/// The result of a case.
pub type CaseResult = Result<(), CaseError>;

/// The reason why a case failed, as text. Any error becomes one, with the chain of its sources.
pub struct CaseError(String);

impl CaseError {
    /// Returns an error with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the same error with its context in front.
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
