//! Shipments of orders of both stores, handled by operators and carriers.

use pressline_api::operator_openapi_json;
use pressline_backoffice::operator::OperatorRole;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{
    Caller, Context, Decision, Refusal, ShipCommand, ShipmentUpdate, ShippedUnits, place,
    process_now, ship,
};
use pressline_domain::order::{NewOrder, Order, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::value::{ItemId, OperatorId, OrderId, ShipmentId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::world::{OTHER_STORE, OperatorWorld, admin, token};
use crate::common::{KEY, Response, STORE};

/// Number of the order with a parcel, such as `DEMO-20`. Greater than the numbers of other tests.
const NUMBER: i64 = 20;
/// Common part of all ids of parcels, orders and items; contains the time of the tests.
const IDS: u128 = 0x018f_f5f6_f249_7c3a_9d52_0000_0000_0000;
/// Tracking numbers of the parcels of [`STORE`] and [`OTHER_STORE`].
const NUMBERS: [&str; 2] = ["1Z999AA10123456784", "1Z999AA10123456785"];

fn first_id(store: &str) -> u128 {
    let offset = if store == STORE { 0xa000 } else { 0xb000 };
    IDS + offset
}

fn item_id(store: &str) -> ItemId {
    ItemId::new(Uuid::from_u128(first_id(store) + 0x100))
}

fn shipment_id(store: &str) -> ShipmentId {
    ShipmentId::new(Uuid::from_u128(first_id(store) + 0x200))
}

/// A valid body of `call` about the parcel of a store.
pub(crate) fn good_body(call: &str, store: &str) -> Value {
    let is_first = store == STORE;
    let order_id = if is_first { "DEMO-20" } else { "OTHER-20" };
    let number = NUMBERS[usize::from(!is_first)];
    let id = shipment_id(store).to_string();
    match call {
        "shipments/create" => json!({ "order_id": order_id, "ref": "box 2" }),
        "shipments/update" => json!({ "shipmentId": id, "carrier": "DHL" }),
        "shipments/void" => json!({ "shipmentId": id, "reason": "The wrong parcel." }),
        "shipments/track" => json!({ "shipmentId": id, "status": "delivered" }),
        "shipments/export" => json!({ "stores": [store] }),
        "shipments/find" => json!({ "trackingNumber": number }),
        other => panic!("the operation {other} has no case; add one"),
    }
}

impl OperatorWorld {
    /// Places an order of ten units in each store and ships four of them.
    pub(crate) async fn send_parcels(&self) {
        for (store, number) in [STORE, OTHER_STORE].into_iter().zip(NUMBERS) {
            let mut order = self.place_in(store).await;
            let by = |actor| Caller {
                actor,
                request_id: None,
            };
            let store_key = by(Actor::Store(KEY.parse().unwrap()));
            let placed_at = order.content.created_at();
            order = self
                .write(process_now(&order, &store_key.at(placed_at)))
                .await;
            let command = ShipCommand {
                id: shipment_id(store),
                items: Some(vec![ShippedUnits {
                    id: item_id(store),
                    quantity: 4,
                }]),
                values: ShipmentUpdate {
                    carrier: Some("UPS".to_owned()),
                    tracking_number: Some(number.to_owned()),
                    ..ShipmentUpdate::default()
                },
            };
            let context: Context =
                by(Actor::Operator(OperatorId::new(Uuid::from_u128(1)))).at(placed_at);
            self.write(ship(&order, &command, &context)).await;
        }
    }

    /// Places orders in `store` until an order has the number [`NUMBER`].
    async fn place_in(&self, store: &str) -> Order {
        let mut number = 0;
        loop {
            let placed = self.place_numbered(store, number).await;
            if placed.service_order_id.number == NUMBER {
                return placed;
            }
            number = placed.service_order_id.number + 1;
        }
    }

    /// Places an order with `number` in its ids.
    async fn place_numbered(&self, store: &str, number: i64) -> Order {
        let order = self.shop.order("A-1").await;
        let id = first_id(store) + u128::try_from(number).unwrap();
        let mut parts = OrderParts {
            id: OrderId::new(Uuid::from_u128(id)),
            store_id: store.parse().unwrap(),
            order_id: format!("P-{number}"),
            ..order.parts().clone()
        };
        parts.items.truncate(1);
        parts.items[0].id = item_id(store);
        parts.items[0].quantity = 10;
        let caller = Caller {
            actor: Actor::Store(KEY.parse().unwrap()),
            request_id: None,
        };
        let placement = place(&parts, 3600, &caller.at(parts.created_at())).unwrap();
        let order = OrderWrite::create(NewOrder::new(parts, placement).unwrap());
        self.shop.orders.write(order).await.unwrap()
    }

    async fn write(&self, decided: Result<Decision, Refusal>) -> Order {
        let Ok(Decision::Changed(change)) = decided else {
            panic!("{decided:?}");
        };
        let write = OrderWrite::change(*change);
        self.shop.orders.write(write).await.unwrap()
    }

    async fn about_parcels(call: &str, role: OperatorRole, body: Value) -> Response {
        let world = Self::new().await;
        world.send_parcels().await;
        world.call(&token(role, false), call, body).await
    }
}

fn is_replayed(response: &Response) -> bool {
    response.headers.contains_key("idempotent-replayed")
}

#[actix_web::test]
async fn a_repeated_shipment_is_a_replay_unless_its_content_differs() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let body = json!({
        "order_id": "DEMO-20", "ref": "box 2", "carrier": "DHL",
        "line_items": [{ "appItemId": item_id(STORE).to_string(), "quantity": 6 }]
    });
    let created = world.call(&admin(), "shipments/create", body.clone()).await;
    assert_eq!(created.status, 200, "{}", created.body);
    assert!(!is_replayed(&created));
    let data = &created.json()["data"];
    assert_eq!(data["order"]["itemStatuses"], json!(["fulfilled"]));
    let repeated = json!({ "order_id": "DEMO-20", "ref": "box 2" });
    for again in [body.clone(), repeated] {
        let replay = world.call(&admin(), "shipments/create", again).await;
        assert!(is_replayed(&replay));
        assert_eq!(replay.json()["message"], "No change");
        assert_eq!(&replay.json()["data"], data);
    }
    let mut other = body;
    other["carrier"] = "UPS".into();
    let refused = world.call(&admin(), "shipments/create", other).await;
    let found = (refused.status.as_u16(), refused.code());
    assert_eq!(found, (409, "duplicate_shipment".to_owned()));
    let id = data["shipment"]["id"].as_str().unwrap();
    assert!(refused.json()["message"].as_str().unwrap().contains(id));
}

#[actix_web::test]
async fn a_carrier_reads_no_actions_and_reports_are_not_repeated() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let carrier = token(OperatorRole::Carrier, true);
    let body = json!({ "carrier": "ups", "trackingNumber": NUMBERS[0], "status": "delivered" });
    let reported = world.call(&carrier, "shipments/track", body.clone()).await;
    let data = &reported.json()["data"];
    assert_eq!(data["shipment"]["status"], "delivered", "{}", reported.body);
    assert_eq!(data["order"]["allowedActions"], json!([]));
    let late = world.call(&carrier, "shipments/track", body).await;
    assert!(is_replayed(&late));
    assert_eq!(&late.json()["data"], data);
}

