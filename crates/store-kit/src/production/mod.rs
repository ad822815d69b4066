//! The statements about the progress of items and about batches, the same for both databases.
//!
//! Rows are short and few columns are read at a time, so that they are tuples instead of structs. A transaction that
//! makes a batch locks the counter of batches first, so that one batch is made at a time; then it changes the rows of one store
//! after the other, in ascending order of the stores' ids.

mod batch;
mod header;
mod port;
mod progress;
mod statements;

pub(crate) use header::batch_number;
pub(crate) use progress::read_done;
pub use statements::production_statements;

use std::collections::{BTreeMap, BTreeSet};

use pressline_backoffice::production::ItemRef;
use pressline_domain::id::{OrderId, StoreId};

/// Returns the ids of orders as texts, each once, in ascending order.
fn order_texts<'o>(orders: impl IntoIterator<Item = &'o OrderId>) -> Vec<String> {
    let distinct: BTreeSet<&OrderId> = orders.into_iter().collect();
    distinct.into_iter().map(OrderId::to_string).collect()
}

/// Returns items by store, in ascending order of the stores' ids.
fn by_store(items: &[ItemRef]) -> BTreeMap<StoreId, Vec<ItemRef>> {
    let mut stores: BTreeMap<StoreId, Vec<ItemRef>> = BTreeMap::new();
    for place in items {
        stores.entry(place.store).or_default().push(*place);
    }
    stores
}
