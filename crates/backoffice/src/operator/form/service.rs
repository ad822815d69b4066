//! Service of idempotent forms.

use std::sync::Arc;

use pressline_kit::boxed;

use super::{FormClaim, FormKey, FormResults};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::id::FormId;

/// Time for which the result of a form is kept, in milliseconds: a day, in which its page may stay
/// open.
const KEPT: i64 = 24 * 60 * 60 * 1000;

/// Creates ids for forms, and stores their results.
#[derive(Clone)]
pub struct FormService {
    results: Arc<dyn FormResults>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl FormService {
    /// Creates the service over its ports.
    pub fn new(
        results: Arc<dyn FormResults>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            results,
            clock,
            ids,
        }
    }

    /// Returns a new id for a form on a page.
    pub fn new_form(&self) -> FormId {
        FormId::new(self.ids.next(self.clock.now()))
    }

    /// Claims the form `key` when it is sent.
    #[boxed]
    pub async fn claim(&self, key: FormKey) -> Result<FormClaim, RepositoryError> {
        self.results.claim(key, self.clock.now()).await
    }

    /// Stores the `result` of a form that created something.
    #[boxed]
    pub async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError> {
        self.results.finish(key, result).await
    }

    /// Removes the claim of the form `key`, which created nothing, so that it can be sent again.
    #[boxed]
    pub async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError> {
        self.results.give_up(key).await
    }

    /// Removes up to `limit` expired results and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-KEPT);
        self.results.prune_forms(before, limit).await
    }
}
