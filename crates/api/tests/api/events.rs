//! The event feed: its format, its filters, and long polling.

use serde_json::{Value, json};

use crate::common::*;

const EVENTS: &str = "/app/v1/events/search";
const GET: &str = "/app/v1/orders/get";
const HOLD: &str = "/app/v1/orders/hold";

fn events(response: &Response) -> Vec<Value> {
    assert_eq!(response.status, 200, "{}", response.body);
    response.json()["data"].as_array().unwrap().clone()
}

fn ends(response: &Response) -> (u64, u64) {
    let body = response.json();
    let end = |name: &str| body[name].as_u64().unwrap();
    (end("nextAfterSequence"), end("lastSequence"))
}

/// A world with three events: `A-1` created, `A-1` put on hold, `A-2` created.
async fn world_with_events() -> World {
    let world = World::new().await;
    world.post(CREATE, order("A-1")).await;
    let held = world.post(HOLD, json!({ "order_id": "A-1" })).await;
    assert_eq!(held.status, 200, "{}", held.body);
    world.post(CREATE, order("A-2")).await;
    world
}

#[actix_web::test]
async fn an_event_has_its_type_changes_and_the_order_after_them() {
    let world = world_with_events().await;
    let response = world.post(EVENTS, json!({})).await;
    assert_eq!(ends(&response), (3, 3));
    let all = events(&response);
    for (event, (sequence, previous, kind)) in all.iter().zip([
        (1, Value::Null, "order.created"),
        (2, json!(1), "order.held"),
        (3, Value::Null, "order.created"),
    ]) {
        let store = event["storeId"].as_str().unwrap();
        assert_eq!(event["id"], format!("evt_{store}_{sequence}"));
        assert_eq!(event["sequence"], sequence);
        assert_eq!(event["previousSequence"], previous);
        assert_eq!(event["type"], kind);
        assert_eq!(event["test"], false);
        let data = &event["data"];
        assert_eq!(data["actor"], "store");
        assert_eq!(data["reason"], Value::Null);
        assert_eq!(data["shipment"], Value::Null);
        assert!(data.get("omitted").is_none(), "{data}");
        let wanted = json!({ "order_id": data["orderId"], "atVersion": data["version"] });
        let got = world.post(GET, wanted).await;
        assert_eq!(data["order"], got.json()["data"], "{sequence}");
        assert_eq!(data["serviceOrderId"], data["order"]["serviceOrderId"]);
        assert_eq!(data["id"], data["order"]["id"]);
    }
    let created = &all[0]["data"];
    assert_eq!(created["changes"], json!([]));
    assert_eq!(created["items"][0]["old"], Value::Null);
    let held = &all[1]["data"];
    assert_eq!(held["items"][0]["new"], "on-hold");
    let paths = held["changes"].as_array().unwrap().iter();
    assert!(
        paths
            .clone()
            .any(|change| change["path"].as_str().unwrap().ends_with("heldBy"))
    );
}

#[actix_web::test]
async fn events_are_filtered_and_read_page_by_page() {
    let world = world_with_events().await;
    for (request, sequences, end) in [
        (json!({ "limit": 2 }), vec![1, 2], 2),
        (json!({ "afterSequence": 2 }), vec![3], 3),
        (json!({ "afterSequence": 3 }), vec![], 3),
        (json!({ "types": [] }), vec![1, 2, 3], 3),
        (json!({ "types": ["order.held"] }), vec![2], 3),
        (json!({ "types": ["shipment.created"] }), vec![], 3),
        (
            json!({ "types": ["order.created"], "limit": 1 }),
            vec![1],
            1,
        ),
        (json!({ "order_id": "A-1" }), vec![1, 2], 3),
        (
            json!({ "order_id": "A-2", "types": ["order.held"] }),
            vec![],
            3,
        ),
    ] {
        let response = world.post(EVENTS, &request).await;
        let found: Vec<u64> = events(&response)
            .iter()
            .map(|event| event["sequence"].as_u64().unwrap())
            .collect();
        assert_eq!(found, sequences, "{request}");
        assert_eq!(ends(&response), (end, 3), "{request}");
    }
    let ahead = world.post(EVENTS, json!({ "afterSequence": 4 })).await;
    assert_eq!(
        (ahead.status.as_u16(), ahead.code()),
        (409, "position_ahead".to_owned())
    );
    assert_eq!(ahead.json()["lastSequence"], 3);
    let thin = world.post(EVENTS, json!({ "include": "changes" })).await;
    for event in events(&thin) {
        assert!(event["data"].get("order").is_none(), "{event}");
    }
    let empty = World::new().await.post(EVENTS, json!({})).await;
    assert_eq!((events(&empty), ends(&empty)), (vec![], (0, 0)));
}

