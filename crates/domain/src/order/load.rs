//! Loading many orders of a store, batch by batch.

use super::{Order, OrderRepository};
use crate::error::Result;
use crate::value::{OrderId, StoreId};

/// Loads the next orders of `ids`, up to `bytes` in total, as [`OrderRepository::load`] does. Then
/// removes the ids up to the last loaded order from `ids`; all ids, if none of the orders exists.
///
/// # Errors
/// Same errors as [`OrderRepository::load`]; `ids` is unchanged then.
pub async fn load_next(
    orders: &dyn OrderRepository,
    store: StoreId,
    ids: &mut &[OrderId],
    bytes: u64,
) -> Result<Vec<Order>> {
    let loaded = orders.load(store, ids, bytes).await?;
    // The repository skips orders that no longer exist, so the number of orders is not enough.
    let last = loaded.last().map(|order| order.content.id);
    let last_index = ids.iter().position(|id| Some(*id) == last);
    *ids = last_index
        .and_then(|last_index| ids.get(last_index + 1..))
        .unwrap_or_default();
    Ok(loaded)
}
