//! Cases about orders that are stored after orders with a later creation time: a clock was behind,
//! or the write waited.

use pressline_domain::order::Order;
use pressline_domain::order::search::{SearchFilter, Start};
use pressline_kit::words::SearchKey;

use super::reading::searches_are_exact;
use super::{Shop, create, ids, update};
use crate::check::same;
use crate::samples::{at, changed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    orders_that_come_late_are_found_in_their_place,
    the_oldest_of_many_orders_are_found,
    a_walk_through_many_matches_meets_each_once,
];

/// Enough orders to fill several segments of a segmented index.
const ORDERS: u64 = 240;

/// Creates many orders within 12 ms and returns them newest first. Most are stored in order of
/// creation; every ninth order was changed afterwards.
async fn many(shop: &mut Shop) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for number in 0..ORDERS {
        let latest = number * 12 / ORDERS;
        // One order in five may have an earlier creation time than orders stored before it.
        let created = if shop.random.one_in(5) {
            shop.random.below(latest + 1)
        } else {
            latest
        };
        let mut parts = shop.parts(&format!("shop-1-{number}"))?;
        parts.id = shop.random.order_id(i64::try_from(created)?);
        orders.push(create(&shop.orders, parts).await??);
    }
    for order in orders.iter_mut().step_by(9) {
        let changed_at = at(5000);
        let change = changed(order, shop.rewritten(order)?, changed_at)?;
        *order = update(&shop.orders, &change).await?;
    }
    orders.sort_by_key(|order| std::cmp::Reverse(order.parts().id));
    Ok(orders)
}

fn having(key: &str) -> Result<SearchFilter, CaseError> {
    Ok(SearchFilter {
        key: SearchKey::parse(key)?,
        ..SearchFilter::default()
    })
}

async fn orders_that_come_late_are_found_in_their_place(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = many(&mut shop).await?;
    searches_are_exact(&mut shop, &orders, 150).await
}

async fn the_oldest_of_many_orders_are_found(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = many(&mut shop).await?;
    for order in orders.iter().rev().take(15) {
        let id = order.parts().id;
        // All orders contain `shop`.
        for key in [id.to_string(), format!("shop {id}")] {
            let filter = having(&key)?;
            let found = shop
                .search(shop.store, filter, Start::Offset(0), 20)
                .await?;
            same(&key, &ids(&found.orders), &vec![id])?;
        }
    }
    Ok(())
}

async fn a_walk_through_many_matches_meets_each_once(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = many(&mut shop).await?;
    let wanted: Vec<_> = ids(&orders);
    for size in [7, 30] {
        let (mut met, mut start) = (Vec::new(), Start::Offset(0));
        loop {
            let found = shop
                .search(shop.store, having("shop")?, start, size)
                .await?;
            met.extend(ids(&found.orders));
            match found.orders.last().filter(|_| found.more) {
                Some(last) => start = Start::After(last.parts().id),
                None => break,
            }
        }
        same(&format!("by cursor, {size} each"), &met, &wanted)?;
        for (page, expected) in wanted.chunks(size.try_into()?).enumerate() {
            let start = Start::Offset(u64::try_from(page)? * u64::from(size));
            let found = shop
                .search(shop.store, having("shop")?, start, size)
                .await?;
            same(
                &format!("page {page} of {size}"),
                ids(&found.orders).as_slice(),
                expected,
            )?;
        }
    }
    Ok(())
}
