//! Cases about storing orders and finding them by id.

use pressline_domain::check::limits;
use pressline_domain::order::search::{SearchFilter, Start};
use pressline_domain::order::{Lookup, Order};
use pressline_domain::value::{OrderId, StoreId, Timestamp};
use pressline_kit::words::SearchKey;

use super::{Shop, create, ids, update};
use crate::check::{holds, is_duplicate, is_stale, same};
use crate::samples::{after, changed, placed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_created_order_is_found_as_given,
    the_largest_order_is_kept_whole,
    numbers_grow_and_are_never_used_twice,
    a_second_order_of_the_same_id_is_a_duplicate,
    two_stores_may_use_one_order_id,
    order_ids_are_compared_letter_by_letter,
    an_order_of_no_store_is_refused,
    other_stores_never_see_an_order,
    an_unknown_order_is_none,
    ping_answers,
];

/// Checks that the orders are equal, and coordinates bit by bit: comparing floats treats 0 and -0
/// as equal.
pub(super) fn same_order(what: &str, got: Option<&Order>, want: &Order) -> CaseResult {
    same(what, &got, &Some(want))?;
    let bits = |order: &Order| -> Vec<Option<u64>> {
        let parts = order.parts();
        [&parts.shipping_address, &parts.billing_address]
            .into_iter()
            .flatten()
            .flat_map(|address| [address.latitude, address.longitude])
            .map(|degrees| degrees.map(f64::to_bits))
            .collect()
    };
    same(
        &format!("{what}: coordinates"),
        &got.map(bits),
        &Some(bits(want)),
    )
}

/// Checks that the store finds `order` by its order id, as it is.
pub(super) async fn is_found(
    shop: &Shop,
    what: &str,
    (store, order_id): (StoreId, &str),
    order: &Order,
) -> CaseResult {
    same_order(what, shop.find(store, order_id).await?.as_ref(), order)
}

async fn a_created_order_is_found_as_given(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    for number in 0..60_u64 {
        let parts = shop.parts(&format!("T-{number}"))?;
        let what = format!("order {number} ({})", shop.random);
        let stored = create(&shop.orders, parts.clone())
            .await?
            .map_err(|e| CaseError::from(e).in_context(&what))?;
        let given = placed(parts)?.stored(stored.service_order_id.clone(), number + 1)?;
        same_order(&format!("{what}, as returned"), Some(&stored), &given)?;
        same(
            "the prefix",
            stored.service_order_id.prefix.as_str(),
            "SHOP",
        )?;
        let found = shop.find(shop.store, &format!("T-{number}")).await?;
        same_order(&format!("{what}, as found"), found.as_ref(), &given)?;
        let newest = shop.all(shop.store).await?;
        let searched = newest
            .iter()
            .find(|order| order.parts().id == given.parts().id);
        same_order(&format!("{what}, as searched"), searched, &given)?;
    }
    Ok(())
}

async fn the_largest_order_is_kept_whole(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let parts = shop.random.largest_order(shop.store)?;
    let order_id = parts.order_id.clone();
    let stored = create(&shop.orders, parts.clone()).await??;
    let given = placed(parts)?.stored(stored.service_order_id.clone(), 1)?;
    is_found(&shop, "as found", (shop.store, &order_id), &given).await?;
    // The longest word of the last item and the longest phone number are searchable.
    let last = given
        .parts()
        .items
        .last()
        .map(|item| item.sku.clone())
        .unwrap_or_default();
    for key in [
        last,
        "9".repeat(limits::TEXT),
        "ref0 ref50 ref99".to_owned(),
    ] {
        let filter = SearchFilter {
            key: SearchKey::parse(&key)?,
            ..SearchFilter::default()
        };
        let found = shop
            .search(shop.store, filter, Start::Offset(0), 10)
            .await?;
        same(
            &format!("found by `{}…`", key.chars().take(10).collect::<String>()),
            &found.orders.len(),
            &1,
        )?;
    }
    // Shrinking the order must remove its other items.
    let mut smaller = given.parts().clone();
    smaller.items.truncate(1);
    let change = changed(&given, smaller, Timestamp::from_millis(1))?;
    let stored = update(&shop.orders, &change).await?;
    same_order(
        "made smaller",
        shop.find(shop.store, &order_id).await?.as_ref(),
        &after(&change, &stored),
    )
}

async fn numbers_grow_and_are_never_used_twice(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let mut last = 0;
    for number in 0..12 {
        let order = shop.place(&format!("T-{number}")).await?;
        let given = order.service_order_id.number;
        holds(&format!("{given} after {last}"), given > last)?;
        last = given;
        // Neither refused orders nor orders of another store use a number of this store.
        let again = shop.parts(&format!("T-{number}"))?;
        is_duplicate("the same order id", create(&shop.orders, again).await?)?;
        let elsewhere = shop.random.order(other, &format!("T-{number}"))?;
        let elsewhere = create(&shop.orders, elsewhere).await??;
        same(
            "the other store's prefix",
            elsewhere.service_order_id.prefix.as_str(),
            "OTHER",
        )?;
        let lookup = Lookup::numbered(given);
        same_order("by its number", shop.found(&lookup).await?.as_ref(), &order)?;
    }
    let mut numbers: Vec<i64> = shop
        .all(shop.store)
        .await?
        .iter()
        .map(|order| order.service_order_id.number)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    same("distinct numbers", &numbers.len(), &12)
}

