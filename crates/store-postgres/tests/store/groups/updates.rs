//! Updates in groups, with and without creates.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::fulfilment::Change;

use super::*;
use crate::databases::waiting_for_locks;

fn with_email(order: &Order, email: &str) -> Change {
    let parts = order.parts().clone();
    crate::changes::changed(
        order,
        OrderParts {
            email: Some(email.to_owned()),
            ..parts
        },
    )
}

fn update(change: &Change) -> OrderWrite {
    OrderWrite::change(change.clone())
}

/// Stores the orders `numbers`, with two items each.
async fn created(store: &PostgresStore, numbers: std::ops::RangeInclusive<u32>) -> Vec<Order> {
    let mut orders = Vec::new();
    for number in numbers {
        orders.push(
            store
                .write(create(fixtures::order(number, 2)))
                .await
                .unwrap(),
        );
    }
    orders
}

type Call = tokio::task::JoinHandle<Result<Order, RepositoryError>>;

/// Starts `writes` as one group, in this order. The group begins when this function returns.
async fn group(
    store: &PostgresStore,
    blocker: &mut PgConnection,
    writes: Vec<OrderWrite>,
) -> Vec<Call> {
    let first = spawn_first(store).await;
    let mut calls = Vec::new();
    for write in writes {
        let writer = store.clone();
        calls.push(tokio::spawn(async move { writer.write(write).await }));
        // Each write is queued before the next, so that the group has their order.
        until(|| store.writes().waiting == calls.len()).await;
    }
    commit(blocker);
    first.join_all().await.pop().unwrap().unwrap();
    calls
}

