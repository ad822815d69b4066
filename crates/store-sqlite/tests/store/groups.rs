//! Orders that share a transaction, and writes that must not interrupt them.

use std::time::Duration;

use diesel::connection::SimpleConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_store_sqlite::{SqliteConfig, SqliteStore, WriteLimits, WriteQueue};

use crate::calls::{create, find, waiting};
use crate::files::{counted, prepared, unlock};
use crate::{calls, fixtures, orders, webhooks};

impl calls::Queued for SqliteStore {
    fn writes(&self) -> WriteQueue {
        self.writes()
    }
}

fn patient() -> SqliteConfig {
    let patient = Duration::from_secs(20);
    SqliteConfig {
        pool_wait: patient,
        writes: WriteLimits {
            backlog: patient,
            ..WriteLimits::default()
        },
        busy_timeout: patient,
        ..SqliteConfig::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_creates_share_a_transaction() {
    let (file, store, counter) = counted(&patient()).await;
    let mut blocker = file.lock();
    let unlock = || unlock(&mut blocker);
    let writes = calls::creates(1..=63);
    let statements =
        calls::creates_share_a_transaction(&store, writes, counter.taken(), unlock).await;
    // For each of two groups: BEGIN, counters, merged words, COMMIT. Orders, items, states and
    // events are written 32, 8, 3 and 1 at a time, words order by order.
    assert_eq!(statements, 2 * 4 + 4 * (1 + (1 + 3 + 2 + 1)) + 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn updates_and_repeated_creates_share_a_transaction() {
    let (file, store) = prepared(&patient()).await;
    let order = store.write(create(fixtures::order(1, 2))).await.unwrap();
    let changed = |note: &str| {
        let mut parts = order.parts().clone();
        parts.production_note = Some(note.to_owned());
        OrderWrite::change(crate::changes::changed(&order, parts))
    };
    let mut writes = vec![
        changed("first"),
        changed("second"),
        create(fixtures::order(1, 1)),
    ];
    writes.extend(std::iter::repeat_n(create(fixtures::order(7, 3)), 16));
    let mut blocker = file.lock();
    let calls = waiting(&store, writes).await;
    unlock(&mut blocker);
    let (stored, refused): (Vec<_>, Vec<_>) =
        calls.join_all().await.into_iter().partition(Result::is_ok);
    let stale = refused
        .iter()
        .filter(|outcome| matches!(outcome, Err(RepositoryError::Stale)))
        .count();
    let twice = refused
        .iter()
        .filter(|outcome| matches!(outcome, Err(RepositoryError::Duplicate(_))))
        .count();
    // Stored: the call that keeps the writer busy, the first update, and one of the 16 creates.
    assert_eq!((stored.len(), stale, twice), (3, 1, 16));
    let first = find(&store, 1).await.unwrap();
    assert_eq!(first.parts().production_note.as_deref(), Some("first"));
    assert_eq!(find(&store, 7).await.unwrap().parts().items.len(), 3);
    assert_eq!(
        (store.writes().groups, store.writes().written_alone),
        (3, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_order_does_not_affect_others() {
    let (file, store) = prepared(&patient()).await;
    let mut blocker = file.lock();
    blocker
        .batch_execute(
            "CREATE TRIGGER poison BEFORE INSERT ON line_items WHEN NEW.sku = 'MUG-13000' \
             BEGIN SELECT RAISE(ABORT, 'poison'); END",
        )
        .unwrap();
    calls::a_refused_order_harms_no_other(&store, || unlock(&mut blocker)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_immediately_unavailable() {
    let (file, store) = prepared(&SqliteConfig {
        writes: WriteLimits {
            queue: 3,
            ..patient().writes
        },
        ..patient()
    })
    .await;
    let mut blocker = file.lock();
    calls::a_full_queue_refuses_at_once(&store, || unlock(&mut blocker)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn begun_writes_of_a_dropped_store_are_stored_and_waiting_writes_are_not() {
    let (file, store) = prepared(&patient()).await;
    let mut blocker = file.lock();
    let reopen = || file.open_with(&patient());
    calls::only_what_was_begun_is_stored(store, || unlock(&mut blocker), reopen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_takes_a_fixed_number_of_statements() {
    let (_folder, store, counter) = counted(&patient()).await;
    let order = store.write(create(fixtures::order(1, 2))).await.unwrap();
    find(&store, 1).await.unwrap();
    let mut taken = counter.taken();
    let change = OrderWrite::change(crate::changes::changed(&order, order.parts().clone()));
    store.write(change).await.unwrap();
    assert_eq!(
        taken(),
        8 + 2,
        "BEGIN, counters, state, event, order, words, merged words, COMMIT, an item each"
    );
    find(&store, 1).await.unwrap();
    assert_eq!(taken(), 4, "BEGIN, order with its state, items, COMMIT");
    for (key, statements) in [("", 5), ("mug", 7), ("nothing", 4)] {
        orders::found(&store, key).await;
        assert_eq!(
            taken(),
            statements,
            "BEGIN, for a key its chunks and hits, orders, where there are hits their items and states, COMMIT"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_delivered_events_are_stored_by_three_statements() {
    let (_folder, store, counter) = counted(&patient()).await;
    let of = fixtures::store(1).store.id;
    let taken = webhooks::statements_of_eight_events(&store.cold(), of, counter.taken()).await;
    assert_eq!(taken, 5, "with BEGIN and COMMIT");
}
