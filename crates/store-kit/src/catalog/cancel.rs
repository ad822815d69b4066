//! Cancels an import after its caller has stopped waiting.

use std::sync::{Arc, Weak};

use pressline_domain::error::RepositoryError;

/// Held by the caller of an import. Dropping it ends the import and rolls it back.
#[derive(Debug, Default)]
pub struct CancelGuard(Arc<()>);

/// Tells the import whether it was cancelled.
#[derive(Debug, Clone)]
pub struct CancelToken(Weak<()>);

impl CancelGuard {
    /// Returns the token that the import checks.
    pub fn token(&self) -> CancelToken {
        CancelToken(Arc::downgrade(&self.0))
    }
}

impl CancelToken {
    /// Checks whether the caller still waits.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if the guard was dropped.
    pub fn check(&self) -> Result<(), RepositoryError> {
        match self.0.strong_count() {
            0 => Err(RepositoryError::Unavailable(
                "the caller of the import no longer waits".into(),
            )),
            _ => Ok(()),
        }
    }
}
