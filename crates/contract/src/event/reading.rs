//! Cases about reading events in order.

use std::collections::BTreeMap;

use pressline_domain::event::{Event, EventType, FeedBatch, FeedEvent, FeedFilter, FeedQuery};
use pressline_domain::order::OrderIdentity;
use pressline_domain::value::StoreId;

use super::{after, hold_and_release, of_types, place, read, sequences};
use crate::check::{holds, same};
use crate::order::Shop;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_empty_store_has_no_events,
    the_feed_has_every_event_once,
    the_feed_of_a_store_has_its_own_events_only,
    the_feed_is_filtered_by_type_and_order,
    the_feed_can_be_read_without_orders,
    a_filtered_call_examines_a_bounded_number_of_events,
    a_batch_of_events_is_bounded,
    last_sequences_are_those_of_the_feed,
];

async fn an_empty_store_has_no_events(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let nowhere = StoreId::new(shop.random.uuid());
    for store in [shop.store, nowhere] {
        let batch = read(&shop, store, &after(0)).await?;
        same("the batch", &batch, &FeedBatch::default())?;
        let batch = read(&shop, store, &after(7)).await?;
        same("after a later sequence", &batch.examined(&after(7)), &7)?;
    }
    Ok(())
}

async fn the_feed_has_every_event_once(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let mut orders = BTreeMap::new();
    for number in 0..5 {
        let order = place(&mut shop, store, &format!("T-{number}")).await?;
        let order = hold_and_release(&shop, order, number).await?;
        orders.insert(order.content.id, order);
    }
    let whole = read(&shop, store, &after(0)).await?;
    same("sequences", &sequences(&whole.events), &(1..=25).collect())?;
    same("the last sequence", &whole.last_sequence, &25)?;
    holds("the batch is not full", !whole.is_full)?;
    let found = whole
        .orders
        .iter()
        .cloned()
        .map(|order| (order.content.id, order))
        .collect();
    same("the orders", &found, &orders)?;
    // The feed has the same events as the history of each order.
    for order in orders.values() {
        let (id, latest) = (order.content.id, order.state.last_sequence);
        let mut history = shop.orders.events(store, id, latest, 100).await?;
        history.reverse();
        let own: Vec<Event> = whole
            .events
            .iter()
            .filter_map(FeedEvent::of_order)
            .filter(|event| event.event.order == id)
            .cloned()
            .collect();
        same("the events of an order", &own, &history)?;
    }
    // Reads from any sequence number on, page by page.
    let mut query = FeedQuery {
        limit: 4,
        ..after(0)
    };
    let mut paged = Vec::new();
    loop {
        let batch = read(&shop, store, &query).await?;
        let examined = batch.examined(&query);
        paged.extend(batch.events);
        if examined >= batch.last_sequence {
            break;
        }
        query.after = examined;
    }
    same("page by page", &paged, &whole.events)?;
    let beyond = read(&shop, store, &after(99)).await?;
    same("beyond the end", &beyond.events, &Vec::new())?;
    same("its end", &beyond.examined(&after(99)), &99)
}

async fn the_feed_of_a_store_has_its_own_events_only(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (store, other) = (shop.store, shop.another("OTHER").await?);
    let own = place(&mut shop, store, "T-1").await?;
    for number in 1..=3 {
        place(&mut shop, other, &format!("T-{number}")).await?;
    }
    let batch = read(&shop, store, &after(0)).await?;
    same("events", &sequences(&batch.events), &vec![1])?;
    same("orders", &batch.orders, &vec![own.clone()])?;
    same("the last sequence", &batch.last_sequence, &1)?;
    // A filter by the id of another store's order matches no event.
    let query = FeedQuery {
        filter: FeedFilter {
            order: Some(own.content.id),
            ..FeedFilter::default()
        },
        ..after(0)
    };
    let elsewhere = read(&shop, other, &query).await?;
    same("in another store", &elsewhere.events, &Vec::new())
}

async fn the_feed_is_filtered_by_type_and_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let mut ids = Vec::new();
    for number in 0..4 {
        let order = place(&mut shop, store, &format!("T-{number}")).await?;
        let order = hold_and_release(&shop, order, 2).await?;
        ids.push(order.content.id);
    }
    let all = read(&shop, store, &after(0)).await?.events;
    let filters = [
        of_types(&[EventType::OrderCreated]),
        of_types(&[EventType::OrderHeld, EventType::OrderReleased]),
        of_types(&[EventType::ShipmentCreated]),
        FeedFilter {
            order: ids.get(1).copied(),
            ..FeedFilter::default()
        },
        FeedFilter {
            order: ids.get(2).copied(),
            ..of_types(&[EventType::OrderHeld])
        },
    ];
    for filter in filters {
        let mut wanted = all.clone();
        wanted.retain(|event| filter.matches(event));
        let what = format!("{filter:?}");
        for (from, limit) in [(0, 500), (3, 500), (0, 3)] {
            let query = FeedQuery {
                filter: filter.clone(),
                limit,
                ..after(from)
            };
            let batch = read(&shop, store, &query).await?;
            let mut wanted = wanted.clone();
            wanted.retain(|event| event.sequence() > from);
            wanted.truncate(usize::try_from(limit)?);
            same(&what, &batch.events, &wanted)?;
            same(&what, &batch.last_sequence, &20)?;
        }
    }
    Ok(())
}

