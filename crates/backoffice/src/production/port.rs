//! The ports that keep progress and batches.

use async_trait::async_trait;

use super::batch::{Batch, BatchHeader, BatchNumber, ItemRef, NewBatch, Stamp};
use super::progress::{ItemProgress, ProductionRecord};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{ItemId, OrderId, StoreId};
use pressline_domain::store::StoreSet;

type Result<T> = std::result::Result<T, RepositoryError>;

/// Keeps the progress of items, with the records that made it. One call is one transaction.
///
/// Everything is scoped to a store: progress of items of another store MUST NOT be found
/// (`progress_of_another_store_is_not_found`).
#[async_trait]
pub trait ProgressRepository: Send + Sync {
    /// Stores the next revision of an item's progress, and the record that makes it, both or neither.
    ///
    /// - Progress and record MUST be read back as they were given (`progress_is_read_back_as_it_was_stored`,
    ///   `records_are_read_back_as_they_were_stored`).
    /// - MUST be refused with [`RepositoryError::Stale`], and change nothing, unless the stored revision is the one
    ///   before the given one, 0 where nothing is stored (`a_stale_record_changes_nothing`); of concurrent
    ///   records of one revision exactly one MUST be stored (`of_concurrent_records_one_wins`).
    ///
    /// The order and its events stay as they are.
    async fn record(&self, progress: &ItemProgress, record: &ProductionRecord) -> Result<()>;

    /// Returns the progress of all items of these orders that have any, by order and item. Orders that the store does not
    /// have are passed over.
    ///
    /// All of them and no others MUST be returned (`progress_is_found_by_orders`).
    async fn progress(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<ItemProgress>>;

    /// Returns records of an order, of one of its items if that is given, at most `count`: the latest first, by moment,
    /// item and revision (`records_are_listed_latest_first`).
    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>>;
}

/// What became of a new batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreatedBatch {
    /// It was stored.
    Stored(BatchHeader),
    /// Nothing was stored: these of its items are in open batches, in the order of the new batch.
    Taken(Vec<ItemInBatch>),
}

/// An item that is in an open batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemInBatch {
    /// The item.
    pub place: ItemRef,
    /// The open batch that it is in.
    pub batch: BatchNumber,
}

/// Which batches are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchQuery {
    /// Open ones, or closed ones; `None` for both.
    pub open: Option<bool>,
    /// All of whose items are of these stores.
    pub within: StoreSet,
    /// With a lower number than this one.
    pub before: Option<BatchNumber>,
    /// How many at most.
    pub count: u32,
}

/// Keeps batches. One call is one transaction. Batches belong to the shop: one can have items of several stores.
#[async_trait]
pub trait BatchRepository: Send + Sync {
    /// Stores a batch, or nothing.
    ///
    /// - Its number MUST be 1 for the first batch, and for every other one higher by 1 than the latest
    ///   (`batches_are_numbered_without_holes`), also after refused calls and when several calls run at once
    ///   (`concurrent_batches_are_numbered_without_holes`).
    /// - It MUST be found with its items, in their order (`a_created_batch_is_found_as_given`).
    /// - An item MUST be in one open batch at most: if items are in open batches, all of these MUST be returned, each
    ///   with its batch, and nothing be stored (`an_item_is_in_one_open_batch`), also when several calls run
    ///   at once (`of_concurrent_batches_one_gets_an_item`).
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch>;

    /// Returns a batch; absence is `Ok(None)` (`an_unknown_batch_is_none`).
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>>;

    /// Returns batches that match, those with the highest numbers first (`batches_are_found_newest_first`).
    ///
    /// A batch MUST be found only if all of its items are of the given stores (`a_search_for_batches_keeps_to_its_stores`).
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>>;

    /// Notes who started a batch, and returns it as it now is; `None` if there is none. A batch that is started or
    /// closed MUST stay as it is (`a_batch_is_started_once`).
    async fn start(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>>;

    /// Closes a batch, and returns it as it now is; `None` if there is none. Its items MUST be free for other batches then,
    /// and it MUST keep them (`a_closed_batch_frees_its_items`). A batch that is closed MUST stay as it is
    /// (`a_batch_is_closed_once`).
    async fn close(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>>;

    /// Returns the items of these orders of a store that are in open batches, by order and item
    /// (`items_in_open_batches_are_found`).
    async fn in_open_batches(&self, store: StoreId, orders: &[OrderId])
    -> Result<Vec<ItemInBatch>>;
}
