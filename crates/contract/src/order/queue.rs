//! Cases about queries across stores.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use pressline_backoffice::queue::{
    CrossStoreQuery, Direction, ItemCount, ItemCounts, OrderRef, StoreFilter,
};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::pricing::fees::Bill;
use pressline_domain::store::StoreSet;
use pressline_domain::value::{OrderId, StoreId};
use pressline_kit::words::SearchKey;

use super::reading::{some_key, some_of};
use super::status::moved_orders;
use super::{Shop, create, update};
use crate::check::{holds, same};
use crate::samples::{at, changed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_walk_across_stores_is_exact,
    a_walk_with_a_key_is_exact,
    a_walk_keeps_to_its_stores,
    items_are_counted_by_status,
    items_are_counted_as_far_as_asked,
    test_stores_are_found_only_if_asked_for,
];

/// Filter for the stores of `set` that are not test stores.
fn live(set: StoreSet) -> StoreFilter {
    StoreFilter {
        set,
        with_test: false,
    }
}

/// Several stores and all their orders.
struct Stores {
    shop: Shop,
    ids: Vec<StoreId>,
    orders: Vec<Order>,
}

impl Stores {
    /// Creates three stores with orders in various statuses, and a store without orders.
    async fn open(adapters: Adapters) -> Result<Self, CaseError> {
        let mut shop = Shop::open(adapters).await?;
        let mut ids = vec![shop.store];
        for prefix in ["SECOND", "THIRD", "EMPTY"] {
            ids.push(shop.another(prefix).await?);
        }
        let mut orders = Vec::new();
        for (store, count) in ids.iter().zip([30, 12, 1]) {
            shop.store = *store;
            orders.extend(moved_orders(&mut shop, count).await?);
        }
        Ok(Self { shop, ids, orders })
    }

    /// Adds an order and then removes one of its items.
    async fn remove_an_item(&mut self) -> CaseResult {
        let shop = &mut self.shop;
        let mut parts = shop.parts("removed")?;
        parts.items = (0..3).map(|_| shop.random.item()).collect();
        parts.bill = Bill::default();
        let order = create(&shop.orders, parts).await??;
        let mut parts = order.parts().clone();
        parts.items.pop();
        let change = changed(&order, parts, at(5000))?;
        self.orders.push(update(&shop.orders, &change).await?);
        Ok(())
    }

    /// Returns a query for all orders of all stores.
    fn query(&self) -> CrossStoreQuery {
        CrossStoreQuery {
            stores: StoreFilter::default(),
            from: OrderId::LOWEST,
            before: OrderId::HIGHEST,
            key: None,
            statuses: BTreeSet::new(),
            kinds: BTreeSet::new(),
            direction: Direction::OldestFirst,
            count: 100,
        }
    }

    fn some_query(&mut self, with_key: bool) -> CrossStoreQuery {
        let query = self.query();
        let random = &mut self.shop.random;
        let mut bound = |n: u64| {
            let order = random.one_in(n).then(|| random.pick(&self.orders));
            order.flatten().map(|order| order.content.id)
        };
        let (from, before) = (bound(4), bound(4));
        let stores = some_of(random, &self.ids, 3);
        CrossStoreQuery {
            stores: live((!stores.is_empty()).then_some(stores)),
            from: from.unwrap_or(query.from),
            before: before.unwrap_or(query.before),
            key: match with_key {
                true => some_key(random, &self.orders),
                false => None,
            },
            statuses: some_of(random, &ItemStatus::ALL, 2),
            kinds: some_of(random, &OrderKind::ALL, 4),
            direction: match random.one_in(2) {
                true => Direction::OldestFirst,
                false => Direction::NewestFirst,
            },
            count: [1, 3, 20, 100].get(random.index(4)).copied().unwrap_or(1),
        }
    }

