//! Operations for test stores only.

use serde_json::{Value, json};

use crate::common::*;

const CLOCK: &str = "/app/v1/sandbox/clock";
const MOVE: &str = "/app/v1/sandbox/move";
const EVENTS: &str = "/app/v1/events/search";
const FAULT: &str = "X-Sandbox-Fault";

fn single(order_id: &str) -> Value {
    let mut single = order(order_id);
    single["line_items"].as_array_mut().unwrap().truncate(1);
    single
}

/// Moves an order, or decides its pending change.
async fn move_order(world: &World, order_id: &str, how: (&str, &str)) -> Response {
    let (name, value) = how;
    world
        .post(MOVE, json!({ "order_id": order_id, name: value }))
        .await
}

#[track_caller]
fn assert_status(response: &Response, status: &str) {
    assert_eq!(response.status, 200, "{status}: {}", response.body);
    let statuses = &response.json()["data"]["itemStatuses"];
    assert_eq!(statuses, &json!([status]), "{}", response.body);
}

async fn events(world: &World) -> Vec<(String, String)> {
    let page = world.post(EVENTS, json!({})).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = page["data"].as_array().unwrap().iter();
    let of = |event: &Value| (text(&event["type"]), text(&event["data"]["actor"]));
    events.map(of).collect()
}

#[actix_web::test]
async fn sandbox_requests_of_live_stores_get_403() {
    let world = World::new().await;
    for path in [CLOCK, MOVE] {
        for body in [json!({}), json!({ "advanceSeconds": 1 })] {
            let refused = world.post(path, body).await;
            assert_eq!(refused.status, 403);
            assert_eq!(refused.code(), "not_a_test_store");
        }
    }
    for value in ["unavailable", "timeout", "internal_error", "other", ""] {
        let request = signed(CREATE, order("A-1")).insert_header((FAULT, value));
        let refused = world.send(request).await;
        assert_eq!(refused.code(), "not_a_test_store", "{value}");
    }
    let found = world.post(SEARCH, json!({})).await.json();
    assert_eq!(found["data"], json!([]));
}

#[actix_web::test]
async fn orders_and_events_of_test_stores_are_marked() {
    let world = World::of_test_store().await;
    let created = world.post(CREATE, order("A-1")).await.json();
    assert_eq!(created["data"]["test"], true);
    let page = world.post(EVENTS, json!({})).await.json();
    let event = &page["data"][0];
    assert_eq!(
        (&event["test"], &event["data"]["order"]["test"]),
        (&json!(true), &json!(true))
    );
    let live = World::new().await.post(CREATE, order("A-1")).await.json();
    assert!(live["data"].get("test").is_none());
}

#[actix_web::test]
async fn the_sandbox_clock_makes_orders_due() {
    let world = World::of_test_store().await;
    world.post(CREATE, single("A-1")).await;
    // Half of the cooling-off time of one hour.
    let half = json!({ "advanceSeconds": 1800 });
    for moved in [0, 1] {
        let advanced = world.post(CLOCK, &half).await.json();
        let expected = json!({ "advanceSeconds": 1800, "ordersMoved": moved });
        assert_eq!(advanced["data"], expected);
    }
    let last = events(&world).await.pop().unwrap();
    assert_eq!(
        last,
        ("order.status_changed".to_owned(), "service".to_owned())
    );
    // The maximum is 30 days.
    for wrong in [json!(0), json!(2_592_001), json!("x"), Value::Null] {
        let body = json!({ "advanceSeconds": wrong });
        let refused = world.post(CLOCK, body).await;
        assert_eq!(refused.code(), "validation_failed", "{wrong}");
    }
}

