//! Cases about pages that are too large to read completely.

use pressline_domain::check::limits;
use pressline_domain::order::Order;
use pressline_domain::order::search::{
    Batch, OrderReference, SearchFilter, SearchQuery, SearchResult, Start,
};
use pressline_domain::value::OrderId;
use pressline_kit::words::SearchKey;

use super::{Shop, create, ids, update};
use crate::check::{holds, same};
use crate::samples::{at, changed, fill_up};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_page_is_whole_up_to_its_bytes,
    orders_are_loaded_up_to_the_bytes_asked_for,
    unknown_orders_are_not_loaded,
    a_page_of_the_largest_orders_is_read_batch_by_batch,
];

/// Creates orders of different sizes; returns them newest first.
async fn of_different_sizes(shop: &mut Shop) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for number in 0..12 {
        let mut parts = shop.parts(&format!("shop-{number}"))?;
        parts.id = shop.random.order_id(number);
        let bytes = parts.content_bytes() + 3000 * u64::try_from(number % 4)?;
        fill_up(&mut parts, bytes);
        orders.insert(0, create(&shop.orders, parts).await??);
    }
    Ok(orders)
}

fn bytes(order: &Order) -> u64 {
    order.parts().loaded_bytes()
}

/// Returns the expected page: whole orders up to `limit` bytes, then references.
fn page(orders: &[Order], limit: u64, more: bool) -> SearchResult {
    let mut batch = Batch::new(limit);
    let whole = orders
        .iter()
        .take_while(|order| batch.takes(bytes(order)))
        .count();
    let (whole, rest) = orders.split_at(whole);
    let reference = |order: &Order| OrderReference {
        id: order.parts().id,
        bytes: bytes(order),
    };
    SearchResult {
        orders: whole.to_vec(),
        rest: rest.iter().map(reference).collect(),
        more,
    }
}

async fn a_page_is_whole_up_to_its_bytes(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = of_different_sizes(&mut shop).await?;
    // A reference has the current size of the order, not the size at creation.
    for order in orders.iter_mut().step_by(3) {
        let rewritten = shop.rewritten(order)?;
        let change = changed(order, rewritten, at(50))?;
        *order = update(&shop.orders, &change).await?;
    }
    let first = orders.first().map_or(0, bytes);
    let all: u64 = orders.iter().map(bytes).sum();
    for key in [None, SearchKey::parse("shop")?] {
        for limit in [0, 1, first, first + 1, all / 2, all - 1, all, u64::MAX] {
            for (start, size) in [(0, 100), (0, 12), (0, 11), (0, 1), (4, 5), (11, 3), (12, 3)] {
                let what = format!(
                    "{size} from {start} up to {limit} bytes ({}), {key:?}",
                    shop.random
                );
                let filter = SearchFilter {
                    key: key.clone(),
                    ..SearchFilter::default()
                };
                let begin = Start::Offset(u64::try_from(start)?);
                let query = SearchQuery {
                    filter,
                    start: begin,
                    size: u32::try_from(size)?,
                    bytes: limit,
                };
                let found = shop.orders.search(shop.store, &query).await?;
                let end = orders.len().min(start + size);
                let wanted = page(
                    orders.get(start..end).unwrap_or_default(),
                    limit,
                    orders.len() > end,
                );
                same(&what, &found, &wanted)?;
            }
        }
    }
    Ok(())
}

async fn orders_are_loaded_up_to_the_bytes_asked_for(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = of_different_sizes(&mut shop).await?;
    // An order of ids that no database would return by itself.
    orders.sort_by_key(|order| order.parts().order_id.bytes().last().map(|byte| byte ^ 3));
    let all: u64 = orders.iter().map(bytes).sum();
    for limit in [
        0,
        1,
        orders.first().map_or(0, bytes),
        all / 3,
        all - 1,
        all,
        u64::MAX,
    ] {
        let loaded = shop.orders.load(shop.store, &ids(&orders), limit).await?;
        same(
            &format!("up to {limit} bytes ({})", shop.random),
            &loaded,
            &page(&orders, limit, false).orders,
        )?;
    }
    // The limit applies to the current size of the order.
    let grown = orders.first().ok_or_else(|| CaseError::new("no order"))?;
    let mut parts = grown.parts().clone();
    fill_up(&mut parts, limits::ORDER_CONTENT);
    let change = changed(grown, parts, at(50))?;
    let grown = update(&shop.orders, &change).await?;
    let loaded = shop.orders.load(shop.store, &ids(&orders), all).await?;
    same("the order that has grown", &loaded, &vec![grown])
}

async fn unknown_orders_are_not_loaded(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = of_different_sizes(&mut shop).await?;
    let other = shop.another("OTHER").await?;
    let elsewhere = shop.random.order(other, "T-1")?;
    let elsewhere = create(&shop.orders, elsewhere).await??;
    same(
        "no ids",
        &shop.orders.load(shop.store, &[], u64::MAX).await?,
        &Vec::new(),
    )?;
    let mut mixed = vec![OrderId::new(shop.random.uuid()), elsewhere.parts().id];
    mixed.extend(ids(&orders));
    mixed.insert(5, OrderId::new(shop.random.uuid()));
    same(
        "with unknown ids",
        &shop.orders.load(shop.store, &mixed, u64::MAX).await?,
        &orders,
    )?;
    same(
        "by another store",
        &shop.orders.load(other, &mixed, u64::MAX).await?,
        &vec![elsewhere],
    )
}

async fn a_page_of_the_largest_orders_is_read_batch_by_batch(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = Vec::new();
    for number in 0..3 {
        let mut parts = shop.random.largest_order(shop.store)?;
        parts.order_id = format!("T-{number}");
        fill_up(&mut parts, limits::ORDER_CONTENT);
        parts.id = shop.random.order_id(number);
        orders.insert(0, create(&shop.orders, parts).await??);
    }
    let query = SearchQuery {
        filter: SearchFilter::default(),
        start: Start::Offset(0),
        size: 20,
        bytes: 1 << 20,
    };
    let found = shop.orders.search(shop.store, &query).await?;
    holds(
        "the first order alone is whole",
        found.orders.len() == 1 && found.rest.len() == 2,
    )?;
    let rest: Vec<OrderId> = found.rest.iter().map(|reference| reference.id).collect();
    let mut read = found.orders;
    for id in rest {
        read.extend(shop.orders.load(shop.store, &[id], query.bytes).await?);
    }
    same("the orders", &read, &orders)
}
