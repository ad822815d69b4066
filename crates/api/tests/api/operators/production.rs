//! Production: records for the orders with parcels, and batches of their items.

use pressline_backoffice::operator::OperatorRole;
use serde_json::{Value, json};

use super::world::{OTHER_STORE, OperatorWorld, admin, token};
use crate::common::{Response, STORE};

/// A store's order prefix and the name of its batch.
fn names(store: &str) -> (&'static str, &'static str) {
    if store == STORE {
        ("DEMO", "BATCH-1")
    } else {
        ("OTHER", "BATCH-2")
    }
}

/// A valid body of `call` about the order with a parcel.
pub(crate) fn good_body(call: &str, store: &str) -> Value {
    let (prefix, batch) = names(store);
    let code = format!("{prefix}-20-1");
    match call {
        "production/record" => json!({ "itemCode": code, "step": "print", "units": 1 }),
        "production/misprint" => json!({ "itemCode": code, "units": 1, "reason": "Smeared." }),
        "production/get" => json!({ "order_id": format!("{prefix}-20") }),
        "batches/create" => json!({ "items": [code] }),
        "batches/search" => json!({}),
        "batches/get" | "batches/start" | "batches/close" => json!({ "batch": batch }),
        other => panic!("the operation {other} has no case; add one"),
    }
}

impl OperatorWorld {
    /// Creates the printed units or the batches that `call` operates on.
    pub(crate) async fn begin_production(&self, call: &str) {
        for store in [STORE, OTHER_STORE] {
            let (prefix, _) = names(store);
            let code = format!("{prefix}-20-1");
            if call == "production/misprint" || call == "production/get" {
                let record = json!({ "itemCode": code, "step": "print", "units": 3 });
                self.accepted("production/record", record).await;
            }
            if call.starts_with("batches/") && call != "batches/create" {
                let batch = json!({ "items": [code], "name": "Monday, press 2" });
                self.accepted("batches/create", batch).await;
            }
        }
    }

    async fn accepted(&self, call: &str, body: Value) -> Value {
        let response = self.call(&admin(), call, body).await;
        assert_eq!(response.status, 200, "{call}: {}", response.body);
        response.json()
    }

    pub(crate) async fn provoke_production(&self) -> Vec<Response> {
        let pack = json!({ "itemCode": "DEMO-20-1", "step": "pack", "units": 7 });
        let batch = good_body("batches/create", STORE);
        let first = json!({ "batch": "1" });
        self.accepted("batches/create", batch.clone()).await;
        let out_of_order = self.call(&admin(), "production/record", pack).await;
        let taken = self.call(&admin(), "batches/create", batch).await;
        self.accepted("batches/close", first.clone()).await;
        vec![
            out_of_order,
            taken,
            self.call(&admin(), "batches/start", first).await,
            self.call(&admin(), "batches/get", json!({ "batch": "9" }))
                .await,
        ]
    }
}

#[actix_web::test]
async fn a_repeated_scan_is_marked_and_changes_nothing() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let scan = json!({ "itemCode": " demo/20/1 ", "step": "print" });
    let first = world
        .call(&admin(), "production/record", scan.clone())
        .await;
    assert_eq!(first.header("idempotent-replayed"), None);
    let units = &first.json()["data"]["steps"][0];
    assert_eq!(*units, json!({ "step": "print", "done": 10, "waiting": 0 }));
    let again = world.call(&admin(), "production/record", scan).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.json()["message"], "No change");
    assert_eq!(again.json()["data"], first.json()["data"]);
}

#[actix_web::test]
async fn production_records_do_not_change_the_order() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let get = json!({ "order_id": "DEMO-20" });
    let before = world.accepted("orders/get", get.clone()).await;
    for (call, units) in [("production/record", 4), ("production/misprint", 2)] {
        let mut body = good_body(call, STORE);
        body["units"] = units.into();
        world.accepted(call, body).await;
    }
    let batch = good_body("batches/create", STORE);
    world.accepted("batches/create", batch).await;
    world
        .accepted("batches/start", json!({ "batch": "1" }))
        .await;
    assert_eq!(world.accepted("orders/get", get).await, before);
}

#[actix_web::test]
async fn records_contain_operator_and_action() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let viewer = token(OperatorRole::Viewer, true);
    for call in ["production/record", "production/misprint"] {
        world.accepted(call, good_body(call, STORE)).await;
    }
    let body = good_body("production/get", STORE);
    let found = world.call(&viewer, "production/get", body).await;
    let records = found.json()["data"]["records"].clone();
    // Records of the same millisecond are still sorted with the latest first.
    let shown = |record: &Value| [record["step"].clone(), record["reason"].clone()];
    assert_eq!(shown(&records[0]), [Value::Null, "Smeared.".into()]);
    assert_eq!(shown(&records[1]), ["print".into(), Value::Null]);
    assert_eq!(records[0]["operator"], "the operator");
    assert_eq!(records[0]["itemCode"], "DEMO-20-1");
}

#[actix_web::test]
async fn bound_operators_do_not_find_batches_with_items_of_other_stores() {
    let world = OperatorWorld::new().await;
    world.send_parcels().await;
    let mixed = json!({ "items": ["DEMO-20-1", "OTHER-20-1"] });
    world.accepted("batches/create", mixed).await;
    let bound = token(OperatorRole::Operator, true);
    for call in ["batches/get", "batches/start", "batches/close"] {
        let response = world.call(&bound, call, json!({ "batch": "1" })).await;
        assert_eq!(response.code(), "batch_not_found", "{call}");
    }
    let found = world.call(&bound, "batches/search", json!({})).await;
    assert_eq!(found.json()["data"], json!([]));
    // The operator's own item still counts as in a batch.
    let own = good_body("batches/create", STORE);
    let refused = world.call(&bound, "batches/create", own).await;
    assert_eq!(refused.code(), "item_in_batch");
    assert_eq!(
        refused.json()["errors"][0]["message"],
        "DEMO-20-1 is in BATCH-1"
    );
}
