//! Cases about due orders.

use std::collections::BTreeSet;
use std::sync::Arc;

use pressline_domain::event::{Actor, at_version};
use pressline_domain::fulfilment::{CancelCommand, cancel, due};
use pressline_domain::order::{DueOrder, FastForward, Order, OrderRepository};
use pressline_domain::value::{ChangeId, CorrectionId, OrderId, StoreId, Timestamp};
use uuid::Uuid;

use super::Shop;
use super::life::{LATER, by, complete, complete_in, held, store, write};
use crate::at_once::at_once;
use crate::check::{holds, same};
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_order_is_taken_when_it_is_due,
    of_servers_at_once_one_takes_an_order,
    no_store_keeps_the_due_orders_of_others_waiting,
    orders_fall_due_sooner,
    earlier_versions_keep_their_ends,
    calls_at_once_bring_orders_nearer_by_their_sum,
];

/// A time after the end of all windows.
const NEXT_DAY: i64 = NOW + 24 * 60 * 60 * 1000;

async fn take(
    orders: &Arc<dyn OrderRepository>,
    now: i64,
    until: i64,
) -> Result<Vec<DueOrder>, CaseError> {
    let (now, until) = (Timestamp::from_millis(now), Timestamp::from_millis(until));
    Ok(orders.take_due(now, until, 100).await?)
}

async fn an_order_is_taken_when_it_is_due(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let placed = complete(&mut shop, "T-1").await?;
    let cancelled = complete(&mut shop, "T-2").await?;
    let command = CancelCommand {
        items: None,
        keep_fees: false,
        change: ChangeId::new(Uuid::from_u128(5)),
    };
    let no_line = || CorrectionId::new(Uuid::nil());
    write(&shop, cancel(&cancelled, &command, &no_line, &store())).await?;
    // The window of a cancelled order must not make it due.
    let orders = Arc::clone(&shop.orders);
    same(
        "before its window ends",
        &take(&orders, LATER, LATER).await?,
        &Vec::new(),
    )?;
    let own = vec![DueOrder {
        store: shop.store,
        order: placed.content.id,
    }];
    let until = NEXT_DAY + 1000;
    same(
        "when its window has ended",
        &take(&orders, NEXT_DAY, until).await?,
        &own,
    )?;
    same(
        "while it is taken",
        &take(&orders, NEXT_DAY, until).await?,
        &Vec::new(),
    )?;
    same(
        "if it was not moved",
        &take(&orders, until, until + 1000).await?,
        &own,
    )?;
    let found = shop
        .find(shop.store, "T-1")
        .await?
        .ok_or_else(|| CaseError::new("no order"))?;
    write(&shop, due(&found, &by(Actor::Service, until))).await?;
    let later = until + 1000;
    same(
        "when it has moved",
        &take(&orders, later, later).await?,
        &Vec::new(),
    )
}

async fn no_store_keeps_the_due_orders_of_others_waiting(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let stores = [
        shop.store,
        shop.another("SECOND").await?,
        shop.another("THIRD").await?,
    ];
    for (store, count) in stores.into_iter().zip([20, 20, 1]) {
        for number in 0..count {
            complete_in(&mut shop, store, &format!("T-{number}")).await?;
        }
    }
    let (now, until) = (NEXT_DAY, NEXT_DAY + 1000);
    let (now, until) = (Timestamp::from_millis(now), Timestamp::from_millis(until));
    // Less than the first store has due; each store must still get a share.
    let taken = shop.orders.take_due(now, until, 6).await?;
    let of_stores: BTreeSet<StoreId> = taken.iter().map(|due| due.store).collect();
    same("stores whose orders are taken", &of_stores, &stores.into())
}

async fn of_servers_at_once_one_takes_an_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let stores: [StoreId; 2] = [shop.store, shop.another("OTHER").await?];
    for number in 0..20_usize {
        let store = stores.get(number % 2).copied().unwrap_or(shop.store);
        complete_in(&mut shop, store, &format!("T-{number}")).await?;
    }
    let calls = (0..4).map(|_| {
        let orders = Arc::clone(&shop.orders);
        async move { take(&orders, NEXT_DAY, NEXT_DAY + 1000).await }
    });
    let mut taken = Vec::new();
    for due in at_once(calls).await? {
        taken.extend(due?);
    }
    // Orders that another server has just locked are skipped, so a second call takes them.
    taken.extend(take(&shop.orders, NEXT_DAY, NEXT_DAY + 1000).await?);
    let ids: BTreeSet<_> = taken.iter().map(|due| due.order).collect();
    same("orders taken", &(taken.len(), ids.len()), &(20, 20))
}

