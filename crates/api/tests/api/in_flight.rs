//! Limits on a store's concurrent requests, over real connections and a repository that blocks
//! searches.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use pressline_api::{Api, Settings};
use pressline_contract::{HookedOrders, OrderCall, OrderHooks};
use pressline_domain::error::RepositoryError;
use pressline_domain::store::{Authenticated, Authenticator, Call, Denied, Store};
use pressline_domain::value::KeyId;
use pressline_http::{InFlightLimit, ServerSettings};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::common::*;
use crate::sockets::{Running, serve};

const OTHER: &str = "0197f3c2-0000-7000-8000-000000000002";

/// Blocks searches of the store [`STORE`] until the gate has a permit.
struct Blocked(Arc<Gate>);

struct Gate {
    /// Number of blocked searches.
    inside: AtomicUsize,
    released: Semaphore,
}

struct Inside<'a>(&'a Gate);

impl<'a> Inside<'a> {
    fn new(gate: &'a Gate) -> Self {
        gate.inside.fetch_add(1, Ordering::SeqCst);
        Self(gate)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl OrderHooks for Blocked {
    async fn before(&self, call: OrderCall) -> Result<(), RepositoryError> {
        if call == OrderCall::Search(STORE.parse().unwrap()) {
            let _inside = Inside::new(&self.0);
            // The semaphore is closed at the end of the test.
            if let Ok(released) = self.0.released.acquire().await {
                released.forget();
            }
        }
        Ok(())
    }
}

/// Accepts [`GOOD`] for any store.
struct AnyStore;

#[async_trait]
impl Authenticator for AnyStore {
    async fn authenticate(&self, call: &Call<'_>) -> Result<Authenticated, Denied> {
        match (call.store_id, call.signature) {
            (Some(id), Some(GOOD)) => Ok(Authenticated {
                store: Arc::new(Store {
                    id: id.parse().unwrap(),
                    ..store()
                }),
                key: Some(KeyId::new(Uuid::from_u128(1))),
            }),
            _ => Err(Denied::Permission("bad signature")),
        }
    }
}

struct Blocking {
    server: Running,
    gate: Arc<Gate>,
}

impl Blocking {
    fn start(in_flight: InFlightLimit) -> Self {
        let gate = Arc::new(Gate {
            inside: AtomicUsize::new(0),
            released: Semaphore::new(0),
        });
        let blocked = Blocked(Arc::clone(&gate));
        let server = serve(api(in_flight, blocked), ServerSettings::default());
        Self { server, gate }
    }

    /// Sends a request without reading its response.
    fn send(&self, store: &str, signature: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = self.server.connect();
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             X-Service-Store-Id: {store}\r\nX-Service-Hmac-Sha256: {signature}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    }

    fn ask(&self, store: &str, path: &str, body: &str) -> String {
        response(self.send(store, GOOD, path, body))
    }

    /// Waits until `count` searches are blocked. Panics after 20 seconds.
    fn until_inside(&self, count: usize) {
        let began = std::time::Instant::now();
        while self.gate.inside.load(Ordering::SeqCst) != count {
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "there are not {count} searches inside"
            );
            std::thread::yield_now();
        }
    }
}

impl Drop for Blocking {
    fn drop(&mut self) {
        // The server stops afterwards, without blocked searches.
        self.gate.released.close();
    }
}

async fn api(in_flight: InFlightLimit, blocked: Blocked) -> Api {
    let memory = Memory::filled(&Shop::default()).await;
    let services = memory.services(Arc::new(HookedOrders {
        orders: Arc::new(memory.orders.clone()),
        hooks: blocked,
    }));
    let settings = Settings {
        in_flight,
        ..settings()
    };
    let readiness = Arc::new(FakeReadiness(Vec::new()));
    Api::new(services, Arc::new(AnyStore), readiness, settings)
}

fn response(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[track_caller]
fn assert_status(response: &str, status: &str) {
    assert!(
        response.starts_with(&format!("HTTP/1.1 {status} ")),
        "{response}"
    );
}

#[test]
fn a_store_over_its_limit_does_not_affect_other_stores() {
    let server = Blocking::start(InFlightLimit {
        calls: 2,
        searches: 1,
        large: 1,
        waiting: 8,
        wait: Duration::from_millis(1),
    });
    let held = server.send(STORE, GOOD, SEARCH, "{}");
    server.until_inside(1);

    for path in [SEARCH, PRODUCTS] {
        let refused = server.ask(STORE, path, "{}");
        assert_status(&refused, "429");
        assert!(refused.contains("\"code\":\"rate_limited\""), "{refused}");
        assert!(
            refused
                .to_ascii_lowercase()
                .contains("\r\nretry-after: 1\r\n"),
            "{refused}"
        );
    }
    // The limit affects neither the store's other operations nor searches of other stores.
    assert_status(&server.ask(STORE, CREATE, &order("A-1").to_string()), "200");
    assert_status(&server.ask(OTHER, SEARCH, "{}"), "200");
    // The signature is checked before the limit, the body after it.
    assert_status(&response(server.send(STORE, "bad", SEARCH, "{}")), "401");
    assert_status(&server.ask(STORE, SEARCH, "{"), "429");

    server.gate.released.add_permits(2);
    assert_status(&response(held), "200");
    assert_status(&server.ask(STORE, SEARCH, "{}"), "200");
}

#[test]
fn a_queued_request_is_served_if_a_slot_becomes_free_in_time() {
    let server = Blocking::start(InFlightLimit {
        calls: 2,
        searches: 1,
        large: 1,
        waiting: 1,
        wait: Duration::from_secs(60),
    });
    let held = server.send(STORE, GOOD, SEARCH, "{}");
    server.until_inside(1);
    let waiting = server.send(STORE, GOOD, SEARCH, "{}");
    server.gate.released.add_permits(1);
    assert_status(&response(held), "200");
    server.until_inside(1);
    server.gate.released.add_permits(1);
    assert_status(&response(waiting), "200");
}

#[test]
fn requests_of_disconnected_clients_are_dropped() {
    let server = Blocking::start(InFlightLimit::default());
    let gone = server.send(STORE, GOOD, SEARCH, "{}");
    server.until_inside(1);
    drop(gone);
    server.until_inside(0);
    // The disconnected client's slot is free again.
    let next = server.send(STORE, GOOD, SEARCH, "{}");
    server.until_inside(1);
    server.gate.released.add_permits(1);
    assert_status(&response(next), "200");
}
