//! Administration of stores by an operator.

use super::Operator;
use crate::fields::valid;
use crate::store::{
    StoreAdmin, StoreChange, StoreDraft, StoreError, StoreIdDraft, StoreWithSecret,
};
use pressline_domain::check::Report;
use pressline_domain::store::StoreRecord;
use pressline_domain::value::StoreId;
use pressline_kit::boxed;

type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Administers the stores in an operator's scope. Other stores do not exist for the operator.
#[derive(Clone)]
pub struct OperatorStores<'a> {
    admin: StoreAdmin,
    operator: &'a Operator,
}

impl<'a> OperatorStores<'a> {
    /// Creates the service for `operator`. The audit entries of its changes contain `request_id`.
    pub fn new(admin: &StoreAdmin, operator: &'a Operator, request_id: Option<String>) -> Self {
        Self {
            admin: admin.by(operator.audit_context(request_id)),
            operator,
        }
    }

    /// Returns all stores in the operator's scope, oldest first.
    #[boxed]
    pub async fn list(&self) -> Result<Vec<StoreRecord>> {
        let mut records = self.admin.list().await?;
        records.retain(|record| self.operator.reaches(record.store.id));
        Ok(records)
    }

    /// Returns the store that `which` names.
    #[boxed]
    pub async fn show(&self, which: &StoreIdDraft) -> Result<StoreRecord> {
        self.admin.show(self.id(which)?).await
    }

    /// Creates a store with its first key.
    ///
    /// # Errors
    /// [`StoreError::Bound`] if the operator is bound to some stores, [`StoreError::Invalid`] if
    /// `draft` is invalid; otherwise the same errors as [`StoreAdmin::create`].
    #[boxed]
    pub async fn create(&self, draft: &StoreDraft) -> Result<StoreWithSecret> {
        if self.operator.stores.is_some() {
            // The new store would be outside the operator's scope.
            return Err(StoreError::Bound);
        }
        let mut report = Report::default();
        let new = draft.new_store(&mut report);
        report.check().map_err(StoreError::Invalid)?;
        self.admin.create(new).await
    }

    /// Changes the settings of the store that `which` names.
    #[boxed]
    pub async fn set(&self, which: &StoreIdDraft, draft: &StoreDraft) -> Result<StoreRecord> {
        let mut report = Report::default();
        let id = which.store(&mut report);
        let change = draft.change(&mut report);
        let id = valid(id, &mut report).map_err(StoreError::Invalid)?;
        self.admin.change(self.reached(id)?, &change).await
    }

    /// Enables or disables the store that `which` names. Calls of a disabled store are refused.
    #[boxed]
    pub async fn set_enabled(&self, which: &StoreIdDraft, enabled: bool) -> Result<StoreRecord> {
        let change = StoreChange {
            enabled: Some(enabled),
            ..StoreChange::default()
        };
        self.admin.change(self.id(which)?, &change).await
    }

    /// Creates an additional key for the store that `which` names.
    #[boxed]
    pub async fn rotate_key(&self, which: &StoreIdDraft) -> Result<StoreWithSecret> {
        self.admin.rotate_key(self.id(which)?).await
    }

    /// Revokes the key `which.key_id` of the store `which.store_id`.
    #[boxed]
    pub async fn revoke_key(&self, which: &StoreIdDraft) -> Result<StoreRecord> {
        let mut report = Report::default();
        let (id, key) = (which.store(&mut report), which.key(&mut report));
        let (id, key) = valid(id.zip(key), &mut report).map_err(StoreError::Invalid)?;
        self.admin.revoke_key(self.reached(id)?, key).await
    }

    fn id(&self, which: &StoreIdDraft) -> Result<StoreId> {
        let mut report = Report::default();
        let id = which.store(&mut report);
        self.reached(valid(id, &mut report).map_err(StoreError::Invalid)?)
    }

    fn reached(&self, id: StoreId) -> Result<StoreId> {
        let is_reached = self.operator.reaches(id);
        is_reached.then_some(id).ok_or(StoreError::NotFound(id))
    }
}
