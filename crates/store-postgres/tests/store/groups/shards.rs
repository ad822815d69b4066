//! Concurrent writes of several write shards and several servers.

use pressline_store_kit::shard_of;

use super::*;

/// Returns the number of a store that is not in the first store's write shard, of two.
fn store_of_the_other_shard() -> u32 {
    let shard = |number| shard_of(&fixtures::store_id(number), 2);
    let mut others = (2..).filter(|number| shard(*number) != shard(1));
    others.next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_does_not_block_other_shards() {
    let (database, store) = prepared(&PostgresConfig {
        writers: 2,
        ..patient()
    })
    .await;
    let other = store_of_the_other_shard();
    // Stores 1 to 3 exist already.
    if other > 3 {
        store.cold().add(&fixtures::store(other)).await.unwrap();
    }
    let mut blocker = lock(&database);
    // The first store's shard waits for the lock.
    let mut calls = waiting(&store, Vec::new()).await;
    let others = (1..=20).map(|number| store.write(create(of_store(other, number))));
    let mut numbers = Vec::new();
    for created in others {
        numbers.push(created.await.unwrap().service_order_id.number);
    }
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    assert!(calls.try_join_next().is_none());
    commit(&mut blocker);
    assert!(calls.join_all().await.iter().all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_writers_give_each_order_a_number_of_its_own() {
    let (_database, store) = prepared(&PostgresConfig {
        writes: WriteLimits {
            group: 4,
            ..patient().writes
        },
        writers: 2,
        ..patient()
    })
    .await;
    let mut calls = Calls::new();
    // Each order is submitted twice, and both stores use the same ids.
    for number in 1..=200 {
        for shop in [1, 2, 1, 2] {
            spawn(&mut calls, &store, create(of_store(shop, number)));
        }
    }
    let mut numbers = Vec::new();
    let mut duplicates = 0;
    for outcome in calls.join_all().await {
        match outcome {
            Ok(order) => numbers.push(order.service_order_id.to_string()),
            Err(RepositoryError::Duplicate(_)) => duplicates += 1,
            Err(error) => panic!("{error}"),
        }
    }
    numbers.sort();
    numbers.dedup();
    // One of two identical creates is a duplicate.
    assert_eq!((numbers.len(), duplicates), (400, 400));
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_writing_for_the_same_stores_do_not_conflict() {
    let (database, store) = prepared(&patient()).await;
    let other = PostgresStore::connect(database.url(), &patient()).unwrap();
    let mut calls = Calls::new();
    for number in 1..=150 {
        // Each server gets the stores in another order, and every fifth order goes to both.
        spawn(&mut calls, &store, create(of_store(1 + number % 3, number)));
        let elsewhere = if number % 5 == 0 {
            number
        } else {
            1000 + number
        };
        spawn(
            &mut calls,
            &other,
            create(of_store(1 + number % 3, elsewhere)),
        );
    }
    let (stored, refused): (Vec<_>, Vec<_>) =
        calls.join_all().await.into_iter().partition(Result::is_ok);
    // Every fifth of the 150 orders is created twice.
    assert_eq!((stored.len(), refused.len()), (270, 30));
    assert!(
        refused
            .iter()
            .all(|outcome| matches!(outcome, Err(RepositoryError::Duplicate(_)))),
        "{refused:?}"
    );
    let numbers: BTreeSet<String> = stored
        .into_iter()
        .map(|order| order.unwrap().service_order_id.to_string())
        .collect();
    assert_eq!(numbers.len(), 270);
}

#[derive(QueryableByName)]
struct Activity {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    connections: i64,
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    deadlocks: i64,
}

/// Returns the number of deadlocks on the server. Waits until all other connections are closed,
/// because each reports its counts at its end.
fn deadlocks(database: &Database) -> i64 {
    let mut connection = connection(database);
    loop {
        let activity: Activity = sql_query(
            "SELECT numbackends::bigint AS connections, deadlocks
             FROM pg_stat_database
             WHERE datname = current_database()",
        )
        .get_result(&mut connection)
        .unwrap();
        if activity.connections == 1 {
            return activity.deadlocks;
        }
        std::thread::yield_now();
    }
}

/// Two servers with different numbers of write shards write the same orders of many stores, in
/// opposite order. Their groups share stores and orders, which they must lock in the same order.
#[tokio::test(flavor = "multi_thread")]
async fn servers_writing_the_same_orders_do_not_deadlock() {
    const STORES: u32 = 8;
    let config = |writers| PostgresConfig {
        writers,
        writes: WriteLimits {
            group: 16,
            ..patient().writes
        },
        ..patient()
    };
    let (database, store) = prepared(&config(2)).await;
    for number in 4..=STORES {
        store.cold().add(&fixtures::store(number)).await.unwrap();
    }
    let other = PostgresStore::connect(database.url(), &config(3)).unwrap();
    let mut changes = Vec::new();
    for number in 1..=20 {
        let order = store
            .write(create(of_store(1 + number % STORES, number)))
            .await;
        let order = order.unwrap();
        let parts = order.parts().clone();
        changes.push(OrderWrite::change(crate::changes::changed(&order, parts)));
    }
    let creates = (100..400).map(|number| create(of_store(1 + number % STORES, number)));
    let mut writes: Vec<OrderWrite> = creates.collect();
    // The changes are spread among the creates.
    for (place, change) in changes.into_iter().enumerate() {
        writes.insert(15 * place, change);
    }
    let mut calls = Calls::new();
    for (write, opposite) in writes.iter().zip(writes.iter().rev()) {
        spawn(&mut calls, &store, write.clone());
        spawn(&mut calls, &other, opposite.clone());
    }
    let outcomes = calls.join_all().await;
    let count = |is: fn(&Result<Order, RepositoryError>) -> bool| {
        outcomes.iter().filter(|outcome| is(outcome)).count()
    };
    let duplicates = count(|outcome| matches!(outcome, Err(RepositoryError::Duplicate(_))));
    let stale = count(|outcome| matches!(outcome, Err(RepositoryError::Stale)));
    assert_eq!((count(Result::is_ok), duplicates, stale), (320, 300, 20));
    // Closing the stores blocks, so it must not run on the test's thread.
    tokio::task::spawn_blocking(|| drop((store, other)))
        .await
        .unwrap();
    assert_eq!(deadlocks(&database), 0);
}
