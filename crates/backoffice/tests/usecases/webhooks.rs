//! Webhook endpoints: setup, test events, and resending.

mod deliveries;
mod endpoints;
mod operators;
mod states;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::operator::{Operator, OperatorRole};
use pressline_backoffice::webhook::*;
use pressline_domain::check::{Field, IssueCode, Report};
use pressline_domain::error::Source;
use pressline_domain::order::Order;
use pressline_domain::store::SealError;
use pressline_domain::value::{EndpointId, OperatorId, StoreId, Timestamp};
use pressline_kit::url::UrlPolicy;
use uuid::Uuid;

use super::fixture::*;
use super::stores::PlainIssuer;

struct Hooks {
    shop: Shop,
    webhooks: Arc<MemoryWebhooks>,
    endpoints: EndpointService,
    sender: Arc<Sender>,
    changes: Arc<Changes>,
}

#[derive(Default)]
struct Changes(Mutex<Vec<EndpointId>>);

impl EndpointObserver for Changes {
    fn changed(&self, endpoint: EndpointId) {
        self.0.lock().unwrap().push(endpoint);
    }
}

#[derive(Default)]
struct Sender {
    sent: Mutex<Vec<String>>,
}

#[async_trait]
impl TestSender for Sender {
    async fn send(
        &self,
        record: &EndpointRecord,
        event_id: &str,
        json: Vec<u8>,
    ) -> Result<SendReport, SealError> {
        let text = format!(
            "{} {event_id} {}",
            record.endpoint.url,
            String::from_utf8(json).unwrap()
        );
        self.sent.lock().unwrap().push(text);
        Ok(SendReport {
            result: DeliveryResult {
                error: None,
                http_status: Some(204),
                response: Some(String::new()),
            },
            retry_after: None,
            started_at: Timestamp::from_millis(NOW),
            duration_ms: 3,
        })
    }
}

struct Bodies;

impl TestBodies for Bodies {
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source> {
        Ok(event.endpoint.to_string().into_bytes())
    }
}

impl Hooks {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let webhooks = Arc::new(MemoryWebhooks::new(&shop.stores, &shop.orders));
        let sender = Arc::new(Sender::default());
        let ports = EndpointPorts {
            endpoints: webhooks.clone(),
            stores: Arc::new(shop.stores.clone()),
            feed: shop.orders.clone(),
            issuer: Arc::new(PlainIssuer::default()),
            clock: shop.clock.clone(),
            ids: shop.ids.clone(),
            log: webhooks.clone(),
            log_days: 30,
            orders: shop.orders.clone(),
            sender: sender.clone(),
            bodies: Arc::new(Bodies),
        };
        let local = UrlPolicy::new(vec!["127.0.0.0/8".parse().unwrap()], vec![80, 443, 8080]);
        let urls = EndpointUrls {
            shop: local,
            stores: UrlPolicy::default(),
        };
        let changes = Arc::new(Changes::default());
        let endpoints = EndpointService::new(ports, urls).observed_by(changes.clone());
        Self {
            endpoints,
            webhooks,
            shop,
            sender,
            changes,
        }
    }

    async fn create(&self) -> EndpointRecord {
        let created = self.endpoints.create(&self.shop.store, &draft()).await;
        created.unwrap().outcome.view.record
    }

    /// Creates an endpoint of the print shop that subscribes to `stores`; to all stores if it is
    /// empty.
    async fn create_for_shop(&self, stores: &[StoreId]) -> EndpointRecord {
        let draft = EndpointDraft {
            stores: texts(stores.iter().map(StoreId::to_string)),
            ..draft()
        };
        let created = self.endpoints.create(SHOP, &draft).await;
        created.unwrap().outcome.view.record
    }

    async fn set(&self, record: &EndpointRecord, state: EndpointState) -> EndpointRecord {
        let changed = EndpointRecord {
            state,
            ..record.clone()
        };
        let replaced = self.webhooks.replace(&changed, record.version, None);
        replaced.await.unwrap();
        self.found(record).await
    }

    async fn found(&self, record: &EndpointRecord) -> EndpointRecord {
        let found = EndpointDirectory::find(&*self.webhooks, record.endpoint.id);
        found.await.unwrap().unwrap()
    }

    /// Places an order, which adds an event of the store.
    async fn place(&self, order_id: &str) -> Order {
        self.shop
            .place(order_id, vec![item("MUG-11", 1)])
            .await
            .order
    }

    /// Logs a failed attempt for the latest event of `order` and moves the cursor past it.
    async fn fail(&self, record: &EndpointRecord, order: &Order) -> Delivery {
        let sequence = order.state.last_sequence;
        let delivery = Delivery {
            id: pressline_domain::value::DeliveryId::new(self.shop.new_id()),
            endpoint: record.endpoint.id,
            store: order.content.store_id,
            event: SentEvent {
                id: format!("evt_{sequence}"),
                kind: "order.created".to_owned(),
                sequence: Some(sequence),
                order: Some(SentOrder {
                    id: order.content.id,
                    order_id: order.content.order_id.clone(),
                }),
            },
            attempt: 1,
            result: DeliveryResult {
                error: Some(DeliveryError::Status),
                http_status: Some(500),
                response: Some("no".to_owned()),
            },
            started_at: Timestamp::from_millis(NOW + i64::try_from(sequence).unwrap()),
            duration_ms: 1,
            next_attempt_at: None,
        };
        let now = Timestamp::from_millis(NOW);
        let subscription = self
            .webhooks
            .lease(delivery.subscription(), now, now)
            .await
            .unwrap();
        let outcome = SubscriptionOutcome {
            subscription: Subscription {
                cursor: sequence,
                ..subscription.unwrap()
            },
            at: now,
            leased_until: None,
            open: Vec::new(),
            settled: Vec::new(),
            released: Vec::new(),
            deliveries: vec![delivery.clone()],
            endpoint: None,
        };
        let recorded = self.webhooks.record(&outcome).await.unwrap();
        assert_eq!(recorded, RecordResult::Done);
        delivery
    }
}

