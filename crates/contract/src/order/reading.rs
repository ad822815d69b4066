//! Cases about order searches.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::search::{SearchFilter, SearchQuery, SearchResult, Start};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::value::Timestamp;
use pressline_kit::words::SearchKey;

use super::{Shop, create, ids};
use crate::check::{holds, same};
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    search_pages_are_exact_and_in_order,
    a_walk_by_id_meets_every_order_once,
    both_ends_of_the_time_range_count,
    an_empty_store_has_no_pages,
];

/// Reference implementation: returns the expected result of a search.
pub(super) fn expected(orders: &[Order], query: &SearchQuery) -> SearchResult {
    let SearchFilter { from, to, key, .. } = &query.filter;
    let mut matching: Vec<&Order> = orders
        .iter()
        .filter(|order| {
            let created_at = order.parts().created_at();
            from.is_none_or(|from| from <= created_at)
                && to.is_none_or(|to| created_at <= to)
                && key.as_ref().is_none_or(|key| key.matches(&order.words()))
                && has_status_and_type(order, &query.filter)
        })
        .collect();
    matching.sort_by_key(|order| std::cmp::Reverse(order.parts().id));
    let skipped = match query.start {
        Start::Offset(skipped) => usize::try_from(skipped).unwrap_or(usize::MAX),
        Start::After(id) => matching
            .iter()
            .take_while(|order| order.parts().id >= id)
            .count(),
    };
    let size = usize::try_from(query.size).unwrap_or(usize::MAX);
    let rest = matching.get(skipped..).unwrap_or_default();
    SearchResult {
        orders: rest
            .iter()
            .take(size)
            .map(|order| (*order).clone())
            .collect(),
        rest: Vec::new(),
        more: rest.len() > size,
    }
}

fn has_status_and_type(order: &Order, filter: &SearchFilter) -> bool {
    let mut items = order.state.items.iter();
    let has_status = items.any(|item| filter.statuses.contains(&item.status));
    (filter.statuses.is_empty() || has_status)
        && (filter.kinds.is_empty() || filter.kinds.contains(&order.parts().kind()))
}

/// Creates sixty orders, many of them in the same millisecond.
async fn many(shop: &mut Shop) -> Result<Vec<Order>, CaseError> {
    let mut orders = Vec::new();
    for number in 0..60 {
        let mut parts = shop.parts(&format!("shop-1-{number}"))?;
        let after_now = i64::try_from(shop.random.below(12))?;
        parts.id = shop.random.order_id(after_now);
        orders.push(create(&shop.orders, parts).await??);
    }
    Ok(orders)
}

pub(super) fn some_key(random: &mut Random, orders: &[Order]) -> Option<SearchKey> {
    let mut text = String::new();
    // Prefixes of the orders' own words, so that keys find something.
    for _ in 0..=random.below(3) {
        let words = random.pick(orders).map(Order::words).unwrap_or_default();
        let words: Vec<&str> = words.iter().collect();
        let word = random.pick(&words).copied().unwrap_or_default();
        let kept = if random.one_in(3) {
            word.chars().count()
        } else {
            1 + random.index(4)
        };
        text.extend(word.chars().take(kept));
        text.push(' ');
    }
    if random.one_in(5) {
        text = random.text();
    }
    // Searches ignore case.
    if random.one_in(3) {
        text = text.to_uppercase();
    }
    SearchKey::parse(&text).ok().flatten()
}

/// Returns up to three of `values` with probability 1/`n`, otherwise an empty set.
pub(super) fn some_of<T: Copy + Ord>(random: &mut Random, values: &[T], n: u64) -> BTreeSet<T> {
    let count = if random.one_in(n) {
        1 + random.below(3)
    } else {
        0
    };
    let picked = (0..count).filter_map(|_| random.pick(values).copied());
    picked.collect()
}

fn some_query(random: &mut Random, orders: &[Order]) -> SearchQuery {
    let time = |random: &mut Random| {
        // From just before the first creation time to just after the last.
        Timestamp::from_millis(NOW - 1 + i64::try_from(random.below(14)).unwrap_or(0))
    };
    let filter = SearchFilter {
        from: if random.one_in(3) {
            Some(time(random))
        } else {
            None
        },
        to: if random.one_in(3) {
            Some(time(random))
        } else {
            None
        },
        key: if random.one_in(4) {
            None
        } else {
            some_key(random, orders)
        },
        statuses: some_of(random, &ItemStatus::ALL, 4),
        kinds: some_of(random, &OrderKind::ALL, 6),
    };
    let start = match random.pick(orders) {
        // Also after an order that does not match: it may have changed since the previous page.
        Some(order) if random.one_in(3) => Start::After(order.parts().id),
        _ if random.one_in(2) => Start::Offset(0),
        _ => Start::Offset(random.below(20)),
    };
    let size = [1, 2, 7, 20, 100]
        .get(random.index(5))
        .copied()
        .unwrap_or(100);
    SearchQuery {
        filter,
        start,
        size,
        bytes: u64::MAX,
    }
}

