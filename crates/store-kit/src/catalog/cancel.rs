//! Cancelling an import whose caller no longer waits.

use std::sync::{Arc, Weak};

use pressline_domain::error::RepositoryError;

/// Held by the caller of an import. Once it is dropped, the import ends and is rolled back.
#[derive(Debug, Default)]
pub struct CancelGuard(Arc<()>);

/// Says whether the import has been cancelled.
#[derive(Debug, Clone)]
pub struct CancelToken(Weak<()>);

impl CancelGuard {
    /// The token that the import checks.
    pub fn token(&self) -> CancelToken {
        CancelToken(Arc::downgrade(&self.0))
    }
}

impl CancelToken {
    /// Checks whether the caller still waits.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] once it no longer does.
    pub fn check(&self) -> Result<(), RepositoryError> {
        match self.0.strong_count() {
            0 => Err(RepositoryError::Unavailable(
                "the caller of the import no longer waits".into(),
            )),
            _ => Ok(()),
        }
    }
}
