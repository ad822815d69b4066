//! In-memory webhook endpoints and deliveries, and the sender of test events.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use pressline_api::JsonTestEvents;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    Delivery, DeliveryError, DeliveryLog, DeliveryResult, Endpoint, EndpointDirectory,
    EndpointPayload, EndpointPorts, EndpointRecord, EndpointScope, EndpointSecret, EndpointService,
    EndpointState, EndpointUrls, SendReport, SentEvent, TestSender,
};
use pressline_domain::memory::{MemoryOrders, MemoryStores};
use pressline_domain::runtime::FixedClock;
use pressline_domain::store::{
    IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, SecretKey, StoreKey,
};
use pressline_domain::value::Timestamp;

use super::{CountedIds, KEY, NOW};

/// Endpoints of both stores, and an endpoint of the print shop that subscribes to the first store.
/// See [`delivery_of`] for the ids of their deliveries.
pub(crate) const WEBHOOK: &str = "018ff5f6-f249-7c3a-9d52-0000000000a1";
pub(crate) const OTHER_WEBHOOK: &str = "018ff5f6-f249-7c3a-9d52-0000000000a2";
const SHOP_WEBHOOK: &str = "018ff5f6-f249-7c3a-9d52-0000000000a3";

/// Id of the delivery to endpoint `webhook`: the id with `d` for `a`.
pub(crate) fn delivery_of(webhook: &str) -> String {
    webhook.replace("00a", "00d")
}

pub(crate) struct PlainKeys;

impl KeyIssuer for PlainKeys {
    fn issue(&self, owner: KeyOwner, _: Option<MasterKeyId>) -> Result<IssuedKey, SealError> {
        let secret = match owner {
            KeyOwner::Store(_) => "plsk_shown-once",
            KeyOwner::Endpoint(_) => "whsec_c2hvd24gb25jZSwgYW5kIG9ubHkgaW4gZXhhbXBsZXM=",
        };
        Ok(IssuedKey {
            secret: SecretKey::new(secret.to_owned()),
            sealed: vec![1],
            sealed_with: MasterKeyId::new([1; 8]),
        })
    }

    fn reseal(&self, _: KeyOwner, sealed: &[u8], _: MasterKeyId) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }

    fn require(&self, _: MasterKeyId) -> Result<(), SealError> {
        Ok(())
    }
}

struct Taken;

#[async_trait]
impl TestSender for Taken {
    async fn send(&self, _: &EndpointRecord, _: &str, _: Vec<u8>) -> Result<SendReport, SealError> {
        Ok(SendReport {
            result: DeliveryResult {
                error: None,
                http_status: Some(200),
                response: Some("thank you".to_owned()),
            },
            retry_after: None,
            started_at: Timestamp::from_millis(NOW),
            duration_ms: 12,
        })
    }
}

pub(crate) fn webhook_services(
    webhooks: &MemoryWebhooks,
    stores: &MemoryStores,
    orders: &MemoryOrders,
    clock: &Arc<FixedClock>,
) -> EndpointService {
    let log = Arc::new(webhooks.clone());
    let orders = Arc::new(orders.clone());
    let ports = EndpointPorts {
        endpoints: log.clone(),
        stores: Arc::new(stores.clone()),
        feed: orders.clone(),
        issuer: Arc::new(PlainKeys),
        clock: clock.clone(),
        ids: Arc::new(CountedIds::default()),
        log,
        log_days: 30,
        orders,
        sender: Arc::new(Taken),
        bodies: Arc::new(JsonTestEvents),
    };
    EndpointService::new(ports, EndpointUrls::default())
}

/// Adds the three endpoints, each with a failed delivery, to `stores`.
pub(crate) async fn add_webhooks(webhooks: &MemoryWebhooks, stores: [&str; 2]) {
    let [first, other] = stores.map(|store| store.parse().unwrap());
    let scopes = [
        (WEBHOOK, first, EndpointScope::Store(first)),
        (OTHER_WEBHOOK, other, EndpointScope::Store(other)),
        (
            SHOP_WEBHOOK,
            first,
            EndpointScope::Stores(BTreeSet::from([first])),
        ),
    ];
    for (id, store, scope) in scopes {
        let record = endpoint(id, scope);
        assert!(EndpointDirectory::add(webhooks, &record, 10).await.unwrap());
        let delivery = Delivery {
            id: delivery_of(id).parse().unwrap(),
            endpoint: record.endpoint.id,
            store,
            event: SentEvent {
                id: format!("evt_{store}_1"),
                kind: "order.created".to_owned(),
                sequence: Some(1),
                order: None,
            },
            attempt: 10,
            result: DeliveryResult {
                error: Some(DeliveryError::Status),
                http_status: Some(500),
                response: Some("try later".to_owned()),
            },
            started_at: Timestamp::from_millis(NOW),
            duration_ms: 12,
            next_attempt_at: None,
        };
        DeliveryLog::add(webhooks, &delivery).await.unwrap();
    }
}

fn endpoint(id: &str, scope: EndpointScope) -> EndpointRecord {
    let at = Timestamp::from_millis(NOW);
    let key = StoreKey {
        id: KEY.parse().unwrap(),
        sealed: vec![1],
        sealed_with: MasterKeyId::new([1; 8]),
        created_at: at,
        last_used_at: None,
    };
    EndpointRecord {
        endpoint: Endpoint {
            id: id.parse().unwrap(),
            scope,
            url: "https://hooks.shop.example/p".to_owned(),
            types: BTreeSet::new(),
            payload: EndpointPayload::Full,
            description: None,
            created_at: at,
            updated_at: at,
        },
        secrets: vec![EndpointSecret {
            key,
            expires_at: None,
        }],
        state: EndpointState::default(),
        version: 1,
    }
}