/// Checks `rounds` random searches. `orders` are all orders of the store.
pub(super) async fn searches_are_exact(
    shop: &mut Shop,
    orders: &[Order],
    rounds: usize,
) -> CaseResult {
    let mut matched = 0;
    for round in 0..rounds {
        let query = some_query(&mut shop.random, orders);
        let what = format!("round {round} ({}), {query:?}", shop.random);
        let found = shop.orders.search(shop.store, &query).await?;
        let wanted = expected(orders, &query);
        same(
            &format!("{what}: ids"),
            &ids(&found.orders),
            &ids(&wanted.orders),
        )?;
        same(&what, &found, &wanted)?;
        matched += usize::from(query.filter.key.is_some() && !found.orders.is_empty());
    }
    holds(
        "hardly any key found anything: the case has lost its point",
        matched > rounds / 5,
    )
}

async fn search_pages_are_exact_and_in_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = many(&mut shop).await?;
    searches_are_exact(&mut shop, &orders, 250).await?;
    let far = shop
        .search(
            shop.store,
            SearchFilter::default(),
            Start::Offset(99_999_900),
            100,
        )
        .await?;
    same(
        "past the end",
        &far,
        &SearchResult {
            orders: Vec::new(),
            rest: Vec::new(),
            more: false,
        },
    )
}

async fn a_walk_by_id_meets_every_order_once(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let orders = many(&mut shop).await?;
    for (size, key) in [
        (1, None),
        (7, None),
        (7, Some("shop")),
        (60, None),
        (100, None),
    ] {
        let key = SearchKey::parse(key.unwrap_or_default())?;
        let filter = SearchFilter {
            key,
            ..SearchFilter::default()
        };
        let mut met = Vec::new();
        let mut start = Start::Offset(0);
        loop {
            let found = shop.search(shop.store, filter.clone(), start, size).await?;
            met.extend(found.orders.iter().cloned());
            // Orders that arrive between two pages, newer or older, must not shift the remaining
            // pages.
            let mut arriving = shop.parts(&format!(
                "later {size} {} {}",
                filter.key.is_some(),
                met.len()
            ))?;
            let after_now = i64::try_from(shop.random.below(60))? - 20;
            arriving.id = shop.random.order_id(after_now);
            create(&shop.orders, arriving).await??;
            match found.orders.last().filter(|_| found.more) {
                Some(last) => start = Start::After(last.parts().id),
                None => break,
            }
            holds("the query does not end", met.len() < 1000)?;
        }
        holds(
            "the query is not in order",
            met.is_sorted_by(|a, b| a.parts().id > b.parts().id),
        )?;
        // Orders that arrived meanwhile may be included or not.
        let mut at_first: Vec<Order> = met
            .into_iter()
            .filter(|order| order.parts().order_id.starts_with("shop-1-"))
            .collect();
        at_first.sort_by_key(|order| order.parts().id);
        let mut wanted = orders.clone();
        wanted.sort_by_key(|order| order.parts().id);
        same(&format!("by {size} ({})", shop.random), &at_first, &wanted)?;
    }
    Ok(())
}

async fn both_ends_of_the_time_range_count(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut placed = Vec::new();
    for after_now in 0..5 {
        let mut parts = shop.parts(&format!("T-{after_now}"))?;
        parts.id = shop.random.order_id(after_now);
        placed.insert(0, create(&shop.orders, parts).await??.parts().id);
    }
    for (from, to, wanted) in [
        (None, None, 0..5),
        (Some(1), Some(3), 1..4),
        (Some(2), Some(2), 2..3),
        (Some(4), None, 0..1),
        (None, Some(0), 4..5),
        (Some(0), Some(4), 0..5),
        (Some(5), None, 0..0),
        (None, Some(-1), 0..0),
        (Some(3), Some(2), 0..0),
    ] {
        let time = |offset: Option<i64>| offset.map(at);
        for key in [None, SearchKey::parse("T")?] {
            let filter = SearchFilter {
                from: time(from),
                to: time(to),
                key,
                ..SearchFilter::default()
            };
            let found = shop
                .search(shop.store, filter, Start::Offset(0), 100)
                .await?;
            let wanted = placed.get(wanted.clone()).unwrap_or_default();
            same(
                &format!("from {from:?} to {to:?}"),
                ids(&found.orders).as_slice(),
                wanted,
            )?;
        }
    }
    Ok(())
}

async fn an_empty_store_has_no_pages(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let nothing = SearchResult {
        orders: Vec::new(),
        rest: Vec::new(),
        more: false,
    };
    for key in ["", "ana", "%"] {
        let filter = SearchFilter {
            key: SearchKey::parse(key)?,
            ..SearchFilter::default()
        };
        for start in [Start::Offset(0), Start::Offset(100)] {
            same(
                key,
                &shop.search(shop.store, filter.clone(), start, 20).await?,
                &nothing,
            )?;
        }
    }
    Ok(())
}
