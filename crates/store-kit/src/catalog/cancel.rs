//! Cancels an import after its caller has stopped waiting.

use std::sync::{Arc, Weak};

use pressline_domain::error::RepositoryError;

/// Guard that the caller of an import holds. Dropping the guard ends the import and rolls it back.
#[derive(Debug, Default)]
pub struct CancelGuard(Arc<()>);

/// Token with which an import checks that its caller still waits for the result.
#[derive(Debug, Clone)]
pub struct CancelToken(Weak<()>);

impl CancelGuard {
    /// Returns a token that tells an import whether `self`, the guard of the caller, still exists.
    pub fn token(&self) -> CancelToken {
        CancelToken(Arc::downgrade(&self.0))
    }
}

impl CancelToken {
    /// Checks that the caller of the import still waits.
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
