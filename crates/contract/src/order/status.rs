//! Cases about searches by item status and by order type.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::{
    CancelCommand, Command, Decision, ItemStatus, Refusal, ShipCommand, ShipmentUpdate, cancel,
    move_items, process_now, ship,
};
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::value::{ChangeId, CorrectionId, ItemId, ShipmentId};
use pressline_kit::words::SearchKey;
use uuid::Uuid;

use super::life::{complete, held, need_of, operator, store};
use super::reading::{expected, searches_are_exact};
use super::{Shop, ids, update};
use crate::check::{holds, same};
use crate::samples::made;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    orders_are_found_by_status_and_type,
    a_status_with_a_key_is_exact,
    a_walk_by_status_meets_every_order_once,
];

/// Creates `count` orders in various statuses.
pub(super) async fn moved_orders(shop: &mut Shop, count: usize) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for number in 0..count {
        let order = complete(shop, &format!("shop-1-{number}")).await?;
        orders.push(some_moves(shop, order).await?);
    }
    Ok(orders)
}

/// Applies up to five random commands to an order; returns the result.
pub(super) async fn some_moves(shop: &mut Shop, mut order: Order) -> Result<Order, CaseError> {
    for _ in 0..shop.random.below(6) {
        // Commands that the order does not allow are skipped.
        if let Ok(decision @ Decision::Changed(_)) = some_command(shop, &order) {
            order = update(&shop.orders, &made(decision)?).await?;
        }
    }
    Ok(order)
}

fn some_command(shop: &mut Shop, order: &Order) -> Result<Decision, Refusal> {
    let picked = shop.random.pick(&order.state.items);
    let items: Option<Vec<ItemId>> = picked.map(|item| vec![item.id]);
    match shop.random.index(8) {
        // More often, because most other commands need ready items.
        0..3 => process_now(order, &store()),
        3 => move_items(Command::Start, order, items.as_deref(), &operator()),
        4 => need_of(order),
        5 => {
            let command = CancelCommand {
                items,
                keep_fees: false,
                change: ChangeId::new(Uuid::from_u128(5)),
            };
            cancel(
                order,
                &command,
                &|| CorrectionId::new(Uuid::nil()),
                &operator(),
            )
        }
        6 => {
            let command = ShipCommand {
                id: ShipmentId::new(shop.random.uuid()),
                items: None,
                values: ShipmentUpdate::default(),
            };
            ship(order, &command, &operator())
        }
        _ => held(order),
    }
}

/// Compares a search for `filter`, from `start` on, with the expected result.
async fn check(shop: &Shop, orders: &[Order], filter: SearchFilter, start: Start) -> CaseResult {
    let query = SearchQuery {
        filter,
        start,
        size: 7,
        bytes: u64::MAX,
    };
    let found = shop.orders.search(shop.store, &query).await?;
    same(&format!("{query:?}"), &found, &expected(orders, &query))
}

async fn orders_are_found_by_status_and_type(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = moved_orders(&mut shop, 60).await?;
    let mut present = BTreeSet::new();
    for order in &orders {
        present.extend(order.state.items.iter().map(|item| item.status));
    }
    holds("many statuses occur", present.len() > 5)?;
    for status in ItemStatus::ALL {
        for kinds in [&[][..], &[OrderKind::Manual], &[OrderKind::Label]] {
            let filter = SearchFilter {
                statuses: BTreeSet::from([status]),
                kinds: kinds.iter().copied().collect(),
                ..SearchFilter::default()
            };
            check(&shop, &orders, filter.clone(), Start::Offset(0)).await?;
            check(&shop, &orders, filter, Start::Offset(7)).await?;
        }
    }
    let filter = SearchFilter {
        statuses: ItemStatus::ALL.into_iter().collect(),
        kinds: OrderKind::ALL.into_iter().collect(),
        ..SearchFilter::default()
    };
    check(&shop, &orders, filter, Start::Offset(0)).await?;
    shop.store = shop.another("OTHER").await?;
    let other = shop.place("another's").await?;
    let filter = SearchFilter {
        kinds: OrderKind::ALL.into_iter().collect(),
        ..SearchFilter::default()
    };
    check(&shop, &[other], filter, Start::Offset(0)).await
}

async fn a_status_with_a_key_is_exact(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = moved_orders(&mut shop, 120).await?;
    searches_are_exact(&mut shop, &orders, 150).await?;
    // Status changes must reach the search index.
    for order in orders.iter_mut().step_by(3) {
        *order = some_moves(&mut shop, order.clone()).await?;
    }
    searches_are_exact(&mut shop, &orders, 150).await
}

async fn a_walk_by_status_meets_every_order_once(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = moved_orders(&mut shop, 80).await?;
    let statuses = [ItemStatus::Ready, ItemStatus::OnHold, ItemStatus::Cancelled];
    for key in ["", "shop"] {
        let filter = SearchFilter {
            key: SearchKey::parse(key)?,
            statuses: BTreeSet::from(statuses),
            ..SearchFilter::default()
        };
        let all = SearchQuery {
            filter: filter.clone(),
            start: Start::Offset(0),
            size: 1000,
            bytes: u64::MAX,
        };
        let wanted = ids(&expected(&orders, &all).orders);
        holds("there are several pages", wanted.len() > 20)?;
        let (mut met, mut start) = (Vec::new(), Start::Offset(0));
        loop {
            let found = shop.search(shop.store, filter.clone(), start, 9).await?;
            met.extend(ids(&found.orders));
            match found.orders.last().filter(|_| found.more) {
                Some(last) => start = Start::After(last.parts().id),
                None => break,
            }
        }
        same(&format!("with the key `{key}`"), &met, &wanted)?;
    }
    Ok(())
}
