//! Statements about the progress of items and about batches, for both databases.
//!
//! Rows are short and only few columns are read together, so rows are tuples, not structs. A
//! transaction that creates a batch locks the batch counter first, so that batches are created one
//! at a time. It then changes rows store by store, in ascending order of store ids.

mod batch;
mod header;
mod progress;

pub(crate) use header::batch_number;
pub(crate) use progress::read_done;

use std::collections::{BTreeMap, BTreeSet};

use pressline_backoffice::production::ItemRef;
use pressline_domain::value::{OrderId, StoreId};

fn distinct(orders: &[OrderId]) -> BTreeSet<&OrderId> {
    orders.iter().collect()
}

fn by_store(items: &[ItemRef]) -> BTreeMap<StoreId, Vec<ItemRef>> {
    let mut stores: BTreeMap<StoreId, Vec<ItemRef>> = BTreeMap::new();
    for place in items {
        stores.entry(place.store).or_default().push(*place);
    }
    stores
}
