//! Lookups of single orders that share a statement.

use pressline_domain::order::{Lookup, OrderMatch};

use super::*;
use crate::orders::named;

type LookupResult = Result<Option<OrderMatch>, RepositoryError>;

fn lock_orders(database: &Database) -> PgConnection {
    begin(database, "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")
}

/// Starts all lookups while reads wait. Returns the result of each call, a store number and a
/// lookup.
async fn found_at_once(
    database: &Database,
    store: &PostgresStore,
    calls: impl IntoIterator<Item = (u32, Lookup)>,
) -> Vec<LookupResult> {
    let mut blocker = lock_orders(database);
    let calls = calls.into_iter().map(|(shop, lookup)| {
        let store = store.clone();
        tokio::spawn(async move {
            OrderRepository::find(&store, fixtures::store_id(shop), &lookup).await
        })
    });
    let calls: Vec<_> = calls.collect();
    commit(&mut blocker);
    let mut found = Vec::new();
    for call in calls {
        found.push(call.await.unwrap());
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_lookups_share_statements_and_each_returns_its_order() {
    let (database, store, counter) = counted(&patient()).await;
    for shop in 1..=2 {
        for number in 1..=40 {
            store.write(create(of_store(shop, number))).await.unwrap();
        }
    }
    let mut taken = counter.taken();
    // Store 3 has no orders. The order ids are the same in all stores.
    let wanted = || (0..120).map(|place| (1 + place % 3, 1 + place / 3));
    let calls = wanted().map(|(shop, number)| (shop, named(number)));
    let found = found_at_once(&database, &store, calls).await;
    for ((shop, number), found) in wanted().zip(found) {
        let order = found.unwrap().map(Order::from);
        let found = order.map(|order| (order.content.store_id, order.content.order_id.clone()));
        let expected = (fixtures::store_id(shop), named(number).order_id);
        assert_eq!(found, (shop < 3).then_some(expected));
    }
    // Without sharing, there would be 120 statements.
    let statements = taken();
    assert!(statements <= 30, "{statements} statements for 120 calls");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_found_by_its_number_or_its_id_among_others() {
    let (database, store) = prepared(&patient()).await;
    let mut numbers = Vec::new();
    for number in 1..=9 {
        let order = store.write(create(of_store(1, number))).await.unwrap();
        numbers.push(order.service_order_id.number);
    }
    let calls = numbers.iter().map(|number| (1, Lookup::numbered(*number)));
    for (found, number) in found_at_once(&database, &store, calls)
        .await
        .into_iter()
        .zip(&numbers)
    {
        let order = Order::from(found.unwrap().unwrap());
        assert_eq!(order.service_order_id.number, *number);
    }
    // The caller's order id takes precedence, even if the number belongs to another order.
    let both = |number: u32| Lookup {
        number: numbers.first().copied(),
        ..named(number)
    };
    let calls = (1..=9).map(|number| (1, both(number)));
    for (found, number) in found_at_once(&database, &store, calls)
        .await
        .into_iter()
        .zip(1..)
    {
        let OrderMatch { order, other } = found.unwrap().unwrap();
        assert_eq!(order.content.order_id, named(number).order_id);
        // The first number is that of the first order.
        let other = other.map(|other| other.service_order_id.number);
        assert_eq!(other, numbers.first().copied().filter(|_| number != 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_order_fails_only_its_own_call() {
    let (database, store) = prepared(&patient()).await;
    for number in 1..=20 {
        store.write(create(of_store(1, number))).await.unwrap();
    }
    let spoil = "UPDATE orders SET currency = '???' WHERE order_id = 'shop-1-13'";
    execute(&database, spoil);
    let calls = (1..=20).map(|number| (1, named(number)));
    let found = found_at_once(&database, &store, calls).await;
    for (number, found) in (1..=20).zip(found) {
        match found {
            Err(RepositoryError::Corrupt { field, .. }) => {
                assert_eq!((number, field), (13, "currency"))
            }
            found => assert!(found.unwrap().is_some_and(|_| number != 13)),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_call_does_not_block_others() {
    let (database, store) = prepared(&patient()).await;
    store.write(create(of_store(1, 1))).await.unwrap();
    let mut blocker = lock_orders(&database);
    // More calls than the pool has connections; each is dropped while it waits.
    for _ in 0..50 {
        let lookup = named(1);
        let call = OrderRepository::find(&store, fixtures::store_id(1), &lookup);
        let given_up = tokio::time::timeout(std::time::Duration::from_millis(1), call).await;
        assert!(given_up.is_err());
    }
    commit(&mut blocker);
    assert!(find(&store, 1).await.is_some());
}