async fn outcomes(
    store: &PostgresStore,
    blocker: &mut PgConnection,
    writes: Vec<OrderWrite>,
) -> Vec<Result<Order, RepositoryError>> {
    let mut outcomes = Vec::new();
    for call in group(store, blocker, writes).await {
        outcomes.push(call.await.unwrap());
    }
    outcomes
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_updates_share_a_statement() {
    let (database, store, counter) = counted(&patient()).await;
    let changed: Vec<Change> = created(&store, 1..=30)
        .await
        .iter()
        .map(|order| with_email(order, "new@example.com"))
        .collect();
    let mut blocker = lock(&database);
    let mut taken = counter.taken();
    let updated = outcomes(&store, &mut blocker, changed.iter().map(update).collect()).await;
    assert_eq!(taken(), 2, "the first order, and all updates");
    for ((updated, changed), number) in updated.into_iter().zip(changed).zip(1..) {
        let updated = updated.unwrap();
        assert_eq!(updated, pressline_contract::after(&changed, &updated));
        assert_eq!(find(&store, number).await, Some(updated));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_a_groups_updates_of_an_order_wins() {
    let (database, store, counter) = counted(&patient()).await;
    let order = created(&store, 1..=1).await.remove(0);
    let mut writes: Vec<OrderWrite> = (0..8)
        .map(|n| {
            let mut parts = order.parts().clone();
            parts.email = Some(format!("{n}@example.com"));
            // Each change also replaces the items, by fewer.
            parts.items = fixtures::parts(10 + n, 1 + n % 2).items;
            OrderWrite::change(crate::changes::changed(&order, parts))
        })
        .collect();
    // The list begins with two changes that must fail: one with another catalog version, and one
    // of an order version that is not stored yet.
    let another = with_email(&order, "other-catalog@example.com");
    writes.insert(0, update(&another).priced_with(CatalogVersion(77)));
    writes.insert(
        1,
        update(&with_email(
            &with_email(&order, "early@example.com").order,
            "earlier@example.com",
        )),
    );
    let mut blocker = lock(&database);
    let mut taken = counter.taken();
    let mut outcomes = outcomes(&store, &mut blocker, writes).await;
    assert_eq!(taken(), 2, "nobody waits for who is of the same group");
    let other_catalog = outcomes.remove(0);
    assert!(
        matches!(other_catalog, Err(RepositoryError::CatalogChanged)),
        "{other_catalog:?}"
    );
    let (mut stored, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    // The first valid update wins; all others have an old version.
    assert_eq!((stored.len(), refused.len()), (1, 8));
    assert!(
        refused
            .iter()
            .all(|outcome| matches!(outcome, Err(RepositoryError::Stale))),
        "{refused:?}"
    );
    assert_eq!(find(&store, 1).await, stored.remove(0).ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn new_and_changed_orders_share_a_transaction() {
    let (database, store, counter) = counted(&patient()).await;
    let orders = created(&store, 1..=3).await;
    // The change is based on an order version that is not stored.
    let changed = with_email(&orders[0], "new@example.com");
    let stale = with_email(
        &with_email(&orders[1], "a@example.com").order,
        "b@example.com",
    );
    let writes = vec![
        update(&stale),
        create(fixtures::order(4, 3)),
        // This order was created long ago.
        create(fixtures::order(3, 1)),
        update(&changed),
        create(fixtures::order(5, 1)),
    ];
    let mut blocker = lock(&database);
    let mut taken = counter.taken();
    let outcomes = outcomes(&store, &mut blocker, writes).await;
    assert_eq!(
        taken(),
        1 + 4,
        "the first order; two statements between begin and commit"
    );
    let [refused, fourth, duplicate, updated, fifth] = <[_; 5]>::try_from(outcomes).unwrap();
    assert!(
        matches!(refused, Err(RepositoryError::Stale)),
        "{refused:?}"
    );
    assert!(
        matches!(duplicate, Err(RepositoryError::Duplicate(_))),
        "{duplicate:?}"
    );
    let updated = updated.unwrap();
    assert_eq!(updated, pressline_contract::after(&changed, &updated));
    for (number, order) in [
        (1, updated),
        (2, orders[1].clone()),
        (4, fourth.unwrap()),
        (5, fifth.unwrap()),
    ] {
        assert_eq!(find(&store, number).await, Some(order));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_update_does_not_affect_other_writes() {
    let (database, store) = prepared(&patient()).await;
    let orders = created(&store, 1..=4).await;
    // The database rejects a single email address.
    let reject = "ALTER TABLE orders ADD CHECK (email <> 'poison@example.com')";
    execute(&database, reject);
    let changed: Vec<Change> = orders
        .iter()
        .map(|order| match order.parts().order_id.as_str() {
            "shop-1-2" => with_email(order, "poison@example.com"),
            _ => with_email(order, "new@example.com"),
        })
        .collect();
    let mut writes: Vec<OrderWrite> = changed.iter().map(update).collect();
    writes.insert(2, create(fixtures::order(5, 1)));
    let mut blocker = lock(&database);
    let outcomes = outcomes(&store, &mut blocker, writes).await;
    let [first, poison, new, third, fourth] = <[_; 5]>::try_from(outcomes).unwrap();
    assert!(
        matches!(poison, Err(RepositoryError::Refused(_))),
        "{poison:?}"
    );
    assert_eq!(find(&store, 2).await.as_ref(), orders.get(1));
    for (number, outcome) in [(1, first), (3, third), (4, fourth), (5, new)] {
        assert_eq!(find(&store, number).await, Some(outcome.unwrap()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_order_delays_only_its_own_update() {
    let (database, store) = prepared(&patient()).await;
    let orders = created(&store, 1..=2).await;
    // Another transaction holds the state of the first order.
    let mut holder = begin(
        &database,
        "SELECT FROM order_states JOIN orders USING (store_id, id) \
         WHERE order_id = 'shop-1-1' FOR UPDATE OF order_states",
    );
    let [held, free] = [&orders[0], &orders[1]].map(|order| with_email(order, "new@example.com"));
    let mut blocker = lock(&database);
    let calls = group(&store, &mut blocker, vec![update(&held), update(&free)]).await;
    let [waiting, free_call] = <[Call; 2]>::try_from(calls).unwrap();
    let stored = free_call.await.unwrap().unwrap();
    assert_eq!(stored, pressline_contract::after(&free, &stored));
    // New orders are stored meanwhile.
    store.write(create(fixtures::order(3, 1))).await.unwrap();
    assert_eq!(find(&store, 1).await.as_ref(), orders.first());
    commit(&mut holder);
    let stored = waiting.await.unwrap().unwrap();
    assert_eq!(stored, pressline_contract::after(&held, &stored));
    assert_eq!(find(&store, 1).await, Some(stored));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_update_sees_the_changed_order() {
    let (database, store) = prepared(&patient()).await;
    let order = created(&store, 1..=1).await.remove(0);
    let mut holder = begin(&database, "UPDATE order_states SET version = 2");
    let call = {
        let (store, write) = (
            store.clone(),
            update(&with_email(&order, "late@example.com")),
        );
        tokio::spawn(async move { store.write(write).await })
    };
    // Waits until the update is blocked.
    until(|| waiting_for_locks(&database) > 0 || call.is_finished()).await;
    commit(&mut holder);
    let refused = call.await.unwrap();
    assert!(
        matches!(refused, Err(RepositoryError::Stale)),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_updating_the_same_orders_do_not_conflict() {
    let (database, store) = prepared(&patient()).await;
    let other = PostgresStore::connect(database.url(), &patient()).unwrap();
    let orders = created(&store, 1..=60).await;
    let mut calls = Calls::new();
    for order in &orders {
        let write = update(&with_email(order, "here@example.com"));
        let store = store.clone();
        calls.spawn(async move { store.write(write).await });
    }
    for order in orders.iter().rev() {
        let write = update(&with_email(order, "there@example.com"));
        let other = other.clone();
        calls.spawn(async move { other.write(write).await });
    }
    let (updated, refused): (Vec<_>, Vec<_>) =
        calls.join_all().await.into_iter().partition(Result::is_ok);
    // For each order, one of both updates wins.
    assert_eq!((updated.len(), refused.len()), (60, 60));
    assert!(
        refused
            .iter()
            .all(|outcome| matches!(outcome, Err(RepositoryError::Stale))),
        "{refused:?}"
    );
    let updated = updated.into_iter().map(Result::unwrap);
    assert_stored(&store, updated.collect()).await;
}

#[derive(Debug, PartialEq, QueryableByName)]
struct StoredRow {
    #[diesel(sql_type = diesel::sql_types::Text)]
    content: String,
    /// Id of the transaction that wrote the row.
    #[diesel(sql_type = diesel::sql_types::Text)]
    written: String,
}

/// Returns the rows of `from`, each with the value of the expression `content`.
fn stored_rows(database: &Database, content: &str, from: &str) -> Vec<StoredRow> {
    sql_query(format!(
        "SELECT {content}::text AS content, xmin::text AS written FROM {from}"
    ))
    .load(&mut connection(database))
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn unchanged_items_are_not_rewritten() {
    let (database, store) = prepared(&patient()).await;
    let order = store.write(create(fixtures::order(1, 4))).await.unwrap();
    let items = || stored_rows(&database, "sku", "line_items ORDER BY position");
    let before = items();
    let mut parts = order.parts().clone();
    parts.items[1].sku = "OTHER".to_owned();
    parts.items[2].name = Some("It had none".to_owned());
    parts.items.remove(3);
    let changed = store
        .write(OrderWrite::change(crate::changes::changed(&order, parts)))
        .await
        .unwrap();
    assert_eq!(find(&store, 1).await, Some(changed));
    let after = items();
    assert_eq!((after.len(), &after[0]), (3, &before[0]));
    assert!(
        after[1].written != before[1].written && after[2].written != before[2].written,
        "{after:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn unchanged_words_are_not_rewritten() {
    let (database, store) = prepared(&patient()).await;
    let order = store.write(create(fixtures::order(1, 2))).await.unwrap();
    let words = || stored_rows(&database, "words", "order_words");
    let before = words();
    let mut parts = order.parts().clone();
    // The search words contain neither notes nor file URLs.
    parts.production_note = Some("not searched".to_owned());
    parts.items[1].file_urls.clear();
    let changed = store
        .write(OrderWrite::change(crate::changes::changed(&order, parts)))
        .await
        .unwrap();
    assert_eq!(find(&store, 1).await.as_ref(), Some(&changed));
    assert_eq!(words(), before);
    store
        .write(update(&with_email(&changed, "new@example.com")))
        .await
        .unwrap();
    assert_ne!(words(), before);
}
