//! A store with orders, its endpoints, and workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, Endpoint, EndpointDirectory, EndpointObserver,
    EndpointOwner, EndpointPayload, EndpointRecord, EndpointScope, EndpointSecret, EndpointState,
    Lag, SecretOpener, SubscriptionKey, SubscriptionRepository,
};
use pressline_domain::event::{Actor, EventService};
use pressline_domain::fulfilment::Caller;
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::OrderService;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::runtime::{Clock, IdSource, SystemClock};
use pressline_domain::store::{
    MasterKeyId, SealError, SecretKey, Store, StoreDirectory, StoreKey, StoreRecord, StoreSettings,
};
use pressline_domain::value::{Currency, EndpointId, KeyId, OrderId, StoreId, Timestamp};
use pressline_egress::{Client, Limits, SystemResolver, Trust};
use pressline_kit::url::{Network, UrlPolicy};
use pressline_webhooks::{EventSender, Outbound, Pace, Ports, Sender, Settings, Wake, Worker};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::drafts::{order, update};
use crate::server::Receiver;
use crate::source::ShortBodies;

pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// Timeout of a request.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(1500);

/// A clock that follows the runtime's time, and that a test can advance. A test can pause the
/// runtime's time.
pub(crate) struct ClockAdvance {
    begin: Instant,
    at: Timestamp,
    millis: AtomicI64,
}

impl Default for ClockAdvance {
    fn default() -> Self {
        Self {
            begin: Instant::now(),
            at: SystemClock.now(),
            millis: AtomicI64::new(0),
        }
    }
}

impl ClockAdvance {
    pub(crate) fn by_seconds(&self, seconds: i64) {
        self.millis.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for ClockAdvance {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.begin.elapsed().as_millis()).unwrap();
        self.at
            .plus_millis(passed + self.millis.load(Ordering::SeqCst))
    }
}

/// Stores secrets without encryption.
struct Plain;

impl SecretOpener for Plain {
    fn open_secret(&self, _: EndpointId, sealed: &[u8]) -> Result<SecretKey, SealError> {
        Ok(SecretKey::new(String::from_utf8(sealed.to_vec()).unwrap()))
    }
}

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) clock: Arc<ClockAdvance>,
    pub(crate) webhooks: MemoryWebhooks,
    pub(crate) settings: Settings,
    stores: MemoryStores,
    orders: MemoryOrders,
    service: OrderService,
    ids: Arc<MonotonicIds>,
    pub(crate) wake: Wake,
    /// Whether workers may send.
    pub(crate) permitted: Arc<AtomicBool>,
    pub(crate) created: Vec<OrderId>,
}