    fn of<'a>(&'a self, stores: &'a StoreSet) -> impl Iterator<Item = &'a Order> {
        let orders = self.orders.iter();
        orders.filter(move |order| {
            let store = &order.content.store_id;
            stores.as_ref().is_none_or(|stores| stores.contains(store))
        })
    }

    /// Reference implementation: returns the stores and ids of all orders that match `query`.
    fn expected(&self, query: &CrossStoreQuery) -> Vec<(StoreId, OrderId)> {
        let matching = self.of(&query.stores.set).filter(|order| {
            let mut items = order.state.items.iter();
            (query.from..query.before).contains(&order.content.id)
                && query
                    .key
                    .as_ref()
                    .is_none_or(|key| key.matches(&order.words()))
                && (query.statuses.is_empty()
                    || items.any(|item| query.statuses.contains(&item.status)))
                && (query.kinds.is_empty() || query.kinds.contains(&order.content.kind()))
        });
        let place = |order: &Order| (order.content.store_id, order.content.id);
        let mut places: Vec<_> = matching.map(place).collect();
        match query.direction {
            Direction::OldestFirst => places.sort_by_key(|(_, id)| *id),
            Direction::NewestFirst => places.sort_by_key(|(_, id)| Reverse(*id)),
        }
        places.truncate(usize::try_from(query.count).unwrap_or(usize::MAX));
        places
    }

    /// Compares the result of a query with the expected result. Returns its number of orders.
    async fn check(&self, query: &CrossStoreQuery) -> Result<usize, CaseError> {
        let found = self.shop.adapters.queue.page(query).await?;
        let places: Vec<_> = found
            .iter()
            .map(|place| (place.store, place.order.id))
            .collect();
        same(
            &format!("{query:?} ({})", self.shop.random),
            &places,
            &self.expected(query),
        )?;
        for place in &found {
            let order = self
                .orders
                .iter()
                .find(|order| order.content.id == place.order.id);
            let bytes = order.map(|order| order.content.loaded_bytes());
            same("the size", &Some(place.order.bytes), &bytes)?;
        }
        Ok(found.len())
    }
}

async fn a_walk_across_stores_is_exact(adapters: Adapters) -> CaseResult {
    let mut stores = Stores::open(adapters).await?;
    let all = stores.check(&stores.query()).await?;
    same("all orders", &all, &stores.orders.len())?;
    let mut found = 0;
    for _ in 0..150 {
        let query = stores.some_query(false);
        found += stores.check(&query).await?;
    }
    // Otherwise the random queries would prove nothing.
    holds("the walks find orders", found > 300)
}

async fn a_walk_with_a_key_is_exact(adapters: Adapters) -> CaseResult {
    let mut stores = Stores::open(adapters).await?;
    let mut found = 0;
    for _ in 0..150 {
        let query = stores.some_query(true);
        found += stores.check(&query).await?;
    }
    holds("the walks find orders", found > 50)?;
    let nothing = CrossStoreQuery {
        key: SearchKey::parse("zzz-none")?,
        ..stores.query()
    };
    same("a word of no order", &stores.check(&nothing).await?, &0)
}

async fn a_walk_keeps_to_its_stores(adapters: Adapters) -> CaseResult {
    let stores = Stores::open(adapters).await?;
    for count in 0..=stores.ids.len() {
        let own: BTreeSet<StoreId> = stores.ids.iter().take(count).copied().collect();
        for key in ["", "shop"] {
            let query = CrossStoreQuery {
                stores: live(Some(own.clone())),
                key: SearchKey::parse(key)?,
                ..stores.query()
            };
            let found = stores.check(&query).await?;
            let all = stores.of(&Some(own.clone())).count();
            same("orders of the stores", &found, &all)?;
        }
    }
    Ok(())
}