async fn a_second_order_of_the_same_id_is_a_duplicate(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let first = shop.place("T-1").await?;
    for _ in 0..5 {
        let second = shop.parts("T-1")?;
        is_duplicate("the same order id", create(&shop.orders, second).await?)?;
    }
    is_found(&shop, "the first order", (shop.store, "T-1"), &first).await?;
    same(
        "all orders",
        &shop.all(shop.store).await?,
        &vec![first.clone()],
    )?;
    // After an update, the order id stays taken.
    let parts = shop.rewritten(&first)?;
    let change = changed(&first, parts, Timestamp::from_millis(5))?;
    let second = update(&shop.orders, &change).await?;
    let third = shop.parts("T-1")?;
    is_duplicate("after an update", create(&shop.orders, third).await?)?;
    is_found(&shop, "the changed order", (shop.store, "T-1"), &second).await
}

async fn two_stores_may_use_one_order_id(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let own = shop.place("T-1").await?;
    let parts = shop.random.order(other, "T-1")?;
    let others = create(&shop.orders, parts).await??;
    is_found(&shop, "in the first store", (shop.store, "T-1"), &own).await?;
    is_found(&shop, "in the second store", (other, "T-1"), &others).await
}

async fn order_ids_are_compared_letter_by_letter(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    // A database may fold case, accents or spaces, or read patterns and quotes.
    let order_ids = [
        "a-1",
        "A-1",
        "a-1 ",
        " a-1",
        "á-1",
        "a\u{301}-1",
        "a_1",
        "a%1",
        "a'1",
        "a\"1",
        "a\\1",
        "a-01",
        "😀",
    ];
    let mut placed = Vec::new();
    for order_id in order_ids {
        let order = shop
            .place(order_id)
            .await
            .map_err(|failure| failure.in_context(order_id))?;
        placed.push(order);
    }
    for (order_id, order) in order_ids.into_iter().zip(&placed) {
        same_order(
            &format!("`{order_id}`"),
            shop.find(shop.store, order_id).await?.as_ref(),
            order,
        )?;
    }
    Ok(())
}

async fn an_order_of_no_store_is_refused(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let nowhere = StoreId::new(shop.random.uuid());
    let parts = shop.random.order(nowhere, "T-1")?;
    holds(
        "an order of no store was accepted",
        create(&shop.orders, parts).await?.is_err(),
    )?;
    same("orders there", &shop.all(nowhere).await?, &Vec::new())
}

async fn other_stores_never_see_an_order(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let other = shop.another("OTHER").await?;
    let own = shop.place("T-1").await?;
    let number = Some(own.service_order_id.number);
    for order_id in ["T-1".to_owned(), own.service_order_id.to_string()] {
        let found = shop
            .orders
            .find(
                other,
                &Lookup {
                    order_id,
                    number,
                    id: Some(own.content.id),
                },
            )
            .await?;
        same("found from the other store", &found, &None)?;
    }
    same(
        "searched from the other store",
        &ids(&shop.all(other).await?),
        &Vec::new(),
    )?;
    for word in own.words().iter() {
        let filter = SearchFilter {
            key: SearchKey::parse(word).ok().flatten(),
            ..SearchFilter::default()
        };
        let found = shop.search(other, filter, Start::Offset(0), 10).await?;
        same("searched by its words", &ids(&found.orders), &Vec::new())?;
    }
    let mut parts = shop.rewritten(&own)?;
    parts.store_id = other;
    let stolen = changed(&own, parts, Timestamp::from_millis(9))?;
    is_stale(
        "an update from the other store",
        update(&shop.orders, &stolen).await,
    )?;
    is_found(&shop, "the order", (shop.store, "T-1"), &own).await?;
    same("in the other store", &shop.find(other, "T-1").await?, &None)
}

async fn an_unknown_order_is_none(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let nowhere = StoreId::new(shop.random.uuid());
    same(
        "in an empty store",
        &shop.find(shop.store, "T-1").await?,
        &None,
    )?;
    let order = shop.place("T-1").await?;
    for number in [
        None,
        Some(0),
        Some(-1),
        Some(i64::MAX),
        Some(order.service_order_id.number + 1),
    ] {
        let lookup = Lookup {
            number,
            id: Some(OrderId::new(shop.random.uuid())),
            ..Lookup::by_order_id("T-2")
        };
        same(
            &format!("number {number:?}"),
            &shop.found(&lookup).await?,
            &None,
        )?;
    }
    same("in no store", &shop.find(nowhere, "T-1").await?, &None)
}

async fn ping_answers(adapters: Adapters) -> CaseResult {
    Ok(adapters.orders.ping().await?)
}