pub(crate) struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    fn start(worker: Worker) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(worker.run(async {
            let _ = stopped.await;
        }));
        Self { stop, task }
    }

    /// Stops the worker as a server's shutdown does.
    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
    }

    /// Ends the worker as a crash does.
    pub(crate) async fn crash(self) {
        self.task.abort();
        assert!(self.task.await.unwrap_err().is_cancelled());
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(ClockAdvance::default());
        let ids = Arc::new(MonotonicIds::new());
        let stores = MemoryStores::new();
        let catalog = Arc::new(MemoryCatalog::new());
        let orders = MemoryOrders::new(&stores, &catalog);
        let now = clock.now();
        let store = Store {
            id: StoreId::new(ids.next(now)),
            name: "Demo shop".to_owned(),
            prefix: "DEMO".parse().unwrap(),
            currency: Currency::USD,
            test: false,
            settings: StoreSettings::default(),
            enabled: true,
            created_at: now,
        };
        let record = StoreRecord::new(store.clone(), Vec::new());
        stores.add(&record).await.unwrap();
        let wake = Wake::default();
        let kept = Arc::new(orders.clone());
        let service = OrderService::new(kept, catalog, clock.clone(), ids.clone());
        Self {
            webhooks: MemoryWebhooks::new(&stores, &orders),
            settings: Settings {
                timeout: TIMEOUT,
                ..Settings::default()
            },
            service: service.observed_by(Arc::new(wake.clone())),
            store,
            clock,
            stores,
            orders,
            ids,
            wake,
            permitted: Arc::new(AtomicBool::new(true)),
            created: Vec::new(),
        }
    }

    pub(crate) async fn add(&self, receiver: &Receiver) -> EndpointId {
        self.add_url(&receiver.url).await
    }

    pub(crate) async fn add_url(&self, url: &str) -> EndpointId {
        let scope = EndpointScope::Store(self.store.id);
        let id = EndpointId::new(self.ids.next(self.clock.now()));
        let record = self.record(id, scope, url);
        let added = EndpointDirectory::add(&self.webhooks, &record, 100).await;
        assert!(added.unwrap());
        id
    }

    fn record(&self, id: EndpointId, scope: EndpointScope, url: &str) -> EndpointRecord {
        let now = self.clock.now();
        let key = StoreKey {
            id: KeyId::new(self.ids.next(now)),
            sealed: SECRET.as_bytes().to_vec(),
            sealed_with: MasterKeyId::new([1; 8]),
            created_at: now,
            last_used_at: None,
        };
        EndpointRecord {
            endpoint: Endpoint {
                id,
                scope,
                url: url.to_owned(),
                types: [].into(),
                payload: EndpointPayload::Full,
                description: None,
                created_at: now,
                updated_at: now,
            },
            secrets: vec![EndpointSecret {
                key,
                expires_at: None,
            }],
            state: EndpointState::default(),
            version: 1,
        }
    }

    /// Runs a worker. It may send to the receivers' `ports` only.
    pub(crate) fn run(&self, ports: &[u16]) -> Running {
        self.run_with(ports, Arc::new(self.webhooks.clone()))
    }

    /// Runs a worker that reads its subscriptions from `subscriptions`.
    pub(crate) fn run_with(
        &self,
        ports: &[u16],
        subscriptions: Arc<dyn SubscriptionRepository>,
    ) -> Running {
        let worker = self.worker(self.event_sender(ports), subscriptions, self.wake.clone());
        Running::start(worker)
    }

    /// Runs a worker that sends to `sender`, without a network.
    pub(crate) fn run_by(&self, sender: &Arc<impl Sender + 'static>) -> Running {
        self.run_by_with(sender, Arc::new(self.webhooks.clone()))
    }

    /// Runs a worker that sends to `sender` and reads its subscriptions from `subscriptions`.
    pub(crate) fn run_by_with(
        &self,
        sender: &Arc<impl Sender + 'static>,
        subscriptions: Arc<dyn SubscriptionRepository>,
    ) -> Running {
        Running::start(self.worker(
            self.event_sender_by(sender),
            subscriptions,
            self.wake.clone(),
        ))
    }

    /// Runs a worker without wake-ups: like a worker in another process, it only polls.
    pub(crate) fn run_elsewhere(&self, sender: &Arc<impl Sender + 'static>) -> Running {
        let subscriptions = Arc::new(self.webhooks.clone());
        Running::start(self.worker(self.event_sender_by(sender), subscriptions, Wake::default()))
    }

    /// Returns an event sender that sends to `sender`, without a network.
    pub(crate) fn event_sender_by(&self, sender: &Arc<impl Sender + 'static>) -> EventSender {
        let (clock, timeout) = (self.clock.clone(), self.settings.timeout);
        EventSender::new(sender.clone(), Arc::new(Plain), clock, timeout)
    }

    /// Returns an event sender that may send to the receivers' `ports` only.
    pub(crate) fn event_sender(&self, ports: &[u16]) -> EventSender {
        let networks = ["127.0.0.0/8", "::1/128"].map(|text| text.parse::<Network>().unwrap());
        let policy = UrlPolicy::new(networks.to_vec(), ports.to_vec());
        let client = Client::new(Arc::new(SystemResolver::default()), Trust::default()).unwrap();
        let limits = Limits::new(TIMEOUT);
        let sender = Outbound::new(Arc::new(client), policy.clone(), policy, limits);
        let clock = self.clock.clone();
        EventSender::new(Arc::new(sender), Arc::new(Plain), clock, TIMEOUT)
    }

    fn worker(
        &self,
        event_sender: EventSender,
        subscriptions: Arc<dyn SubscriptionRepository>,
        wake: Wake,
    ) -> Worker {
        let webhooks = Arc::new(self.webhooks.clone());
        let orders = Arc::new(self.orders.clone());
        let stores = Arc::new(self.stores.clone());
        let events = EventService::new(orders.clone(), orders, stores, Arc::new(ShortBodies));
        let permitted = self.permitted.clone();
        let ports = Ports {
            endpoints: webhooks.clone(),
            subscriptions,
            deliveries: webhooks,
            events,
            event_sender: Arc::new(event_sender),
            pace: Arc::new(Pace::beside(|| Duration::ZERO)),
            permits: Arc::new(move || permitted.load(Ordering::SeqCst)),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        Worker::new(ports, self.settings, wake)
    }

    /// Creates `orders` orders and changes each `changes` times. Each creation and each change is
    /// one event.
    pub(crate) async fn happen(&mut self, orders: usize, changes: usize) {
        let caller = self.caller();
        let before = self.created.len();
        for _ in 0..orders {
            let name = format!("order-{}", self.created.len());
            let placed = self
                .service
                .place
                .create(&self.store, &order(&name), &caller)
                .await
                .unwrap();
            self.created.push(placed.order.content.id);
        }
        self.change(before, changes).await;
    }

    /// Changes all orders from index `from` on, each `changes` times.
    pub(crate) async fn change(&self, from: usize, changes: usize) {
        for change in 0..changes {
            for place in from..self.created.len() {
                let update = update(&format!("order-{place}"), &format!("note {change}"));
                let caller = self.caller();
                self.service
                    .change
                    .update(&self.store, &update, &caller)
                    .await
                    .unwrap();
            }
        }
    }

    /// Resends the event `sequence` to endpoint `id`, as an API call does.
    pub(crate) async fn resend(&self, id: EndpointId, sequence: u64) {
        let subscription = SubscriptionKey {
            store: self.store.id,
            endpoint: id,
        };
        let resent = self
            .webhooks
            .resend(subscription, sequence, self.clock.now())
            .await;
        assert!(resent.unwrap());
        self.wake.changed(id);
    }

    fn caller(&self) -> Caller {
        Caller::new(Actor::Store(KeyId::new(self.ids.next(self.clock.now()))))
    }

    pub(crate) async fn state(&self, id: EndpointId) -> EndpointState {
        self.endpoint(id).await.state
    }

    pub(crate) async fn endpoint(&self, id: EndpointId) -> EndpointRecord {
        EndpointDirectory::find(&self.webhooks, id)
            .await
            .unwrap()
            .unwrap()
    }

    pub(crate) async fn only_endpoint(&self) -> EndpointId {
        let owner = EndpointOwner::Store(self.store.id);
        let endpoints = EndpointDirectory::list(&self.webhooks, owner).await;
        endpoints.unwrap()[0].endpoint.id
    }

    pub(crate) async fn lag(&self, id: EndpointId) -> Lag {
        self.webhooks.lag(id).await.unwrap()
    }

    /// Returns the number of messages: events that failed and wait for a retry.
    pub(crate) async fn open_messages(&self, id: EndpointId) -> usize {
        let key = SubscriptionKey {
            store: self.store.id,
            endpoint: id,
        };
        let later = Timestamp::from_millis(i64::MAX);
        // All failing events belong to different orders.
        self.webhooks.due(key, later, 1000).await.unwrap().len()
    }

    /// Returns the deliveries of an endpoint, oldest first.
    pub(crate) async fn log(&self, id: EndpointId) -> Vec<Delivery> {
        let owner = EndpointOwner::Store(self.store.id);
        let filter = DeliveryFilter {
            endpoint: Some(id),
            ..DeliveryFilter::default()
        };
        let mut log = self
            .webhooks
            .search(owner, &filter, None, 100_000)
            .await
            .unwrap();
        log.reverse();
        log
    }
}

/// Waits until `condition` is true, up to 30 s. `what` completes the failure message.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let begin = Instant::now();
    while !condition().await {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "not {what} within 30 s"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