#[actix_web::test]
async fn wrong_calls_about_shipments_are_refused() {
    let document: Value = serde_json::from_str(&operator_openapi_json()).unwrap();
    let unknown = Uuid::from_u128(7).to_string();
    for (call, body, status, code) in [
        ("create", json!({}), 400, "validation_failed"),
        (
            "create",
            json!({ "order_id": "DEMO-999" }),
            404,
            "order_not_found",
        ),
        (
            "create",
            json!({ "order_id": "DEMO-20", "line_items": [{ "appItemId": "x", "quantity": 1 }] }),
            400,
            "unknown_item",
        ),
        (
            "create",
            json!({
                "order_id": "DEMO-20",
                "line_items": [{ "appItemId": item_id(STORE).to_string(), "quantity": 7 }]
            }),
            400,
            "validation_failed",
        ),
        (
            "update",
            json!({ "shipmentId": unknown }),
            404,
            "shipment_not_found",
        ),
        (
            "void",
            json!({ "shipmentId": unknown, "reason": "Why not." }),
            404,
            "shipment_not_found",
        ),
        (
            "void",
            json!({ "shipmentId": shipment_id(STORE).to_string() }),
            400,
            "validation_failed",
        ),
        (
            "void",
            json!({
                "shipmentId": shipment_id(STORE).to_string(), "order_id": "DEMO-1", "reason": "x"
            }),
            404,
            "shipment_not_found",
        ),
        (
            "track",
            json!({ "status": "delivered" }),
            400,
            "validation_failed",
        ),
        (
            "track",
            json!({ "carrier": "DHL", "trackingNumber": NUMBERS[0], "status": "delivered" }),
            404,
            "shipment_not_found",
        ),
        ("find", json!({}), 400, "validation_failed"),
        (
            "export",
            json!({ "batch": "BATCH-99" }),
            404,
            "batch_not_found",
        ),
    ] {
        let call = format!("shipments/{call}");
        let refused = OperatorWorld::about_parcels(&call, OperatorRole::Admin, body).await;
        let found = (refused.status.as_u16(), refused.code());
        assert_eq!(found, (status, code.to_owned()), "{call}: {}", refused.body);
        let documented = &document["paths"][format!("/admin/v1/{call}")]["post"]["responses"];
        assert!(
            documented[status.to_string()].is_object(),
            "{call}: {status}"
        );
    }
}
