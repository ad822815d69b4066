//! A store's webhook endpoints: responses and refusals.

use pressline_api::JsonTestEvents;
use pressline_backoffice::webhook::{
    EndpointDirectory, EndpointPayload, Pause, TestBodies, TestEvent,
};
use pressline_domain::value::Timestamp;
use serde_json::{Value, json};

use crate::common::*;

const WEBHOOKS: &str = "/app/v1/webhooks";

async fn world() -> World {
    let world = World::new().await;
    world.add_webhooks().await;
    world
}

async fn call(world: &World, call: &str, body: Value) -> Response {
    world.post(&format!("{WEBHOOKS}/{call}"), body).await
}

fn outcome(response: &Response) -> (u16, String) {
    (response.status.as_u16(), response.code())
}

#[actix_web::test]
async fn commands_without_effect_report_no_change() {
    let world = world().await;
    let (disable, enable) = (
        json!({ "webhookId": WEBHOOK }),
        json!({ "webhookId": WEBHOOK, "from": "stopped" }),
    );
    for (name, body, replayed) in [
        ("disable", &disable, None),
        ("disable", &disable, Some("true")),
        ("enable", &enable, None),
        ("enable", &enable, Some("true")),
    ] {
        let response = call(&world, name, body.clone()).await;
        assert_eq!(response.status, 200, "{}", response.body);
        assert_eq!(response.header("idempotent-replayed"), replayed, "{name}");
        let is_enabled = response.json()["data"]["enabled"].clone();
        assert_eq!(is_enabled, json!(name == "enable"));
    }
}

#[actix_web::test]
async fn only_creating_and_rotating_show_a_secret() {
    let world = world().await;
    let which = json!({ "webhookId": WEBHOOK });
    let url = json!({ "url": "https://hooks.shop.example/p" });
    for (name, body) in [
        ("list", which.clone()),
        (
            "update",
            json!({ "webhookId": WEBHOOK, "types": ["order.held"] }),
        ),
        ("test", which.clone()),
        ("disable", which.clone()),
        (
            "enable",
            json!({ "webhookId": WEBHOOK, "afterSequence": 0 }),
        ),
        ("deliveries/search", which.clone()),
    ] {
        let response = call(&world, name, body).await;
        assert_eq!(response.status, 200, "{name}: {}", response.body);
        let shown = ["secret\"", "whsec_"].map(|part| response.body.contains(part));
        assert_eq!(shown, [false, false], "{name}: {}", response.body);
    }
    for (name, body) in [("create", url), ("rotate-secret", which)] {
        let secret = call(&world, name, body).await.json()["data"]["secret"].clone();
        assert!(secret.as_str().unwrap().starts_with("whsec_"), "{name}");
    }
}

#[actix_web::test]
async fn a_store_cannot_set_the_stores_of_its_endpoint() {
    let world = world().await;
    let body = json!({
        "url": "https://hooks.shop.example/p", "storeId": OTHER_STORE, "stores": [OTHER_STORE]
    });
    let created = call(&world, "create", body).await.json();
    assert_eq!(created["data"]["storeId"], STORE);
    let warnings = created["warnings"].as_array().unwrap().iter();
    let fields: Vec<_> = warnings.map(|warning| &warning["field"]).collect();
    assert_eq!(fields, ["storeId", "stores"]);
    let foreign = json!({ "webhookId": OTHER_WEBHOOK, "storeId": OTHER_STORE });
    let disabled = call(&world, "disable", foreign).await;
    assert_eq!(outcome(&disabled), (404, "webhook_not_found".to_owned()));
}

pub(crate) async fn provoked() -> Vec<Response> {
    let world = world().await;
    call(&world, "disable", json!({ "webhookId": WEBHOOK })).await;
    let url = json!({ "url": "https://hooks.shop.example/p" });
    for _ in 1..10 {
        call(&world, "create", url.clone()).await;
    }
    let resend = json!({ "deliveryId": delivery_of(WEBHOOK) });
    let unknown = json!({ "deliveryId": WEBHOOK });
    vec![
        call(&world, "create", url).await,
        call(&world, "deliveries/resend", unknown).await,
        call(&world, "deliveries/resend", resend).await,
        call(&world, "test", json!({ "webhookId": OTHER_WEBHOOK })).await,
    ]
}

