//! Cases about the event feed.

mod at_once;
mod chains;
mod endpoint;
mod reading;
mod replay;

use std::collections::BTreeSet;

use pressline_domain::event::{EventType, FeedBatch, FeedEvent, FeedFilter, FeedQuery};
use pressline_domain::order::Order;
use pressline_domain::value::StoreId;

use crate::CaseError;
use crate::order::{Shop, create, held, released, update};
use crate::samples::made;

pub(crate) use at_once::CASES as CONCURRENCY;
pub(crate) use chains::CASES as CHAINS;
pub(crate) use endpoint::CASES as ENDPOINT;
pub(crate) use reading::CASES as READING;
pub(crate) use replay::CASES as REPLAY;

/// Returns a query for all events after sequence number `after`.
fn after(after: u64) -> FeedQuery {
    FeedQuery {
        after,
        filter: FeedFilter::default(),
        examined: 10_000,
        limit: 500,
        bytes: u64::MAX,
        whole_orders: true,
    }
}

fn of_types(types: &[EventType]) -> FeedFilter {
    FeedFilter {
        types: types.iter().copied().collect::<BTreeSet<_>>(),
        order: None,
    }
}

fn sequences(events: &[FeedEvent]) -> Vec<u64> {
    events.iter().map(FeedEvent::sequence).collect()
}

async fn read(shop: &Shop, store: StoreId, query: &FeedQuery) -> Result<FeedBatch, CaseError> {
    Ok(shop.adapters.feed.read(store, query).await?)
}

/// Creates a random order of `store`.
async fn place(shop: &mut Shop, store: StoreId, order_id: &str) -> Result<Order, CaseError> {
    let parts = shop.random.order(store, order_id)?;
    Ok(create(&shop.orders, parts).await??)
}

/// Holds and releases an order `times` times.
async fn hold_and_release(shop: &Shop, order: Order, times: u32) -> Result<Order, CaseError> {
    let mut order = order;
    for _ in 0..times {
        order = update(&shop.orders, &made(held(&order)?)?).await?;
        order = update(&shop.orders, &released(&order)?).await?;
    }
    Ok(order)
}
