//! Cases about the names of orders: order id, number and id.

use std::collections::BTreeSet;

use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_domain::value::{OrderId, StoreId};

use super::{Shop, create};
use crate::check::same;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_name_that_fits_two_orders_finds_both,
    an_order_is_found_by_its_id,
    the_number_of_an_order_is_found_in_the_given_stores,
];

type FoundIds = Option<(OrderId, Option<OrderId>)>;

fn ids(found: &Option<OrderMatch>) -> FoundIds {
    let other = |found: &OrderMatch| found.other.as_ref().map(|other| other.content.id);
    found
        .as_ref()
        .map(|found| (found.order.content.id, other(found)))
}

async fn same_orders(
    shop: &Shop,
    what: &str,
    lookup: Lookup,
    expected: (&Order, Option<&Order>),
) -> CaseResult {
    let found = shop.orders.find(shop.store, &lookup).await?;
    let (order, other) = expected;
    let expected = Some((order.content.id, other.map(|other| other.content.id)));
    same(what, &ids(&found), &expected)?;
    let other_found = found.and_then(|found| found.other).map(|other| *other);
    same(what, &other_found.as_ref(), &other)
}

async fn a_name_that_fits_two_orders_finds_both(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let first = shop.place("T-1").await?;
    let named_by = |order_id: &str, order: &Order| Lookup {
        number: Some(order.service_order_id.number),
        ..Lookup::by_order_id(order_id)
    };
    let by_id = |order_id: &str, order: &Order| Lookup {
        id: Some(order.content.id),
        ..Lookup::by_order_id(order_id)
    };
    let (number, id) = (
        first.service_order_id.to_string(),
        first.content.id.to_string(),
    );
    let only = (&first, None);
    same_orders(&shop, "by the number", named_by(&number, &first), only).await?;
    same_orders(&shop, "by the id", by_id(&id, &first), only).await?;
    same_orders(&shop, "by two names", named_by("T-1", &first), only).await?;
    same_orders(&shop, "by two names", by_id("T-1", &first), only).await?;
    let as_number = shop.place(&number).await?;
    let as_id = shop.place(&id).await?;
    let both = (&as_number, Some(&first));
    same_orders(
        &shop,
        "a number and an order id",
        named_by(&number, &first),
        both,
    )
    .await?;
    let both = (&as_id, Some(&first));
    same_orders(&shop, "an id and an order id", by_id(&id, &first), both).await?;
    // Without the order id, neither order id matters.
    let lookup = Lookup::numbered(first.service_order_id.number);
    same_orders(&shop, "by the number alone", lookup, only).await?;
    same_orders(
        &shop,
        "by the order id alone",
        Lookup::by_order_id(number),
        (&as_number, None),
    )
    .await
}

async fn an_order_is_found_by_its_id(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let mut orders = Vec::new();
    for number in 0..12 {
        orders.push(shop.place(&format!("T-{number}")).await?);
    }
    for order in &orders {
        let id = order.content.id;
        let lookup = Lookup {
            id: Some(id),
            ..Lookup::by_order_id(id.to_string())
        };
        same_orders(&shop, "by its id", lookup.clone(), (order, None)).await?;
        let elsewhere = shop.orders.find(other, &lookup).await?;
        same("from another store", &ids(&elsewhere), &None)?;
    }
    Ok(())
}

async fn the_number_of_an_order_is_found_in_the_given_stores(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (own, other, empty) = (
        shop.store,
        shop.another("OTHER").await?,
        shop.another("EMPTY").await?,
    );
    let mut orders = vec![shop.place("T-1").await?, shop.place("T-2").await?];
    let elsewhere = shop.random.order(other, "T-1")?;
    orders.push(create(&shop.orders, elsewhere).await??);
    for order in &orders {
        let sets: [Option<Vec<StoreId>>; 6] = [
            None,
            Some(vec![own]),
            Some(vec![other]),
            Some(vec![own, other, empty]),
            Some(vec![empty]),
            Some(Vec::new()),
        ];
        for stores in sets {
            let has = |stores: &Vec<StoreId>| stores.contains(&order.content.store_id);
            let is_inside = stores.as_ref().is_none_or(has);
            let set: Option<BTreeSet<StoreId>> = stores.map(|stores| stores.into_iter().collect());
            let found = shop.orders.service_order_id(set.as_ref(), order.content.id);
            let expected = is_inside.then(|| order.service_order_id.clone());
            same("the number", &found.await?, &expected)?;
        }
    }
    let unknown = OrderId::new(shop.random.uuid());
    let found = shop.orders.service_order_id(None, unknown).await?;
    same("an unknown id", &found, &None)
}
