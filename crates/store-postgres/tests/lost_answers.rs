//! A connection that is lost after a statement was sent and before its answer came: done or not,
//! nobody can tell.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test ends where something is amiss"
)]

#[path = "../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_domain::time::Timestamp;
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::{Database, Postgres};

/// Passes everything on, until a message from the client holds the text it waits for: that is still
/// passed on, and the first answer to it is swallowed together with the connection.
#[derive(Clone, Default)]
struct Cutter {
    text: Arc<Mutex<Option<&'static str>>>,
}

impl Cutter {
    fn cut_after(&self, text: &'static str) {
        *self.text.lock().unwrap() = Some(text);
    }

    fn is_armed(&self) -> bool {
        self.text.lock().unwrap().is_some()
    }

    /// Listens, and answers the address of the database behind itself.
    fn before(&self, database: &Database) -> String {
        let url = database.url();
        let (before, rest) = url.split_once('@').unwrap();
        let (server, database) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap();
        let (cutter, server) = (self.clone(), server.to_owned());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                cutter.clone().pass_on(client, server);
            }
        });
        format!("{before}@{own}/{database}?sslmode=disable&gssencmode=disable")
    }

    fn pass_on(self, client: TcpStream, server: TcpStream) {
        let cut = Arc::new(Mutex::new(false));
        let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let cutting = Arc::clone(&cut);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                let mut text = self.text.lock().unwrap();
                let sent = buffer[..read].to_vec();
                if text.is_some_and(|text| {
                    sent.windows(text.len()).any(|part| part == text.as_bytes())
                }) {
                    *text = None;
                    *cutting.lock().unwrap() = true;
                }
                if to.write_all(&sent).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
        let (mut from, mut to) = (server, client);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                if *cut.lock().unwrap() || to.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
            let _ = from.shutdown(Shutdown::Both);
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_is_not_taken_for_somebody_elses() {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let cutter = Cutter::default();
    // Without prepared statements the text of a statement travels with every execution.
    let config = PostgresConfig {
        prepared_statements: false,
        ..PostgresConfig::default()
    };
    let store = PostgresStore::connect(&cutter.before(&database), &config).unwrap();
    store.migrate().await.unwrap();

    let mut record = fixtures::store(1);
    cutter.cut_after("COMMIT");
    store.add(&record).await.unwrap();
    assert!(!cutter.is_armed(), "the connection was not cut");
    record.store.name = "Renamed".to_owned();
    record.version = 2;
    cutter.cut_after("COMMIT");
    store.replace(&record, 1).await.unwrap();
    assert!(!cutter.is_armed());
    assert_eq!(
        StoreDirectory::find(&store, record.store.id).await.unwrap(),
        Some(record)
    );

    // The order is there; that it is its own, the use case tells by the request's fingerprint.
    let new = fixtures::order(1, 2);
    cutter.cut_after("INSERT INTO orders");
    let created = store.write(OrderWrite::create(new.clone())).await;
    assert!(
        matches!(created, Err(RepositoryError::Duplicate(_))),
        "{created:?}"
    );
    assert!(!cutter.is_armed());
    let lookup = pressline_domain::order::Lookup {
        order_id: new.parts().order_id.clone(),
        number: None,
    };
    let order = OrderRepository::find(&store, fixtures::store_id(1), &lookup)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(order.parts(), new.parts());

    let mut parts = order.parts().clone();
    parts.items.truncate(1);
    let changed = order
        .changed(parts, Timestamp::from_millis(fixtures::NOW))
        .unwrap();
    cutter.cut_after("UPDATE orders");
    let update = OrderWrite::update(changed.clone(), 1);
    assert_eq!(store.write(update).await.unwrap(), changed);
    assert!(!cutter.is_armed());
    let found = OrderRepository::find(&store, fixtures::store_id(1), &lookup)
        .await
        .unwrap();
    assert_eq!(found, Some(changed));

    // Whatever another one was in doubt about, this one comes too late.
    let late = order
        .changed(order.parts().clone(), Timestamp::from_millis(fixtures::NOW))
        .unwrap();
    cutter.cut_after("UPDATE orders");
    let refused = store.write(OrderWrite::update(late, 1)).await;
    assert!(
        matches!(refused, Err(RepositoryError::Stale)),
        "{refused:?}"
    );
    assert!(!cutter.is_armed());
}

/// A transaction of new and changed orders whose commit is not answered.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_group_committed_is_not_taken_for_somebody_elses() {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let cutter = Cutter::default();
    let config = PostgresConfig {
        prepared_statements: false,
        writers: 1,
        ..PostgresConfig::default()
    };
    let store = PostgresStore::connect(&cutter.before(&database), &config).unwrap();
    store.migrate().await.unwrap();
    store.add(&fixtures::store(1)).await.unwrap();
    let mut changed = Vec::new();
    for number in 1..=3 {
        let order = store
            .write(OrderWrite::create(fixtures::order(number, 2)))
            .await
            .unwrap();
        let parts = fixtures::parts(number, 1);
        changed.push(
            order
                .changed(parts, Timestamp::from_millis(fixtures::NOW))
                .unwrap(),
        );
    }
    let mut blocker = PgConnection::establish(database.url()).unwrap();
    blocker
        .batch_execute("BEGIN; UPDATE store_counters SET last_number = last_number")
        .unwrap();
    // The first one keeps the writer busy, while the others come together.
    let mut calls = vec![
        OrderWrite::create(fixtures::order(4, 1)),
        OrderWrite::create(fixtures::order(5, 1)),
    ];
    calls.extend(
        changed
            .iter()
            .map(|order| OrderWrite::update(order.clone(), 1)),
    );
    let groups = store.writes().sizes.count();
    let mut tasks = Vec::new();
    for call in calls {
        let writer = store.clone();
        tasks.push(tokio::spawn(async move { writer.write(call).await }));
        let taken = tasks.len();
        while store.writes().sizes.count() == groups || store.writes().waiting < taken - 1 {
            tokio::task::yield_now().await;
        }
    }
    cutter.cut_after("COMMIT");
    blocker.batch_execute("COMMIT").unwrap();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    assert!(!cutter.is_armed(), "the connection was not cut");
    assert!(
        matches!(outcomes[1], Err(RepositoryError::Duplicate(_))),
        "{outcomes:?}"
    );
    for (outcome, order) in outcomes.drain(2..).zip(changed) {
        assert_eq!(outcome.unwrap(), order);
        let order_id = order.parts().order_id.clone();
        let lookup = pressline_domain::order::Lookup {
            order_id,
            number: None,
        };
        let found = OrderRepository::find(&store, fixtures::store_id(1), &lookup)
            .await
            .unwrap();
        assert_eq!(found, Some(order));
    }
}
