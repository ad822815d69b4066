//! Idempotent forms: a form that creates something and is sent twice returns its first result.

use std::sync::Arc;

use async_trait::async_trait;

use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::{FormId, OperatorId, Timestamp};
use pressline_kit::boxed;

/// Key of a sent form. A page gives its form a new id each time the page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormKey {
    /// Operator who sent the form.
    pub operator: OperatorId,
    /// Id that the page gave the form, from [`FormService::new_form`].
    pub form: FormId,
}

/// State of a form at the time it is sent, as returned by [`FormResults::claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormClaim {
    /// The form is sent for the first time.
    First,
    /// The form was sent before, and has no result yet. It never gets a result if the server
    /// stopped while processing it.
    Unfinished,
    /// The form was sent before. Contains the result given to [`FormResults::finish`].
    Done(String),
}

/// Stores the results of forms. Each call is one transaction.
#[async_trait]
pub trait FormResults: Send + Sync {
    /// Claims the form `key` at the time `at`, and returns the form's state before this call. An
    /// unclaimed form MUST become claimed (`a_form_is_claimed_once`). If several calls run
    /// concurrently, a single call MUST return `First`
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

/// A form that is sent again later is processed again.
const LIFETIME: i64 = 24 * 60 * 60 * 1000;

/// Creates ids for forms, and claims and prunes forms.
#[derive(Clone)]
pub struct FormService {
    /// Stores the results of forms.
    pub results: Arc<dyn FormResults>,
    /// Gives the current time, for the age of results.
    pub clock: Arc<dyn Clock>,
    /// Generates form ids.
    pub ids: Arc<dyn IdSource>,
}

impl FormService {
    /// Returns a new form id, for a page that is about to show a form.
    pub fn new_form(&self) -> FormId {
        FormId::new(self.ids.next(self.clock.now()))
    }

    /// Claims the form `key`, and returns its state before this call.
    #[boxed]
    pub async fn claim(&self, key: FormKey) -> Result<FormClaim, RepositoryError> {
        self.results.claim(key, self.clock.now()).await
    }

    /// Removes up to `limit` expired results and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-LIFETIME);
        self.results.prune_forms(before, limit).await
    }
}
