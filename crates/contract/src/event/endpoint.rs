//! Cases about events of endpoints that the service has disabled.

use pressline_domain::event::{EndpointDisabled, EventType, FeedEvent, FeedFilter, FeedQuery};
use pressline_domain::value::{EndpointId, StoreId, Timestamp};
use tokio::task::JoinSet;

use super::{after, of_types, place, read, sequences};
use crate::check::same;
use crate::order::{LATER, Shop, held, update};
use crate::samples::made;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![a_disabled_endpoint_has_its_place_in_the_feed];

/// Number of concurrent calls that disable an endpoint.
const CONCURRENT_CALLS: u64 = 6;

fn disabled(shop: &mut Shop) -> EndpointDisabled {
    EndpointDisabled {
        endpoint: EndpointId::new(shop.random.uuid()),
        at: Timestamp::from_millis(LATER),
        reason: "failing".to_owned(),
    }
}

async fn add(shop: &Shop, store: StoreId, event: &EndpointDisabled) -> Result<u64, CaseError> {
    let add = &shop.adapters.add_endpoint_event;
    Ok(add(store, event.clone()).await?)
}

async fn a_disabled_endpoint_has_its_place_in_the_feed(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let first = disabled(&mut shop);
    same("its sequence", &add(&shop, store, &first).await?, &1)?;
    let order = place(&mut shop, store, "T-1").await?;
    let second = disabled(&mut shop);
    same("its sequence", &add(&shop, store, &second).await?, &3)?;
    let order = update(&shop.orders, &made(held(&order)?)?).await?;
    let (id, latest) = (order.content.id, order.state.last_sequence);
    same("the sequence of the order", &latest, &4)?;
    // With and without orders in the feed, each event has its position.
    let event = |sequence, event: &EndpointDisabled| FeedEvent::EndpointDisabled {
        sequence,
        event: event.clone(),
    };
    for whole_orders in [true, false] {
        let query = FeedQuery {
            whole_orders,
            ..after(0)
        };
        let batch = read(&shop, store, &query).await?;
        same("sequences", &sequences(&batch.events), &vec![1, 2, 3, 4])?;
        let orders = batch.orders.len() + batch.identities.len();
        same("orders", &orders, &1)?;
        let mut ends = batch.events;
        ends.retain(|event| event.of_order().is_none());
        same("ends", &ends, &vec![event(1, &first), event(3, &second)])?;
    }
    // A filter by type finds the event, a filter by order does not.
    for (filter, wanted) in [
        (of_types(&[EventType::WebhookDisabled]), vec![1, 3]),
        (of_types(&[EventType::OrderHeld]), vec![4]),
        (
            FeedFilter {
                order: Some(id),
                ..FeedFilter::default()
            },
            vec![2, 4],
        ),
    ] {
        let query = FeedQuery { filter, ..after(0) };
        let batch = read(&shop, store, &query).await?;
        same("filtered", &sequences(&batch.events), &wanted)?;
    }
    // The event is not part of an order's history.
    let history: Vec<u64> = shop
        .orders
        .events(store, id, latest, 9)
        .await?
        .iter()
        .map(|event| event.sequence)
        .collect();
    same("the history", &history, &vec![4, 2])?;
    let last = shop.adapters.feed.last_sequences(&[store].into()).await?;
    same("the last sequence", &last, &[(store, 4)].into())?;
    at_once(&mut shop).await
}

/// Adds [`CONCURRENT_CALLS`] events concurrently with orders. Sequence numbers have no gap and no duplicate.
async fn at_once(shop: &mut Shop) -> CaseResult {
    let store = shop.store;
    let mut calls = JoinSet::new();
    for _ in 0..CONCURRENT_CALLS {
        let event = disabled(shop);
        calls.spawn((shop.adapters.add_endpoint_event)(store, event));
    }
    for number in 0..CONCURRENT_CALLS {
        place(shop, store, &format!("O-{number}")).await?;
    }
    while let Some(added) = calls.join_next().await {
        added??;
    }
    let batch = read(shop, store, &after(4)).await?;
    let wanted = (5..5 + 2 * CONCURRENT_CALLS).collect();
    same("sequences", &sequences(&batch.events), &wanted)?;
    let ends = batch.events.iter().filter(|event| event.order().is_none());
    same("ends", &(ends.count() as u64), &CONCURRENT_CALLS)
}
