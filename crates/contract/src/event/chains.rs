//! Cases about reading the events of several orders backwards.

use pressline_domain::event::{Event, EventChain};
use pressline_domain::order::Order;

use super::{hold_and_release, place};
use crate::check::same;
use crate::order::Shop;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    chains_of_events_are_read_in_their_order,
    chains_of_events_are_bounded,
];

fn sequences(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.sequence).collect()
}

/// Creates three orders with five events each: 1 to 5, 6 to 10 and 11 to 15.
async fn orders(shop: &mut Shop) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for number in 0..3 {
        let store = shop.store;
        let order = place(shop, store, &format!("T-{number}")).await?;
        orders.push(hold_and_release(shop, order, 2).await?);
    }
    Ok(orders)
}

/// Returns the chain of an order's events without its first `after` events.
fn chain(order: &Order, after: u64) -> EventChain {
    let latest = order.state.last_sequence;
    EventChain {
        order: order.content.id,
        latest,
        until: latest - 5 + after,
    }
}

async fn chains_of_events_are_read_in_their_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = orders(&mut shop).await?;
    let [first, second, third] = orders.as_slice() else {
        return Err(CaseError::new("three orders"));
    };
    let read = async |chains: &[EventChain], count| -> Result<Vec<Event>, CaseError> {
        let feed = &shop.adapters.feed;
        Ok(feed.chains(shop.store, chains, count, u64::MAX).await?)
    };
    let chains = [chain(third, 3), chain(first, 1), chain(second, 4)];
    let events = read(&chains, 100).await?;
    let wanted = vec![15, 14, 5, 4, 3, 2, 10];
    same("sequences", &sequences(&events), &wanted)?;
    let (id, latest) = (first.content.id, first.state.last_sequence);
    let history = shop.orders.events(shop.store, id, latest, 4).await?;
    let own = events.get(2..6).unwrap_or_default();
    same("the events", own, &history)?;
    // The limit counts per chain.
    let events = read(&chains, 2).await?;
    same("two of each", &sequences(&events), &vec![15, 14, 5, 4, 10])?;
    let all = read(&[chain(first, 0)], 100).await?;
    same("all events", &sequences(&all), &vec![5, 4, 3, 2, 1])?;
    // A chain with another order's events, or in another store, has no events.
    let mistaken = EventChain {
        order: second.content.id,
        ..chain(first, 0)
    };
    same(
        "of another order",
        &read(&[mistaken], 9).await?,
        &Vec::new(),
    )?;
    let elsewhere = shop.another("OTHER").await?;
    let feed = &shop.adapters.feed;
    let none = feed.chains(elsewhere, &chains, 9, u64::MAX).await?;
    same("in another store", &none, &Vec::new())
}

async fn chains_of_events_are_bounded(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = orders(&mut shop).await?;
    let chains: Vec<EventChain> = orders.iter().map(|order| chain(order, 2)).collect();
    let feed = &shop.adapters.feed;
    let all = feed.chains(shop.store, &chains, 9, u64::MAX).await?;
    same("all", &all.len(), &9)?;
    let one = feed.chains(shop.store, &chains, 9, 1).await?;
    same(
        "at least one event",
        &one.as_slice(),
        &all.get(..1).unwrap_or_default(),
    )?;
    // A limit in bytes may cut the list anywhere, but must keep its beginning.
    for bytes in [500, 2_000, 5_000] {
        let some = feed.chains(shop.store, &chains, 9, bytes).await?;
        let wanted = all.get(..some.len()).unwrap_or_default();
        same("the first events", &some.as_slice(), &wanted)?;
    }
    Ok(())
}
