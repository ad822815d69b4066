//! The event catalog: the test makes the event of each example happen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pressline_backoffice::webhook::{
    AttemptReport, DeliveryError, DeliveryResult, EndpointDirectory, RecordResult, SendReport,
    SentEvent, SubscriptionEvent, SubscriptionKey, SubscriptionRepository, SubscriptionView,
    apply_results, plan,
};
use pressline_domain::event::EventType;
use pressline_domain::value::Timestamp;
use serde_json::{Value, json};

use super::world::{OperatorWorld, admin};
use crate::common::*;

const EVENTS: &str = "/app/v1/events/search";
const FOLDER: &str = "src/event/examples/types";

impl OperatorWorld {
    /// Sends a request of the first store to `/app/v1/orders/{call}`.
    async fn of_store(&self, call: &str, body: Value) {
        let response = self
            .shop
            .post(&format!("/app/v1/orders/{call}"), &body)
            .await;
        assert_eq!(response.status, 200, "{call} {body}: {}", response.body);
    }

    /// Sends an operator's request to `/admin/v1/{call}`.
    async fn of_operator(&self, call: &str, body: Value) {
        let response = self.call(&admin(), call, body).await;
        assert_eq!(response.status, 200, "{call}: {}", response.body);
    }

    /// Places an order of a single item, makes it ready, and returns its number.
    async fn place_ready(&self, order_id: &str) -> String {
        let mut body = order(order_id);
        body["line_items"].as_array_mut().unwrap().truncate(1);
        self.of_store("create", body).await;
        self.shop.make_ready(order_id).await;
        self.shop.order(order_id).await.service_order_id.to_string()
    }

    /// Ships all remaining units with the tracking number `number` and returns the shipment's id.
    async fn ship(&self, order_id: &str, number: &str) -> String {
        let parcel = json!({
            "order_id": number, "carrier": "UPS", "trackingNumber": "1Z999AA10123456784"
        });
        self.of_operator("shipments/create", parcel).await;
        let order = self.shop.order(order_id).await;
        order.shipments[0].id.to_string()
    }
}

/// Order changes by stores before production, and changes that need a decision.
async fn change_orders(world: &OperatorWorld) {
    let first = json!({ "order_id": "A-1" });
    let created = world.shop.post("/app/v1/orders/get", &first).await;
    world.of_store("update", update("A-1", &created, 4)).await;
    world.of_store("hold", first.clone()).await;
    world.of_store("release", first).await;
    world.of_store("cancel", json!({ "order_id": "A-2" })).await;
    // The store has requested to cancel the third order, which is in production.
    let third = json!({ "order_id": "A-3" });
    let number = world.shop.order("A-3").await.service_order_id.to_string();
    let decided = |decision: &str| json!({ "order_id": number, "decision": decision, "reason": "It is printed already." });
    world.of_operator("orders/decide", decided("refuse")).await;
    world.of_store("cancel", third.clone()).await;
    world.of_store("withdraw-change", third.clone()).await;
    world.of_store("cancel", third).await;
    world.of_operator("orders/decide", decided("approve")).await;
}

async fn produce_orders(world: &OperatorWorld) {
    let number = world.place_ready("E-1").await;
    world.shop.need("E-1").await;
    let answer = json!({ "order_id": "E-1", "text": "The blue one." });
    world.of_store("answer", answer).await;
    let resolve = json!({ "command": "resolve", "orders": [{ "order_id": number }] });
    world.of_operator("orders/move", resolve).await;
    let fee = json!({
        "order_id": number, "type": "shipping", "amount": -1.5,
        "reason": "Sent together with another order."
    });
    world.of_operator("orders/fee-lines", fee).await;
    let parcel = world.ship("E-1", &number).await;
    let carrier =
        json!({ "shipmentId": parcel, "carrier": "DHL", "trackingNumber": "00340434161094042557" });
    world.of_operator("shipments/update", carrier).await;
    let arrived = json!({ "shipmentId": parcel, "status": "delivered" });
    world.of_operator("shipments/track", arrived).await;
    let order = world.shop.order("E-1").await;
    let item = json!({ "appItemId": order.content.items[0].id.to_string(), "quantity": 1 });
    let replacement = json!({
        "order_id": number, "version": order.state.version, "reason": "Damaged on the way.",
        "line_items": [item]
    });
    world.of_operator("orders/replace", replacement).await;
    let returned = json!({ "shipmentId": parcel, "status": "returned" });
    world.of_operator("shipments/track", returned).await;
    let number = world.place_ready("E-2").await;
    let parcel = world.ship("E-2", &number).await;
    let void = json!({ "shipmentId": parcel, "reason": "The label was put on another parcel." });
    world.of_operator("shipments/void", void).await;
}