/// Returns a request that fast-forwards all orders of a store by `millis`, `count` orders at a
/// time.
fn fast_forward(millis: i64, count: u32) -> FastForward {
    FastForward {
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        count,
        millis,
        now: at(0),
        until: Timestamp::from_millis(NEXT_DAY),
    }
}

/// Fast-forwards all orders of a store, page by page. Returns the orders that became due.
async fn fast_forward_all(
    orders: &Arc<dyn OrderRepository>,
    store: StoreId,
    mut fast_forward: FastForward,
) -> Result<Vec<OrderId>, CaseError> {
    let mut due = Vec::new();
    loop {
        let found = orders.fast_forward(store, &fast_forward).await?;
        due.extend(found.due);
        match found.last.and_then(|last| last.next()) {
            Some(next) => fast_forward.from = next,
            None => return Ok(due),
        }
    }
}

async fn orders_fall_due_sooner(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let mut placed = Vec::new();
    for number in 0..7 {
        let own = shop.store;
        placed.push(complete_in(&mut shop, own, &format!("T-{number}")).await?);
    }
    let elsewhere = complete_in(&mut shop, other, "T-0").await?;
    placed.sort_by_key(|order| order.content.id);
    let orders = Arc::clone(&shop.orders);
    let hour = 60 * 60 * 1000;
    // The windows end in an hour, a second apart.
    let due = fast_forward_all(&orders, shop.store, fast_forward(hour / 2, 3)).await?;
    same("after half an hour", &due, &Vec::new())?;
    for order in &placed {
        let id = order.content.id;
        let found = orders.load(shop.store, &[id], u64::MAX).await?;
        let ends = |order: &Order| -> Vec<Option<i64>> {
            let items = order.state.items.iter();
            let windows = items.map(|item| item.window_end.map(Timestamp::as_millis));
            let due = order.state.due_at.map(Timestamp::as_millis);
            windows.chain([due]).collect()
        };
        let wanted: Vec<_> = ends(order)
            .into_iter()
            .map(|end| end.map(|end| end - hour / 2))
            .collect();
        let found = found.first().map(ends);
        same("the ends", &found, &Some(wanted))?;
    }
    let due = fast_forward_all(&orders, shop.store, fast_forward(hour, 3)).await?;
    let ids: Vec<OrderId> = placed.iter().map(|order| order.content.id).collect();
    same("when they are due", &due, &ids)?;
    same(
        "what was taken",
        &take(&orders, NEXT_DAY - 1, NEXT_DAY).await?.len(),
        // Only the other store's order is due by then; it was not fast-forwarded.
        &1,
    )?;
    let found = orders
        .load(other, &[elsewhere.content.id], u64::MAX)
        .await?;
    let items = found.first().map(|order| &order.state.items);
    same("the other store", &items, &Some(&elsewhere.state.items))
}

async fn earlier_versions_keep_their_ends(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let own = shop.store;
    let placed = complete_in(&mut shop, own, "T-1").await?;
    let id = placed.content.id;
    let orders = Arc::clone(&shop.orders);
    for millis in [60_000, 1000] {
        fast_forward_all(&orders, own, fast_forward(millis, 3)).await?;
    }
    let found = orders
        .load(own, &[id], u64::MAX)
        .await?
        .into_iter()
        .next()
        .ok_or_else(|| CaseError::new("no order"))?;
    holds(
        "the ends are nearer",
        found.state.items != placed.state.items,
    )?;
    let before = found.after_latest_event().into_owned();
    same("after the latest event", &before, &placed)?;
    let on_hold = write(&shop, held(&found)).await?;
    let latest = on_hold.state.last_sequence;
    let events = orders.events(own, id, latest, 9).await?;
    same("version 2", &at_version(&on_hold, &events, 2)?, &on_hold)?;
    same("version 1", &at_version(&on_hold, &events, 1)?, &placed)
}

async fn calls_at_once_bring_orders_nearer_by_their_sum(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut placed = Vec::new();
    for number in 0..10 {
        let own = shop.store;
        placed.push(complete_in(&mut shop, own, &format!("T-{number}")).await?);
    }
    // Distinct powers of ten: the sum shows that each call took effect exactly once.
    let calls = [1, 10, 100, 1000].map(|seconds| {
        let (orders, store) = (Arc::clone(&shop.orders), shop.store);
        async move { fast_forward_all(&orders, store, fast_forward(seconds * 1000, 4)).await }
    });
    for due in at_once(calls).await? {
        due?;
    }
    for order in placed {
        let found = shop
            .orders
            .load(shop.store, &[order.content.id], u64::MAX)
            .await?;
        let due = |order: &Order| order.state.due_at.map(Timestamp::as_millis);
        let found = found.first().and_then(due);
        let wanted = due(&order).map(|due| due - 1_111_000);
        same("the due time", &found, &wanted)?;
    }
    Ok(())
}