#[actix_web::test]
async fn fields_out_of_range_are_refused() {
    let world = world_with_events().await;
    // The limits are 500 events and 25 s.
    for (field, value) in [
        ("afterSequence", json!(-1)),
        ("limit", json!(0)),
        ("limit", json!(501)),
        ("waitSeconds", json!(26)),
        ("waitSeconds", json!(-1)),
        ("include", json!("everything")),
        ("types", json!("order.created")),
        ("order_id", json!(5)),
    ] {
        let response = world.post(EVENTS, json!({ (field): value })).await;
        assert_eq!(response.status, 400, "{field}: {}", response.body);
        assert_eq!(response.code(), "validation_failed");
        assert_eq!(response.json()["errors"][0]["field"], field);
    }
    let unknown = world
        .post(EVENTS, json!({ "types": ["order.eaten"] }))
        .await;
    assert_eq!(unknown.code(), "validation_failed");
    assert_eq!(unknown.json()["errors"][0]["field"], "types[0]");
    let missing = world.post(EVENTS, json!({ "order_id": "A-9" })).await;
    assert_eq!(missing.refusal(), "404 order_not_found");
}

#[actix_web::test]
async fn a_large_event_lists_its_omitted_members() {
    let world = World::new().await;
    let mut large = order("A-1");
    let item = large["line_items"][0].clone();
    let items = large["line_items"].as_array_mut().unwrap();
    items.clear();
    // 100 items with long names exceed the maximum size of an event.
    for number in 0..100 {
        let mut item = item.clone();
        item["refId"] = format!("{number}").into();
        item["name"] = "x".repeat(250).into();
        items.push(item);
    }
    let created = world.post(CREATE, &large).await;
    assert_eq!(created.status, 200, "{}", created.body);
    let response = world.post(EVENTS, json!({})).await;
    let data = events(&response)[0]["data"].clone();
    assert_eq!(data["order"], Value::Null);
    assert_eq!(data["omitted"], json!(["order"]));
    assert_eq!(data["changes"], json!([]));
    assert_eq!(data["items"].as_array().unwrap().len(), 100);
    let without = world.post(EVENTS, json!({ "include": "changes" })).await;
    assert!(events(&without)[0]["data"].get("omitted").is_none());
}

#[actix_web::test]
async fn a_call_that_waits_ends_with_the_next_event() {
    let world = world_with_events().await;
    let wait = |types: Value| {
        let request = json!({ "afterSequence": 3, "waitSeconds": 25, "types": types });
        world.post(EVENTS, request)
    };
    // `join!` polls in this order: the first two calls already wait when the third arrives.
    let (any, held, refused, _) = tokio::join!(
        wait(json!([])),
        wait(json!(["order.held"])),
        wait(json!([])),
        async {
            world.post(CREATE, order("A-3")).await;
            world.post(HOLD, json!({ "order_id": "A-3" })).await
        },
    );
    assert_eq!(events(&any)[0]["sequence"], 4);
    assert_eq!(events(&held)[0]["sequence"], 5);
    // A store may have two waiting calls at a time.
    assert_eq!(refused.refusal(), "429 rate_limited");
    assert!(refused.header("retry-after").is_some());
    // Ended calls free their slots, and a call that finds events does not wait.
    let found = world
        .post(EVENTS, json!({ "waitSeconds": 25, "limit": 1 }))
        .await;
    assert_eq!(events(&found)[0]["sequence"], 1);
    let ended = world
        .post(EVENTS, json!({ "afterSequence": 5, "waitSeconds": 1 }))
        .await;
    assert_eq!((events(&ended), ends(&ended)), (vec![], (5, 5)));
}