/// Lets an endpoint of the first store answer 410, so that the service disables it.
async fn disable_endpoint(world: &OperatorWorld) {
    world.shop.add_webhooks().await;
    let (webhooks, now) = (&world.shop.webhooks, Timestamp::from_millis(NOW));
    let key = SubscriptionKey {
        store: STORE.parse().unwrap(),
        endpoint: WEBHOOK.parse().unwrap(),
    };
    let subscription = webhooks.lease(key, now, now).await.unwrap().unwrap();
    let record = EndpointDirectory::find(webhooks, key.endpoint).await;
    let record = record.unwrap().unwrap();
    let event = SubscriptionEvent {
        sequence: subscription.cursor + 1,
        kind: EventType::OrderUpdated,
        order: None,
        at: now,
    };
    let planned = plan(&SubscriptionView {
        subscription,
        record: &record,
        now,
        due: &[],
        oldest: None,
        events: &[event],
        read_to: event.sequence,
        is_end: true,
        blocked: &BTreeSet::new(),
    });
    let gone = AttemptReport {
        id: delivery_of(OTHER_WEBHOOK).parse().unwrap(),
        event: SentEvent {
            id: format!("evt_{STORE}_{}", event.sequence),
            kind: event.kind.as_str().to_owned(),
            sequence: Some(event.sequence),
            order: None,
        },
        sent: SendReport {
            result: DeliveryResult {
                error: Some(DeliveryError::Status),
                http_status: Some(410),
                response: None,
            },
            retry_after: None,
            started_at: now,
            duration_ms: 12,
        },
        jitter: 0,
    };
    let outcome = apply_results(&planned, &record, &[Some(gone)], now, None);
    let recorded = webhooks.record(&outcome).await.unwrap();
    assert_eq!(recorded, RecordResult::Done);
}

async fn first_of_each_type(world: &World) -> BTreeMap<String, Value> {
    let request = json!({ "include": "changes", "limit": 500 });
    let response = world.post(EVENTS, request).await;
    let mut events = BTreeMap::new();
    for event in response.json()["data"].as_array().unwrap() {
        let kind = event["type"].as_str().unwrap().to_owned();
        events.entry(kind).or_insert_with(|| event.clone());
    }
    events
}

#[actix_web::test]
async fn event_examples_equal_real_events() {
    let world = OperatorWorld::new().await;
    change_orders(&world).await;
    produce_orders(&world).await;
    disable_endpoint(&world).await;
    let mut schemas = DocumentSchemas::closed();
    let whole = world.shop.post(EVENTS, json!({ "limit": 500 })).await;
    assert_eq!(schemas.problem("EventPage", &whole.json()), None);
    let events = first_of_each_type(&world.shop).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    for kind in EventType::ALL {
        let name = kind.as_str();
        let event = events.get(name);
        let event = event.unwrap_or_else(|| panic!("{name} has not happened"));
        let made = serde_json::to_string_pretty(event).unwrap() + "\n";
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            fs::write(&path, &made).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            kept, made,
            "{FOLDER}/{name}.json; UPDATE=1 cargo test -p pressline-api --test api catalog writes it"
        );
    }
}