impl Shop {
    fn new_id(&self) -> Uuid {
        use pressline_domain::runtime::{Clock, IdSource};
        self.ids.next(self.clock.now())
    }
}

/// Scope of a print-shop operator with access to all stores.
const SHOP: EndpointCaller<'static> = EndpointCaller::Shop(None);

fn bound(stores: &[StoreId]) -> Operator {
    Operator {
        id: OperatorId::new(Uuid::from_u128(7)),
        name: "Ana".to_owned(),
        role: OperatorRole::Admin,
        stores: Some(stores.iter().copied().collect::<BTreeSet<_>>()),
        created_at: Timestamp::from_millis(NOW),
    }
}

fn draft() -> EndpointDraft {
    EndpointDraft {
        url: "https://hooks.example.com/p".into(),
        ..EndpointDraft::default()
    }
}

fn texts(texts: impl IntoIterator<Item = String>) -> Field<Vec<Field<String>>> {
    Field::Value(texts.into_iter().map(Field::Value).collect())
}

/// Names the endpoint of `record` in a request of its store.
fn which(record: &EndpointRecord) -> EndpointIdDraft {
    EndpointIdDraft {
        webhook_id: record.endpoint.id.to_string().into(),
        store_id: Field::Absent,
    }
}

/// Names the endpoint of `record` in an operator's request about `store`.
fn which_of(record: &EndpointRecord, store: StoreId) -> EndpointIdDraft {
    EndpointIdDraft {
        store_id: store.to_string().into(),
        ..which(record)
    }
}

/// `field` and `code` of each problem. Panics unless the error is `WebhookError::Invalid`.
#[track_caller]
fn problems<T: std::fmt::Debug>(result: Result<T, WebhookError>) -> Vec<(String, IssueCode)> {
    let Err(WebhookError::Invalid(Report { violations, .. })) = result else {
        panic!("not refused for its fields: {result:?}");
    };
    let problems = violations.into_iter();
    problems
        .map(|problem| (problem.field, problem.code))
        .collect()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, WebhookError>) -> WebhookError {
    result.unwrap_err()
}

macro_rules! assert_refused {
    ($result:expr, $error:pat) => {
        let error = super::refused($result);
        assert!(matches!(error, $error), "{error:?}");
    };
}
use assert_refused;