#[actix_web::test]
async fn refusals_have_their_codes() {
    let codes = provoked().await;
    let codes: Vec<_> = codes.iter().map(outcome).collect();
    let wanted = [
        (409, "too_many_webhooks"),
        (404, "delivery_not_found"),
        (409, "webhook_disabled"),
        (404, "webhook_not_found"),
    ];
    assert_eq!(
        codes,
        wanted.map(|(status, code)| (status, code.to_owned()))
    );
    let world = world().await;
    let unknown = call(&world, "deliveries/search", json!({ "order_id": "T-9" })).await;
    assert_eq!(outcome(&unknown), (404, "order_not_found".to_owned()));
    let wrong = json!({ "url": "http://[::1]/p", "types": ["order.eaten"] });
    let errors = call(&world, "create", wrong).await.json()["errors"].clone();
    let codes = [&errors[0]["code"], &errors[1]["code"]];
    assert_eq!(codes, ["address_not_allowed", "invalid_format"]);
    assert_eq!(
        [&errors[0]["field"], &errors[1]["field"]],
        ["url", "types[0]"]
    );
}

#[actix_web::test]
async fn a_test_store_sets_the_fault_of_the_next_event() {
    const SANDBOX: &str = "/app/v1/sandbox/webhooks";
    let world = World::of_test_store().await;
    world.add_webhooks().await;
    let delay = json!({ "webhookId": WEBHOOK, "action": "delay", "delaySeconds": 60 });
    let arranged = world.post(SANDBOX, &delay).await;
    assert_eq!(arranged.json()["data"]["id"], WEBHOOK, "{}", arranged.body);
    for (wrong, field) in [
        (
            json!({ "webhookId": WEBHOOK, "action": "delay" }),
            "delaySeconds",
        ),
        (
            json!({ "webhookId": WEBHOOK, "action": "delay", "delaySeconds": 61 }),
            "delaySeconds",
        ),
        (
            json!({ "webhookId": WEBHOOK, "action": "drop", "delaySeconds": 1 }),
            "delaySeconds",
        ),
        (json!({ "webhookId": WEBHOOK, "action": "eat" }), "action"),
        (json!({ "webhookId": WEBHOOK }), "action"),
    ] {
        let refused = world.post(SANDBOX, &wrong).await;
        assert_eq!(
            outcome(&refused),
            (400, "validation_failed".to_owned()),
            "{wrong}"
        );
        assert_eq!(refused.json()["errors"][0]["field"], field, "{wrong}");
    }
    let live = self::world().await;
    let refused = live.post(SANDBOX, &delay).await;
    assert_eq!(outcome(&refused), (403, "not_a_test_store".to_owned()));
}

#[actix_web::test]
async fn the_sandbox_clock_fast_forwards_endpoints() {
    let world = World::of_test_store().await;
    world.add_webhooks().await;
    let (id, at) = (WEBHOOK.parse().unwrap(), Timestamp::from_millis(NOW));
    let found = EndpointDirectory::find(&world.webhooks, id).await;
    let mut record = found.unwrap().unwrap();
    record.state.pause = Some(Pause {
        until: at.plus_millis(60_000),
        probing: None,
    });
    let replaced = world.webhooks.replace(&record, 1, None).await;
    replaced.unwrap();
    let seconds = json!({ "advanceSeconds": 50 });
    let moved = world.post("/app/v1/sandbox/clock", seconds).await;
    assert_eq!(moved.status, 200, "{}", moved.body);
    let listed = call(&world, "list", json!({ "webhookId": WEBHOOK })).await;
    let paused_until = &listed.json()["data"][0]["pausedUntil"];
    assert_eq!(paused_until, &json!(at.plus_millis(10_000).to_string()));
}

#[test]
fn a_test_event_has_the_members_of_every_event_about_an_endpoint() {
    let mut event = TestEvent {
        id: format!("evt_{STORE}_test_{WEBHOOK}"),
        store: STORE.parse().unwrap(),
        endpoint: WEBHOOK.parse().unwrap(),
        at: Timestamp::from_millis(NOW),
        payload: EndpointPayload::Full,
    };
    let write = |event: &TestEvent| -> Value {
        serde_json::from_slice(&JsonTestEvents.write(event).unwrap()).unwrap()
    };
    let example = include_str!("../../src/event/examples/types/webhook.disabled.json");
    let mut wanted: Value = serde_json::from_str(example).unwrap();
    wanted["id"] = json!(event.id);
    wanted["type"] = json!("webhook.test");
    wanted["timestamp"] = json!("2024-06-08T03:49:12.905Z");
    wanted["sequence"] = Value::Null;
    wanted["previousSequence"] = Value::Null;
    wanted["storeId"] = json!(STORE);
    wanted["test"] = json!(true);
    wanted["data"]["endpointId"] = json!(WEBHOOK);
    wanted["data"]["reason"] = Value::Null;
    wanted["data"]["order"] = Value::Null;
    assert_eq!(write(&event), wanted);
    event.payload = EndpointPayload::Thin;
    let data = wanted["data"].as_object_mut().unwrap();
    data.remove("reason");
    data.remove("order");
    assert_eq!(write(&event), wanted);
}
