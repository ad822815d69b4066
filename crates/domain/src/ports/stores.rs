//! The port that keeps stores and their sealed keys.

use async_trait::async_trait;

use crate::id::StoreId;
use crate::ports::RepositoryError;
use crate::store::StoreRecord;

/// Keeps stores. One call is one transaction.
#[async_trait]
pub trait StoreDirectory: Send + Sync {
    /// Adds a store.
    ///
    /// It MUST be found as it was given (`an_added_store_is_found_as_given`). A prefix that another store has MUST be
    /// refused with [`RepositoryError::Duplicate`] (`a_prefix_is_unique`).
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError>;

    /// The store with this id; absence is `Ok(None)` (`an_unknown_store_is_none`).
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError>;

    /// All stores, oldest first (`stores_are_listed_oldest_first`).
    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError>;

    /// Replaces name, currency, settings, state and keys of a store; the record's version becomes `expected + 1`.
    ///
    /// MUST be refused with [`RepositoryError::Stale`] where the stored version is not `expected`
    /// (`a_stale_store_change_is_refused`), and replace the keys whole (`a_store_change_replaces_its_keys`).
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError>;
}
