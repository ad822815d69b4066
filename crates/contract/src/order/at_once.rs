//! Cases about concurrent calls.

use std::collections::HashSet;
use std::sync::Arc;

use pressline_domain::fulfilment::Change;
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderWrite};
use pressline_domain::value::StoreId;
use tokio::task::JoinSet;

use super::{Shop, create, update};
use crate::at_once::{at_once, winners};
use crate::check::{holds, is_duplicate, is_stale, same};
use crate::samples::{at, changed, placed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    of_concurrent_creates_one_wins,
    concurrent_creates_get_numbers_of_their_own,
    of_concurrent_updates_one_wins,
    no_reader_sees_half_an_update,
];

/// Number of concurrent calls.
const CALLS: usize = 16;
/// Number of updates during the reads in [`no_reader_sees_half_an_update`].
const ROUNDS: u32 = 40;

async fn of_concurrent_creates_one_wins(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    for round in 0..5 {
        let order_id = format!("T-{round}");
        let mut calls = Vec::new();
        for _ in 0..CALLS {
            let write = OrderWrite::create(placed(shop.parts(&order_id)?)?);
            let orders = Arc::clone(&shop.orders);
            calls.push(async move { orders.write(write).await });
        }
        let refused = |refused| is_duplicate("a create that came later", refused);
        let won = winners(calls, refused).await?;
        same("orders created", &won.len(), &1)?;
        same(
            "the order",
            &shop.find(shop.store, &order_id).await?.as_ref(),
            &won.first(),
        )?;
    }
    same("orders in all", &shop.all(shop.store).await?.len(), &5)
}

async fn concurrent_creates_get_numbers_of_their_own(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut calls = Vec::new();
    for call in 0..CALLS {
        let parts: Vec<_> = (0..4)
            .map(|i| shop.parts(&format!("T-{call}-{i}")))
            .collect::<Result<_, _>>()?;
        let orders = Arc::clone(&shop.orders);
        calls.push(async move {
            let mut numbers = Vec::new();
            for parts in parts {
                numbers.push(create(&orders, parts).await??.service_order_id.number);
            }
            Ok::<_, CaseError>(numbers)
        });
    }
    let mut numbers = HashSet::new();
    for of_call in at_once(calls).await? {
        let of_call = of_call?;
        holds(
            "the numbers of one caller do not grow",
            of_call.is_sorted_by(|one, next| one < next),
        )?;
        numbers.extend(of_call);
    }
    same("distinct numbers", &numbers.len(), &(CALLS * 4))
}

async fn of_concurrent_updates_one_wins(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut order = shop.place("T-1").await?;
    for _ in 0..5 {
        let mut calls = Vec::new();
        for _ in 0..CALLS {
            let parts = shop.rewritten(&order)?;
            let change = changed(&order, parts, at(1000))?;
            let orders = Arc::clone(&shop.orders);
            calls.push(async move { update(&orders, &change).await });
        }
        let refused = |refused| is_stale("an update that came later", refused);
        let mut won = winners(calls, refused).await?;
        same("updates that won", &won.len(), &1)?;
        let found = shop.find(shop.store, "T-1").await?;
        same(
            &format!("the order ({})", shop.random),
            &found.as_ref(),
            &won.first(),
        )?;
        order = won.pop().unwrap_or(order);
    }
    Ok(())
}

/// Returns a change that writes `version` into the note and the items, and derives the number of
/// items from it.
fn stamped(order: &Order, version: u32) -> Result<Change, CaseError> {
    let mut parts = order.parts().clone();
    parts.production_note = Some(version.to_string());
    let item = parts
        .items
        .first()
        .cloned()
        .ok_or_else(|| CaseError::new("no item"))?;
    // The number of items varies, so that updates add and remove items.
    let count = usize::try_from(version % 5)? + 1;
    parts.items = (0..count)
        .map(|place| {
            let mut item = item.clone();
            // Item ids follow from their positions, so that the items of a version replace the
            // previous items.
            item.id = pressline_domain::value::ItemId::new(uuid::Uuid::from_u128(
                (7 << 76) | place as u128,
            ));
            item.name = Some(version.to_string());
            item
        })
        .collect();
    let at = at(i64::from(version));
    changed(order, parts, at)
}

fn check_stamp(order: &Order) -> CaseResult {
    let parts = order.parts();
    let version = order.state.version;
    same(
        "its note",
        &parts.production_note,
        &Some(version.to_string()),
    )?;
    same(
        "its items",
        &parts.items.len(),
        &(usize::try_from(version % 5)? + 1),
    )?;
    for item in &parts.items {
        same("an item's name", &item.name, &Some(version.to_string()))?;
    }
    Ok(())
}

async fn read_all_the_while(
    orders: Arc<dyn OrderRepository>,
    store: StoreId,
    by_search: bool,
) -> CaseResult {
    let filter = SearchFilter::default();
    let query = SearchQuery {
        filter,
        start: Start::Offset(0),
        size: 10,
        bytes: u64::MAX,
    };
    let lookup = Lookup::by_order_id("T-1");
    loop {
        let found = if by_search {
            orders.search(store, &query).await?.orders.pop()
        } else {
            orders.find(store, &lookup).await?.map(Order::from)
        };
        let order = found.ok_or_else(|| CaseError::new("the order was missing for a moment"))?;
        let version = order.state.version;
        check_stamp(&order).map_err(|failure| failure.in_context(&format!("version {version}")))?;
        if version >= ROUNDS {
            return Ok(());
        }
        tokio::task::yield_now().await;
    }
}

async fn no_reader_sees_half_an_update(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut order = shop.place("T-1").await?;
    // From here on, every version carries a stamp.
    let next = stamped(&order, 2)?;
    order = update(&shop.orders, &next).await?;
    let mut readers = JoinSet::new();
    for by_search in [false, true, false, true] {
        readers.spawn(read_all_the_while(
            Arc::clone(&shop.orders),
            shop.store,
            by_search,
        ));
    }
    for version in 3..=ROUNDS {
        let next = stamped(&order, version)?;
        order = update(&shop.orders, &next).await?;
        tokio::task::yield_now().await;
    }
    while let Some(reader) = readers.join_next().await {
        reader??;
    }
    Ok(())
}