async fn items_are_counted_by_status(adapters: Adapters) -> CaseResult {
    let mut stores = Stores::open(adapters).await?;
    stores.remove_an_item().await?;
    let first: BTreeSet<StoreId> = stores.ids.iter().take(1).copied().collect();
    for asked in [None, Some(first), Some(BTreeSet::new())] {
        let mut wanted = ItemCounts::new();
        for item in stores.of(&asked).flat_map(|order| &order.state.items) {
            *wanted.entry(item.status).or_default() += 1;
        }
        let count = exact(live(asked));
        let counts = stores.shop.adapters.queue.count_items(&count).await?;
        // An adapter may report statuses with zero items.
        let present = counts.into_iter().filter(|(_, count)| *count > 0);
        same(&format!("{count:?}"), &present.collect(), &wanted)?;
    }
    Ok(())
}

async fn items_are_counted_as_far_as_asked(adapters: Adapters) -> CaseResult {
    let mut stores = Stores::open(adapters).await?;
    stores.remove_an_item().await?;
    let all = exact(live(None));
    let queue = &stores.shop.adapters.queue;
    let exact = queue.count_items(&all).await?;
    let largest = exact.values().copied().max().unwrap_or_default();
    let sets = exact.keys().map(|status| BTreeSet::from([*status]));
    for statuses in sets.chain([BTreeSet::new()]) {
        for exact_to in 0..=u32::try_from(largest)? {
            let count = ItemCount {
                statuses: statuses.clone(),
                exact_to,
                ..all.clone()
            };
            let found = queue.count_items(&count).await?;
            for (status, number) in &exact {
                let found = found.get(status).copied().unwrap_or_default();
                let bound = u64::from(exact_to);
                // Above the bound, any number up to the exact count will do.
                let is_right = match count.counts(*status) {
                    true if *number <= bound => found == *number,
                    true => found > bound && found <= *number,
                    false => found == 0,
                };
                let what = format!("{count:?}: {found} of {number} items in {status}");
                holds(&what, is_right)?;
            }
        }
    }
    Ok(())
}

/// Returns a request for the exact number of all items in `stores`.
fn exact(stores: StoreFilter) -> ItemCount {
    ItemCount {
        stores,
        statuses: BTreeSet::new(),
        exact_to: u32::MAX,
    }
}

fn ids(found: &[OrderRef]) -> Vec<OrderId> {
    found.iter().map(|place| place.order.id).collect()
}

async fn test_stores_are_found_only_if_asked_for(adapters: Adapters) -> CaseResult {
    let mut stores = Stores::open(adapters).await?;
    let live = stores.shop.store;
    let shop = &mut stores.shop;
    let mut record = shop.random.store("TEST")?;
    record.store.test = true;
    shop.adapters.stores.add(&record).await?;
    let test = record.store.id;
    shop.store = test;
    let mut orders = Vec::new();
    for number in 0..3 {
        let mut parts = shop.parts(&format!("try-{number}"))?;
        parts.test = true;
        orders.push(create(&shop.orders, parts).await??);
    }
    let items: usize = orders.iter().map(|order| order.state.items.len()).sum();
    for set in [None, Some([live, test].into()), Some([test].into())] {
        for key in ["", "try"] {
            let mut query = CrossStoreQuery {
                stores: StoreFilter {
                    set: set.clone(),
                    with_test: false,
                },
                key: SearchKey::parse(key)?,
                ..stores.query()
            };
            stores.check(&query).await?;
            let queue = &stores.shop.adapters.queue;
            let mut wanted = ids(&queue.page(&query).await?);
            let others: u64 = queue
                .count_items(&exact(query.stores.clone()))
                .await?
                .values()
                .sum();
            query.stores.with_test = true;
            wanted.extend(orders.iter().map(|order| order.content.id));
            wanted.sort();
            let found = ids(&queue.page(&query).await?);
            same("with those of the test store", &found, &wanted)?;
            let counted: u64 = queue
                .count_items(&exact(query.stores.clone()))
                .await?
                .values()
                .sum();
            same(
                "with its items",
                &counted,
                &(others + u64::try_from(items)?),
            )?;
        }
    }
    Ok(())
}
