//! Result and error of a case.

use std::error::Error;
use std::fmt;

/// `Ok` if the adapter fulfils the case.
pub type CaseResult = Result<(), CaseError>;

/// Reason why a case failed, as text. Any error converts to it, with its chain of sources.
pub struct CaseError(String);

impl CaseError {
    /// Creates an error with the message `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the error with `context` in front.
    pub(crate) fn in_context(self, context: &str) -> Self {
        Self(format!("{context}: {}", self.0))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

// Does not implement `Error`: the `From` below would overlap with `From<T> for T`.
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
