//! Repository port for stores and their sealed keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::{KeyIssuer, KeyOwner, MasterKeyId, Store, StoreKey, StoreRecord};
#[cfg(doc)]
use crate::error::RepositoryError;
use crate::error::Result;
use crate::value::{KeyId, Prefix, StoreId, Timestamp};

/// Minute of the last use of each key.
pub type KeyUses = BTreeMap<(StoreId, KeyId), Timestamp>;

/// Maximum number of keys in [`ResealReport::examples`].
const MAX_UNREADABLE: usize = 100;

/// Result of sealing all keys with another master key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResealReport {
    /// Number of keys that are newly sealed with the new master key.
    pub resealed: u64,
    /// Number of keys that were already sealed with the new master key.
    pub unchanged: u64,
    /// Number of keys that could not be opened and stay as they are.
    pub unreadable: u64,
    /// First unreadable keys, at most 100, each with its owner and the reason.
    pub examples: Vec<(KeyOwner, KeyId, String)>,
}

impl ResealReport {
    /// Seals `key` and counts the outcome. Returns the key to store; `None` if it stays as it is.
    pub fn reseal(
        &mut self,
        owner: KeyOwner,
        key: &StoreKey,
        with: MasterKeyId,
        issuer: &dyn KeyIssuer,
    ) -> Option<Vec<u8>> {
        if key.sealed_with == with {
            self.unchanged += 1;
            return None;
        }
        match issuer.reseal(owner, &key.sealed, with) {
            Ok(sealed) => {
                self.resealed += 1;
                Some(sealed)
            }
            Err(error) => {
                self.unreadable += 1;
                if self.examples.len() < MAX_UNREADABLE {
                    self.examples.push((owner, key.id, error.to_string()));
                }
                None
            }
        }
    }
}

/// Keeps the directory of stores. One call is one transaction.
///
/// Also stores the id of the current master key. The first added key decides the current master key
/// (`the_first_key_decides_the_master_key`), also when several calls run concurrently
/// (`of_concurrent_first_keys_one_decides`). Only [`StoreDirectory::reseal`] changes the id.
#[async_trait]
pub trait StoreDirectory: Send + Sync {
    /// Adds the store of `record`.
    ///
    /// The store MUST be found as it was given (`an_added_store_is_found_as_given`). A prefix that
    /// another store has MUST be refused with [`RepositoryError::Duplicate`]
    /// (`a_prefix_is_unique`), also when several calls run concurrently
    /// (`of_concurrent_adds_of_a_prefix_one_wins`). If a key of `record` is sealed with another
    /// than the current master key, the call MUST be refused with [`RepositoryError::Stale`] and
    /// store nothing (`a_key_of_another_master_key_is_refused`).
    async fn add(&self, record: &StoreRecord) -> Result<()>;

    /// Returns the store `id`; `Ok(None)` if it does not exist (`an_unknown_store_is_none`).
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>>;

    /// Returns the store with this `prefix`; `Ok(None)` if it does not exist
    /// (`a_store_is_found_by_its_prefix`).
    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>>;

    /// Returns all stores, oldest first (`stores_are_listed_oldest_first`).
    async fn list(&self) -> Result<Vec<StoreRecord>>;

    /// Replaces name, currency, settings, `enabled` and keys of a store. The record's version
    /// becomes `expected + 1`. The store's `prefix` and `test` MUST stay as they are
    /// (`a_store_stays_what_it_was_created_as`).
    ///
    /// The call MUST be refused with [`RepositoryError::Stale`] if the stored version is not
    /// `expected` (`a_stale_store_change_is_refused`, `of_concurrent_store_changes_one_wins`). It
    /// MUST replace all keys (`a_store_change_replaces_its_keys`). A key that the store did not
    /// have MUST be sealed with the current master key, else the call MUST be refused with
    /// [`RepositoryError::Stale`] (`a_key_of_another_master_key_is_refused`).
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<()>;

    /// Records the last uses of keys, of any stores, together. For each key, the call MUST change
    /// nothing if a later minute is stored (`the_latest_use_of_a_key_is_kept`) or if the store does
    /// not have the key (`uses_of_unknown_keys_are_ignored`).
    /// [`replace`](Self::replace) keeps the recorded minutes of keys that the store keeps.
    ///
    /// Collect the uses of some seconds: a call costs a transaction, whatever the number of keys.
    async fn note_key_uses(&self, uses: &KeyUses) -> Result<()>;

    /// Returns the id of the current master key; `Ok(None)` before the first key was added.
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>>;

    /// Seals all keys with the master key `with`, which becomes the current master key: all or
    /// nothing (`resealing_changes_every_key`). The call needs the same memory for any number of
    /// stores.
    ///
    /// The secrets of webhook endpoints are included
    /// (`resealing_changes_the_secrets_of_endpoints`).
    ///
    /// Every store with keys, and every endpoint, gets a new version, so that a concurrent change
    /// based on an earlier read cannot restore the old keys
    /// (`resealing_makes_earlier_reads_stale`). A key that cannot be opened MUST stay as it is and
    /// be reported (`resealing_leaves_what_it_cannot_open`). The call MUST be refused with
    /// [`RepositoryError::Stale`] if the current master key is not `expected`
    /// (`resealing_from_another_master_key_is_refused`).
    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport>;
}
