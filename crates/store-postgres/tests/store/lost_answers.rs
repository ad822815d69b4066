//! Connections lost between a statement and its result, so that it is unknown whether the statement
//! was committed.

#![expect(
    clippy::indexing_slicing,
    reason = "a test ends where something is amiss"
)]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Order, OrderRepository, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::{PostgresConfig, PostgresStore};
use pressline_testkit::Database;
use tokio::task::JoinHandle;

use crate::calls::find;
use crate::databases::{begin, commit, database, prepare};
use crate::fixtures;
use crate::orders::create;

/// A proxy that forwards everything until the client executes a statement containing `text`. It
/// forwards that statement, too, but closes both connections instead of returning the result.
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

    /// Starts listening. Returns a URL that leads to `database` through the proxy.
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
            let mut statements = Statements::default();
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                let executed = statements.executed_by(&buffer[..read]);
                let mut text = self.text.lock().unwrap();
                if text.is_some_and(|text| executed.contains(text)) {
                    *text = None;
                    *cutting.lock().unwrap() = true;
                }
                if to.write_all(&buffer[..read]).is_err() {
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

/// Parses a client's messages in PostgreSQL's protocol.
#[derive(Default)]
struct Statements {
    /// Bytes of an incomplete message.
    rest: Vec<u8>,
    /// Whether the first message, which has no type, was received.
    has_begun: bool,
    /// Prepared statements by name.
    prepared: HashMap<String, String>,
}

impl Statements {
    /// Returns the texts of the statements that `bytes` execute.
    fn executed_by(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let mut executed = String::new();
        loop {
            let header = usize::from(self.has_begun);
            let Some(length) = self.rest.get(header..header + 4) else {
                return executed;
            };
            let length = u32::from_be_bytes(length.try_into().unwrap());
            let end = header + usize::try_from(length).unwrap();
            if self.rest.len() < end {
                return executed;
            }
            let message: Vec<u8> = self.rest.drain(..end).collect();
            if std::mem::replace(&mut self.has_begun, true) {
                let body = String::from_utf8_lossy(&message[5..]).into_owned();
                executed += &self.executed(message[0], &body);
            }
        }
    }

    fn executed(&mut self, kind: u8, body: &str) -> String {
        let mut parts = body.split('\0');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        match kind {
            b'Q' => next(),
            // The next message executes a statement without a name.
            b'P' => {
                let (name, text) = (next(), next());
                if name.is_empty() {
                    return text;
                }
                self.prepared.insert(name, text);
                String::new()
            }
            b'B' => {
                let (_portal, name) = (next(), next());
                self.prepared.get(&name).cloned().unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

async fn prepared(cutter: &Cutter) -> (Database, PostgresStore) {
    let database = database();
    let config = PostgresConfig {
        writers: 1,
        ..PostgresConfig::default()
    };
    let store = PostgresStore::connect(&cutter.before(&database), &config).unwrap();
    prepare(&store, 1).await;
    (database, store)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_written_once_despite_a_lost_commit_result() {
    let cutter = Cutter::default();
    let (_database, store) = prepared(&cutter).await;
    let mut record = fixtures::store(2);
    cutter.cut_after("COMMIT");
    store.cold().add(&record).await.unwrap();
    assert!(!cutter.is_armed(), "the connection was not cut");
    record.store.name = "Renamed".to_owned();
    record.version = 2;
    cutter.cut_after("COMMIT");
    store.cold().replace(&record, 1).await.unwrap();
    assert!(!cutter.is_armed());
    let found = StoreDirectory::find(&store.cold(), record.store.id).await;
    assert_eq!(found.unwrap(), Some(record));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_written_once_despite_a_lost_commit_result() {
    let cutter = Cutter::default();
    let (_database, store) = prepared(&cutter).await;
    // The order is stored. The use case recognises its own order by the request's fingerprint.
    let new = fixtures::order(1, 2);
    cutter.cut_after("INSERT INTO orders");
    let created = store.write(OrderWrite::create(new.clone())).await;
    assert!(
        matches!(created, Err(RepositoryError::Duplicate(_))),
        "{created:?}"
    );
    assert!(!cutter.is_armed());
    let order = find(&store, 1).await.unwrap();
    assert_eq!(order.parts(), new.parts());

    let mut parts = order.parts().clone();
    parts.items.truncate(1);
    let change = crate::changes::changed(&order, parts);
    cutter.cut_after("UPDATE orders");
    let fewer = store.write(OrderWrite::change(change.clone())).await;
    let fewer = fewer.unwrap();
    assert_eq!(fewer, pressline_contract::after(&change, &fewer));
    assert!(!cutter.is_armed());
    assert_eq!(find(&store, 1).await, Some(fewer));

    // The result of this change is unknown as well, but it must not be mistaken for the first
    // change.
    let late = OrderWrite::change(crate::changes::changed(&order, order.parts().clone()));
    cutter.cut_after("UPDATE orders");
    let refused = store.write(late).await;
    assert!(
        matches!(refused, Err(RepositoryError::Stale)),
        "{refused:?}"
    );
    assert!(!cutter.is_armed());
}

/// Starts calls that form one group. The first call is not part of it: it keeps the writer busy.
async fn grouped(
    store: &PostgresStore,
    writes: Vec<OrderWrite>,
) -> Vec<JoinHandle<Result<Order, RepositoryError>>> {
    let groups = store.writes().groups;
    let mut calls = Vec::new();
    for write in writes {
        let writer = store.clone();
        calls.push(tokio::spawn(async move { writer.write(write).await }));
        let waiting = calls.len() - 1;
        while store.writes().groups == groups || store.writes().waiting < waiting {
            tokio::task::yield_now().await;
        }
    }
    calls
}

/// The connection is lost at the commit of a transaction with new and changed orders.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_is_written_once_despite_a_lost_commit_result() {
    let cutter = Cutter::default();
    let (database, store) = prepared(&cutter).await;
    let mut changes = Vec::new();
    for number in 1..=3 {
        let order = create(&store, number, 2).await.unwrap();
        changes.push(crate::changes::changed(&order, fixtures::parts(number, 1)));
    }
    let update = "UPDATE store_counters SET last_number = last_number";
    let mut blocker = begin(&database, update);
    let creates = [4, 5].map(|number| OrderWrite::create(fixtures::order(number, 1)));
    let updates = changes.iter().cloned();
    let updates = updates.map(OrderWrite::change);
    let calls = grouped(&store, creates.into_iter().chain(updates).collect()).await;
    cutter.cut_after("COMMIT");
    commit(&mut blocker);
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    assert!(!cutter.is_armed(), "the connection was not cut");
    assert!(
        matches!(outcomes[1], Err(RepositoryError::Duplicate(_))),
        "{outcomes:?}"
    );
    for ((outcome, change), number) in outcomes.drain(2..).zip(changes).zip(1..) {
        let order = outcome.unwrap();
        assert_eq!(order, pressline_contract::after(&change, &order));
        assert_eq!(find(&store, number).await, Some(order));
    }
}
