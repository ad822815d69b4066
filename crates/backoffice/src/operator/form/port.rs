//! Repository port for the results of forms.

use async_trait::async_trait;

use super::{FormClaim, FormKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::time::Timestamp;

/// Stores the results of forms. Each call is one transaction.
#[async_trait]
pub trait FormResults: Send + Sync {
    /// Claims the form `key` at `at`. An unclaimed form MUST become claimed
    /// (`a_form_is_claimed_once`), by a single call if several calls run concurrently
    /// (`of_concurrent_claims_of_a_form_one_is_the_first`). Forms of different operators with the
    /// same id MUST be different forms (`forms_of_operators_are_apart`).
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim, RepositoryError>;

    /// Stores the `result` of a claimed form (`a_finished_form_gives_its_result`).
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError>;

    /// Removes the claim of a form, so that it can be sent again. A form with a result MUST keep it
    /// (`only_an_unfinished_form_is_given_up`).
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError>;

    /// Removes up to `limit` forms claimed before `before`, and returns their number. MUST NOT
    /// remove other forms (`only_old_forms_are_pruned`).
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError>;
}