async fn the_feed_can_be_read_without_orders(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    for number in 0..4 {
        let order = place(&mut shop, store, &format!("T-{number}")).await?;
        hold_and_release(&shop, order, 2).await?;
    }
    let whole = read(&shop, store, &after(3)).await?;
    same("no identities", &whole.identities, &Vec::new())?;
    let without = FeedQuery {
        whole_orders: false,
        ..after(3)
    };
    let batch = read(&shop, store, &without).await?;
    same("the events", &batch.events, &whole.events)?;
    same("the last sequence", &batch.last_sequence, &20)?;
    same("no orders", &batch.orders, &Vec::new())?;
    let mut found = batch.identities;
    found.sort_by_key(|identity| identity.id);
    let mut wanted: Vec<OrderIdentity> = whole.orders.iter().map(OrderIdentity::new).collect();
    wanted.sort_by_key(|identity| identity.id);
    same("the identities", &found, &wanted)?;
    // Without whole orders, the sizes and the number of the events alone fill a batch.
    let one = FeedQuery {
        bytes: 1,
        ..without.clone()
    };
    let batch = read(&shop, store, &one).await?;
    same("one event", &sequences(&batch.events), &vec![4])?;
    same("with its order", &batch.identities.len(), &1)?;
    holds("the batch is full", batch.is_full)?;
    let two = FeedQuery {
        limit: 2,
        ..without
    };
    let batch = read(&shop, store, &two).await?;
    same("two events", &sequences(&batch.events), &vec![4, 5])
}

async fn a_filtered_call_examines_a_bounded_number_of_events(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let first = place(&mut shop, store, "T-1").await?;
    hold_and_release(&shop, first, 4).await?;
    place(&mut shop, store, "T-2").await?;
    let query = |after_sequence| FeedQuery {
        filter: of_types(&[EventType::OrderCreated]),
        examined: 5,
        ..after(after_sequence)
    };
    for (from, wanted, examined) in [
        (0, vec![1], 5),
        (1, vec![], 6),
        (4, vec![], 9),
        (5, vec![10], 10),
        (9, vec![10], 10),
        (10, vec![], 10),
    ] {
        let batch = read(&shop, store, &query(from)).await?;
        let what = format!("after {from}");
        same(&what, &sequences(&batch.events), &wanted)?;
        same(&what, &batch.examined(&query(from)), &examined)?;
        holds(&what, !batch.is_full)?;
    }
    Ok(())
}

async fn a_batch_of_events_is_bounded(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    for number in 0..3 {
        let order = place(&mut shop, store, &format!("T-{number}")).await?;
        hold_and_release(&shop, order, 1).await?;
    }
    let all = read(&shop, store, &after(0)).await?.events;
    // The first event is returned whatever its size, and then no further event.
    let one = FeedQuery {
        bytes: 1,
        ..after(3)
    };
    let batch = read(&shop, store, &one).await?;
    same("one event", &sequences(&batch.events), &vec![4])?;
    same("with its order", &batch.orders.len(), &1)?;
    holds("the batch is full", batch.is_full)?;
    same("its end", &batch.examined(&one), &4)?;
    same("the last sequence", &batch.last_sequence, &9)?;
    // Batches of any size together contain all events, each with its order.
    for bytes in [1, 2_000, 10_000, 100_000] {
        let mut query = FeedQuery { bytes, ..after(0) };
        let mut found = Vec::new();
        while query.after < 9 {
            let batch = read(&shop, store, &query).await?;
            let known = |id| batch.orders.iter().any(|order| order.content.id == id);
            let complete = batch
                .events
                .iter()
                .all(|event| event.order().is_some_and(known));
            holds("an event without its order", complete)?;
            query.after = batch.examined(&query);
            found.extend(batch.events);
        }
        same(&format!("batches of {bytes} bytes"), &found, &all)?;
    }
    let last = FeedQuery {
        bytes: 1,
        ..after(8)
    };
    let batch = read(&shop, store, &last).await?;
    holds("nothing follows the last event", !batch.is_full)
}

async fn last_sequences_are_those_of_the_feed(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (store, empty) = (shop.store, shop.another("EMPTY").await?);
    let (other, left_out) = (shop.another("OTHER").await?, shop.another("OUT").await?);
    for number in 1..=3 {
        place(&mut shop, store, &format!("T-{number}")).await?;
    }
    place(&mut shop, other, "T-1").await?;
    place(&mut shop, left_out, "T-1").await?;
    let wanted = [store, empty, other].into();
    let found = shop.adapters.feed.last_sequences(&wanted).await?;
    same("sequences", &found, &[(store, 3), (other, 1)].into())?;
    let none = shop.adapters.feed.last_sequences(&[].into()).await?;
    same("of no store", &none, &[].into())
}
