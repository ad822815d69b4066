//! The port that keeps the results of forms.

use async_trait::async_trait;

use super::{FormClaim, FormKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::time::Timestamp;

/// Keeps the results of forms. One call is one transaction.
#[async_trait]
pub trait FormResults: Send + Sync {
    /// Claims a form at this moment. A form that is not claimed MUST become so
    /// (`a_form_is_claimed_once`), by one of several calls that run at once
    /// (`of_concurrent_claims_of_a_form_one_is_the_first`). Another operator's form with the same id
    /// MUST be another form (`forms_of_operators_are_apart`).
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim, RepositoryError>;

    /// Stores the result of a form that was claimed (`a_finished_form_gives_its_result`).
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError>;

    /// Gives a claim up, so that the form can be sent again. A form that has a result MUST keep it
    /// (`only_an_unfinished_form_is_given_up`).
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError>;

    /// Removes at most so many forms that were claimed before a moment, and returns how many. MUST
    /// leave all others (`only_old_forms_are_pruned`).
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError>;
}
