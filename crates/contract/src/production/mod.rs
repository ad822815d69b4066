//! Cases about the repositories of progress and batches.

mod batches;
mod progress;

use std::sync::Arc;

use pressline_backoffice::production::{
    BatchHeader, BatchRepository, CreatedBatch, ItemRef, NewBatch, Stamp,
};
use pressline_domain::value::{ItemId, OperatorId, OrderId, StoreId};

use crate::CaseError;
use crate::random::Random;
use crate::samples::at;

pub(crate) use batches::CASES as BATCHES;
pub(crate) use progress::CASES as PROGRESS;

/// Number of concurrent calls.
const CONCURRENT_CALLS: u32 = 12;

/// Returns a stamp of a random operator, `millis` milliseconds after [`NOW`].
fn stamp(random: &mut Random, millis: i64) -> Stamp {
    Stamp {
        by: OperatorId::new(random.uuid()),
        at: at(millis),
    }
}

/// Returns a random item of a new order in `store`.
fn place(random: &mut Random, store: StoreId) -> ItemRef {
    ItemRef {
        store,
        order: OrderId::new(random.uuid()),
        item: ItemId::new(random.uuid()),
    }
}

/// Returns another item of the same order.
fn sibling(random: &mut Random, place: ItemRef) -> ItemRef {
    ItemRef {
        item: ItemId::new(random.uuid()),
        ..place
    }
}

/// Returns `count` items of different stores.
pub(crate) fn places(random: &mut Random, count: usize) -> Vec<ItemRef> {
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        let store = StoreId::new(random.uuid());
        places.push(place(random, store));
    }
    places
}

/// Returns a new batch of `items`.
pub(crate) fn new_batch(random: &mut Random, items: Vec<ItemRef>) -> NewBatch {
    let name = random.maybe(|random| random.text().replace('\0', ""));
    NewBatch {
        name,
        created: stamp(random, 0),
        items,
    }
}

/// Creates a batch; an error if one of its items is taken.
pub(crate) async fn stored(
    batches: &Arc<dyn BatchRepository>,
    batch: &NewBatch,
) -> Result<BatchHeader, CaseError> {
    match batches.create(batch).await? {
        CreatedBatch::Stored(header) => Ok(header),
        CreatedBatch::Taken(taken) => Err(CaseError::new(format!(
            "{} free items are taken",
            taken.len()
        ))),
    }
}
