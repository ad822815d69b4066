//! Cases about rebuilding orders from the feed of a store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pressline_domain::check::Field;
use pressline_domain::error::Source;
use pressline_domain::event::{
    EventBodies, EventContent, EventService, EventToWrite, FeedDraft, FeedPage,
};
use pressline_domain::order::Order;
use pressline_domain::store::Store;
use pressline_domain::value::{OrderId, Timestamp};

use super::place;
use crate::check::same;
use crate::order::{LATER, Shop, held, released, update};
use crate::samples::{changed, made};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![the_feed_replayed_gives_every_version_of_every_order];

/// Records the orders of events instead of writing bodies.
#[derive(Default)]
struct Recorder(Mutex<BTreeMap<u64, Order>>);

impl EventBodies for Recorder {
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source> {
        if let EventContent::Order {
            event,
            order: Some(order),
            ..
        } = event.content
        {
            let mut orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            orders.insert(event.sequence, order.clone());
        }
        Ok(b"{}".to_vec())
    }
}

impl Recorder {
    fn take(&self) -> BTreeMap<u64, Order> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Changes orders alternately. Returns all their versions, by the sequence number of their events.
async fn versions(shop: &mut Shop) -> Result<BTreeMap<u64, Order>, CaseError> {
    let mut versions = BTreeMap::new();
    let mut latest = Vec::new();
    for number in 0..6 {
        let store = shop.store;
        latest.push(place(shop, store, &format!("T-{number}")).await?);
    }
    versions.extend(by_sequence(&latest));
    for round in 0..9_i64 {
        for order in &mut latest {
            let change = match round % 3 {
                0 => made(held(order)?)?,
                1 => released(order)?,
                _ => {
                    let parts = shop.rewritten(order)?;
                    changed(order, parts, Timestamp::from_millis(LATER + round))?
                }
            };
            *order = update(&shop.orders, &change).await?;
        }
        versions.extend(by_sequence(&latest));
    }
    Ok(versions)
}

fn by_sequence(orders: &[Order]) -> BTreeMap<u64, Order> {
    let orders = orders.iter().cloned();
    orders
        .map(|order| (order.state.last_sequence, order))
        .collect()
}

/// Reads the feed to its end. Returns the sequence numbers.
async fn read_to_the_end(
    service: &EventService,
    store: &Store,
    mut draft: FeedDraft,
) -> Result<Vec<u64>, CaseError> {
    let mut sequences = Vec::new();
    loop {
        let (request, _) = service.check(store, &draft).await?;
        let page: FeedPage = service.read(store.id, &request).await?;
        sequences.extend(page.events.iter().map(|event| event.sequence));
        if page.next_after >= page.last_sequence {
            return Ok(sequences);
        }
        draft.after_sequence = i64::try_from(page.next_after)?.into();
    }
}

async fn the_feed_replayed_gives_every_version_of_every_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let versions = versions(&mut shop).await?;
    let recorder = Arc::new(Recorder::default());
    let feed = Arc::clone(&shop.adapters.feed);
    let service = EventService::new(
        feed,
        Arc::clone(&shop.orders),
        Arc::clone(&shop.adapters.stores),
        recorder.clone(),
    );
    let record = shop.adapters.stores.find(shop.store).await?;
    let store = record.ok_or_else(|| CaseError::new("no store"))?.store;
    for (limit, types) in [(500, vec![]), (7, vec![]), (500, vec!["order.held"])] {
        let draft = FeedDraft {
            limit: limit.into(),
            types: types
                .iter()
                .map(|name| Field::from(*name))
                .collect::<Vec<_>>()
                .into(),
            ..FeedDraft::default()
        };
        let sequences = read_to_the_end(&service, &store, draft).await?;
        let replayed = recorder.take();
        same("events", &sequences, &replayed.keys().copied().collect())?;
        let mut wanted = versions.clone();
        wanted.retain(|sequence, _| replayed.contains_key(sequence));
        same("orders right after their events", &replayed, &wanted)?;
        let is_whole = types.is_empty();
        let count = if is_whole { versions.len() } else { 18 };
        same("number of events", &sequences.len(), &count)?;
        if is_whole {
            let last = replayed
                .into_values()
                .map(|order| (order.content.id, order));
            let replayed: BTreeMap<OrderId, Order> = last.collect();
            let stored = shop
                .all(shop.store)
                .await?
                .into_iter()
                .map(|order| (order.content.id, order))
                .collect();
            same("orders", &replayed, &stored)?;
        }
    }
    // The feed filtered by one order.
    let draft = FeedDraft {
        order_id: "T-3".into(),
        ..FeedDraft::default()
    };
    let sequences = read_to_the_end(&service, &store, draft).await?;
    same("events of an order", &sequences.len(), &10)
}
