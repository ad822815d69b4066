//! Cases about reading the feed while other calls write.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pressline_domain::event::{FeedBatch, FeedEvent};
use pressline_domain::order::{OrderParts, OrderRepository};
use tokio::task::JoinSet;

use super::{after, read, sequences};
use crate::check::{holds, same};
use crate::order::{Shop, create, held, released, update};
use crate::samples::made;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_reader_never_finds_an_event_behind_it,
    a_batch_is_of_one_state,
];

/// Number of concurrent writers.
const WRITERS: usize = 8;
/// Number of orders per writer, with three events each.
const ORDERS: usize = 12;

/// Creates the orders `parts`, and holds and releases each.
async fn write(orders: Arc<dyn OrderRepository>, parts: Vec<OrderParts>) -> CaseResult {
    for parts in parts {
        let order = create(&orders, parts).await??;
        let order = update(&orders, &made(held(&order)?)?).await?;
        update(&orders, &released(&order)?).await?;
    }
    Ok(())
}

/// Starts the writers. The flag becomes `true` when all have ended.
fn start(shop: &mut Shop) -> Result<(JoinSet<CaseResult>, Arc<AtomicBool>), crate::CaseError> {
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let mut parts = Vec::new();
        for number in 0..ORDERS {
            let (store, order_id) = (shop.store, format!("T-{writer}-{number}"));
            parts.push(shop.random.order(store, &order_id)?);
        }
        writers.spawn(write(Arc::clone(&shop.orders), parts));
    }
    let ended = Arc::new(AtomicBool::new(false));
    let mut waiting = JoinSet::new();
    let flag = Arc::clone(&ended);
    waiting.spawn(async move {
        let mut result = Ok(());
        while let Some(call) = writers.join_next().await {
            result = result.and(call?);
        }
        flag.store(true, Ordering::SeqCst);
        result
    });
    Ok((waiting, ended))
}

async fn a_reader_never_finds_an_event_behind_it(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (mut writers, ended) = start(&mut shop)?;
    let mut found: Vec<u64> = Vec::new();
    loop {
        // Read before the batch, so that the last batch contains everything.
        let is_last = ended.load(Ordering::SeqCst);
        let passed = found.last().copied().unwrap_or(0);
        let batch = read(&shop, shop.store, &after(passed)).await?;
        found.extend(sequences(&batch.events));
        if is_last {
            break;
        }
    }
    while let Some(call) = writers.join_next().await {
        call??;
    }
    let count = u64::try_from(WRITERS * ORDERS * 3)?;
    same("what was found on the way", &found, &(1..=count).collect())
}

/// Checks that events and orders of the batch belong to a single state of the database.
fn check_state(batch: &FeedBatch) -> CaseResult {
    let orders: BTreeMap<_, _> = batch
        .orders
        .iter()
        .map(|order| (order.content.id, order))
        .collect();
    for event in batch.events.iter().filter_map(FeedEvent::of_order) {
        let order = orders.get(&event.event.order);
        let is_known = order.is_some_and(|order| {
            order.state.last_sequence >= event.sequence
                && order.state.version >= event.event.version
        });
        holds("an order is older than its event", is_known)?;
    }
    let latest = orders
        .values()
        .map(|order| order.state.last_sequence)
        .max()
        .unwrap_or(0);
    holds(
        "an order is newer than the last sequence",
        latest <= batch.last_sequence,
    )?;
    let last = batch.events.last().map_or(0, |event| event.sequence());
    same("the last event of all", &last, &batch.last_sequence)
}

async fn a_batch_is_of_one_state(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (mut writers, ended) = start(&mut shop)?;
    loop {
        // Read before the batch, so that the last batch is read after all writes.
        let is_last = ended.load(Ordering::SeqCst);
        check_state(&read(&shop, shop.store, &after(0)).await?)?;
        if is_last {
            break;
        }
    }
    while let Some(call) = writers.join_next().await {
        call??;
    }
    Ok(())
}
