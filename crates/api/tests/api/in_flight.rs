//! Limits on a store's concurrent requests, over real connections and a repository that blocks
//! searches.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use async_trait::async_trait;
use pressline_api::{Api, EventWatch, JsonEvents, Services, Settings, server};
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::sandbox::SandboxService;
use pressline_domain::catalog::{CatalogAdmin, ProductService};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Event, EventService};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::search::{SearchQuery, SearchResult};
use pressline_domain::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, Order, OrderRepository, OrderService,
    OrderWrite, ShipmentLookup, ShipmentMatch,
};
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::store::{
    Authenticated, Authenticator, Call, Denied, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::value::{KeyId, OrderId, StoreId, Timestamp};
use pressline_http::{InFlightLimit, ServerSettings};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::common::*;

const OTHER: &str = "0197f3c2-0000-7000-8000-000000000002";

/// Blocks searches of the store [`STORE`] until `gate` has a permit.
struct HeldOrders {
    orders: MemoryOrders,
    gate: Arc<Gate>,
}

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
impl OrderRepository for HeldOrders {
    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        self.orders.write(write).await
    }

    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<Order>, RepositoryError> {
        self.orders.find(store, lookup).await
    }

    async fn search(
        &self,
        store: StoreId,
        query: &SearchQuery,
    ) -> Result<SearchResult, RepositoryError> {
        if store.to_string() == STORE {
            let _inside = Inside::new(&self.gate);
            // The semaphore is closed at the end of the test.
            if let Ok(released) = self.gate.released.acquire().await {
                released.forget();
            }
        }
        self.orders.search(store, query).await
    }

    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        self.orders.load(store, ids, bytes).await
    }

    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>, RepositoryError> {
        self.orders.events(store, order, latest, count).await
    }

    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>, RepositoryError> {
        self.orders.take_due(now, until, count).await
    }

    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult, RepositoryError> {
        self.orders.fast_forward(store, fast_forward).await
    }

    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>, RepositoryError> {
        self.orders.find_shipments(stores, lookup, count).await
    }

    async fn ping(&self) -> Result<(), RepositoryError> {
        self.orders.ping().await
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

struct Running {
    address: SocketAddr,
    handle: ServerHandle,
    gate: Arc<Gate>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    fn start(in_flight: InFlightLimit) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let gate = Arc::new(Gate {
            inside: AtomicUsize::new(0),
            released: Semaphore::new(0),
        });
        let (send, receive) = mpsc::channel();
        let held = Arc::clone(&gate);
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let api = api(in_flight, held).await;
                let run = ServerSettings {
                    workers: 1,
                    ..ServerSettings::default()
                };
                let server = server(api, listener, &run).unwrap();
                send.send(server.handle()).unwrap();
                server.await.unwrap();
            });
        });
        Self {
            address,
            handle: receive.recv().unwrap(),
            gate,
            thread: Some(thread),
        }
    }

    /// Sends a request without reading its response.
    fn send(&self, store: &str, signature: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
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

impl Drop for Running {
    fn drop(&mut self) {
        self.gate.released.close();
        drop(self.handle.stop(false));
        self.thread.take().unwrap().join().unwrap();
    }
}

async fn api(in_flight: InFlightLimit, gate: Arc<Gate>) -> Api {
    let stores = MemoryStores::new();
    stores
        .add(&StoreRecord {
            store: store(),
            keys: Vec::new(),
            version: 1,
        })
        .await
        .unwrap();
    let catalog = MemoryCatalog::new();
    let tariff = Shop::default().tariff;
    catalog.set_shipping(&tariff.shipping).await.unwrap();
    catalog
        .set_fees(&[(None, Some(&tariff.fees))])
        .await
        .unwrap();
    let orders = MemoryOrders::new(&stores, &catalog);
    let feed = Arc::new(orders.clone());
    let (catalog, clock) = (
        Arc::new(catalog),
        Arc::new(FixedClock::at(Timestamp::from_millis(NOW))),
    );
    let webhooks = MemoryWebhooks::new(&stores, &orders);
    let lanes = Arc::new(webhooks.clone());
    let webhooks = webhook_services(&webhooks, &stores, &orders, &clock);
    let orders = Arc::new(HeldOrders { orders, gate });
    let products = ProductService::new(catalog.clone(), clock.clone());
    let service = OrderService::new(
        orders.clone(),
        catalog,
        clock,
        Arc::new(MonotonicIds::new()),
    );
    let settings = Settings {
        in_flight,
        ..settings()
    };
    Api::new(
        Services {
            webhooks,
            sandbox: SandboxService::new(service.clone(), lanes),
            orders: service,
            products,
            events: EventService::new(
                feed.clone(),
                orders.clone(),
                Arc::new(stores.clone()),
                Arc::new(JsonEvents),
            ),
            watch: EventWatch::new(feed, 20),
            repository: orders,
        },
        Arc::new(AnyStore),
        Arc::new(FakeReadiness(Vec::new())),
        settings,
    )
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
    let server = Running::start(InFlightLimit {
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
    let server = Running::start(InFlightLimit {
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
    let server = Running::start(InFlightLimit::default());
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
