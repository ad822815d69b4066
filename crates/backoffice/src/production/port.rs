//! Repository ports for progress and batches.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::batch::{Batch, BatchHeader, BatchNumber, ItemRef, NewBatch, Stamp};
use super::units::{ItemProgress, ProductionRecord};
use pressline_domain::error::RepositoryError;
use pressline_domain::store::StoreSet;
use pressline_domain::value::{ItemId, OrderId, StoreId};

type Result<T> = std::result::Result<T, RepositoryError>;

/// Stores the progress of items and their production records. Each call is one transaction.
///
/// Everything is scoped to a store: progress of items of another store MUST NOT be found
/// (`progress_of_another_store_is_not_found`).
#[async_trait]
pub trait ProgressRepository: Send + Sync {
    /// Stores `progress`, the next revision of an item's progress, and `record`, the change that
    /// led to it. If one cannot be stored, neither is.
    ///
    /// - `progress` and `record` MUST be read back unchanged
    ///   (`progress_is_read_back_as_it_was_stored`, `records_are_read_back_as_they_were_stored`).
    /// - Unless the stored revision (0 without stored progress) is `progress.revision - 1`, the
    ///   call MUST fail with [`RepositoryError::Stale`] and change nothing
    ///   (`a_stale_record_changes_nothing`). Of concurrent calls for the same revision, exactly one
    ///   MUST succeed (`of_concurrent_records_one_wins`).
    ///
    /// The item's order and the events of the order do not change.
    async fn record(&self, progress: &ItemProgress, record: &ProductionRecord) -> Result<()>;

    /// Returns the stored progress of the items of `orders`, ordered by order and item. Items
    /// without stored progress, and orders that `store` does not have, are left out.
    ///
    /// The result MUST be complete and contain no other items (`progress_is_found_by_orders`).
    async fn progress(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<ItemProgress>>;

    /// Returns up to `count` production records of `order`, latest first: in descending order of
    /// timestamp, item and revision (`records_are_listed_latest_first`). If `item` is given, only
    /// records of this item are returned.
    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>>;
}

/// Result of storing a new batch with [`BatchRepository::create`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreatedBatch {
    /// The batch was stored with this header.
    Stored(BatchHeader),
    /// Nothing was stored, because items of the new batch are in open batches. Contains these
    /// items, each with its open batch.
    Taken(BTreeMap<ItemRef, BatchNumber>),
}

/// Filters of a search for batches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchQuery {
    /// `true` to find only open batches, `false` to find only closed batches, `None` to find both.
    pub open: Option<bool>,
    /// Stores to which all items of a batch must belong; `None` for any stores.
    pub within: StoreSet,
    /// Upper bound of the batch numbers, exclusive; `None` for no bound.
    pub before: Option<BatchNumber>,
    /// Maximum number of batches to return.
    pub count: u32,
}

/// Stores batches. Each call is one transaction. Batches belong to the print shop: a batch can have
/// items of several stores.
#[async_trait]
pub trait BatchRepository: Send + Sync {
    /// Stores `batch` and assigns its number, or stores nothing.
    ///
    /// - Numbers MUST start at 1, and each MUST be 1 higher than the number of the previous batch
    ///   (`batches_are_numbered_without_holes`), also after refused calls and if calls run
    ///   concurrently (`concurrent_batches_are_numbered_without_holes`).
    /// - The batch MUST be found with its items in the given order
    ///   (`a_created_batch_is_found_as_given`).
    /// - An item MUST be in at most one open batch: if items of `batch` are in open batches, all of
    ///   them MUST be returned with their batches, and nothing be stored
    ///   (`an_item_is_in_one_open_batch`), also if calls run concurrently
    ///   (`of_concurrent_batches_one_gets_an_item`).
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch>;

    /// Returns the batch `number`; `Ok(None)` if it does not exist (`an_unknown_batch_is_none`).
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>>;

    /// Returns the batches that match `query`, highest numbers first
    /// (`batches_are_found_newest_first`).
    ///
    /// A batch MUST be found only if all of its items belong to the stores `query.within`
    /// (`a_search_for_batches_keeps_to_its_stores`).
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>>;

    /// Stores `stamp` as the start of the batch `number` and returns the resulting header; `None`
    /// if the batch does not exist. A batch that was started or closed before MUST NOT change
    /// (`a_batch_is_started_once`).
    async fn start(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>>;

    /// Closes the batch `number`, stores `stamp` as its closing, and returns the resulting header;
    /// `None` if the batch does not exist. Its items MUST then be free for other batches, and the
    /// batch MUST keep them (`a_closed_batch_frees_its_items`). A batch that was closed before MUST
    /// NOT change (`a_batch_is_closed_once`).
    async fn close(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>>;

    /// Returns the items of `orders` that belong to open batches, each with its batch
    /// (`items_in_open_batches_are_found`). Orders that `store` does not have are ignored.
    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<BTreeMap<ItemRef, BatchNumber>>;
}