#[actix_web::test]
async fn a_move_makes_all_steps_between_each_with_its_event() {
    let world = World::of_test_store().await;
    world.post(CREATE, single("A-1")).await;
    let moved = move_order(&world, "A-1", ("to", "delivered")).await;
    assert_status(&moved, "delivered");
    let expected = [
        ("order.created", "store"),
        ("order.status_changed", "store"),
        ("order.status_changed", "operator"),
        ("shipment.created", "operator"),
        ("shipment.delivered", "carrier"),
    ];
    let expected: Vec<_> = expected
        .map(|(kind, actor)| (kind.to_owned(), actor.to_owned()))
        .into();
    assert_eq!(events(&world).await, expected);
    let again = move_order(&world, "A-1", ("to", "delivered")).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let back = move_order(&world, "A-1", ("to", "ready")).await;
    assert_eq!(back.refusal(), "409 illegal_transition");
    let body = back.json();
    assert_eq!(
        (&body["from"], &body["to"]),
        (&json!("delivered"), &json!("ready"))
    );
    let came_back = move_order(&world, "A-1", ("to", "returned")).await;
    assert_status(&came_back, "returned");
}

#[actix_web::test]
async fn every_other_status_and_both_decisions_are_reached() {
    let world = World::of_test_store().await;
    for (place, to) in [
        "ready",
        "in-production",
        "fulfilled",
        "returned",
        "need-action",
        "cancelled",
    ]
    .into_iter()
    .enumerate()
    {
        let order_id = format!("A-{place}");
        world.post(CREATE, single(&order_id)).await;
        let moved = move_order(&world, &order_id, ("to", to)).await;
        assert_status(&moved, to);
    }
    // From `need-action` back to production, and on to delivery.
    let moved = move_order(&world, "A-4", ("to", "delivered")).await;
    assert_status(&moved, "delivered");
    // A refused change can be requested again.
    for _ in 0..2 {
        let asked = world
            .post("/app/v1/orders/cancel", json!({ "order_id": "A-1" }))
            .await;
        assert_status(&asked, "request-change");
        let waits = move_order(&world, "A-1", ("to", "fulfilled")).await;
        assert_eq!(waits.code(), "illegal_transition");
        let decided = move_order(&world, "A-1", ("decision", "refuse")).await;
        assert_status(&decided, "in-production");
    }
    world
        .post("/app/v1/orders/cancel", json!({ "order_id": "A-1" }))
        .await;
    let decided = move_order(&world, "A-1", ("decision", "approve")).await;
    assert_status(&decided, "cancelled");
    let nothing = move_order(&world, "A-1", ("decision", "approve")).await;
    assert_eq!(nothing.code(), "illegal_transition");
}

#[actix_web::test]
async fn problems_of_a_move_are_named() {
    let world = World::of_test_store().await;
    for (body, field) in [
        (json!({ "to": "ready" }), "order_id"),
        (json!({ "order_id": "A-1" }), "to"),
        (json!({ "order_id": "A-1", "to": "on-hold" }), "to"),
        (json!({ "order_id": "A-1", "decision": "ask" }), "decision"),
        (
            json!({ "order_id": "A-1", "to": "ready", "decision": "approve" }),
            "decision",
        ),
    ] {
        let refused = world.post(MOVE, &body).await;
        assert_eq!(refused.code(), "validation_failed", "{body}");
        assert_eq!(refused.json()["errors"][0]["field"], field, "{body}");
    }
    let unknown = move_order(&world, "A-9", ("to", "ready")).await;
    assert_eq!(unknown.code(), "order_not_found");
}

#[actix_web::test]
async fn faults_are_answered_and_leave_the_write_done_or_not() {
    let world = World::of_test_store().await;
    // `internal_error` is returned after the write.
    for (fault, status, code, retry, done) in [
        ("unavailable", 503, "unavailable", true, false),
        ("rate_limited", 429, "rate_limited", true, false),
        ("internal_error", 500, "internal_error", false, true),
        ("nonsense", 400, "validation_failed", false, false),
    ] {
        let request = signed(CREATE, order(fault)).insert_header((FAULT, fault));
        let response = world.send(request).await;
        assert_eq!(response.refusal(), format!("{status} {code}"));
        assert_eq!(response.header("retry-after").is_some(), retry, "{fault}");
        let found = world
            .post(SEARCH, json!({ "searchKey": fault }))
            .await
            .json();
        let found = found["data"].as_array().unwrap().len();
        assert_eq!(found, usize::from(done), "{fault}");
    }
}
