//! Provokes every row of the error table.

use std::collections::BTreeSet;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use pressline_http::error;
use serde_json::json;

use crate::common::*;
use crate::{operators, webhooks};

fn documented() -> BTreeSet<(u16, String)> {
    let rows = error::TABLE.iter();
    rows.map(|row| (row.status.as_u16(), row.name.to_owned()))
        .collect()
}

async fn provoked() -> Vec<Response> {
    let limited = World::limited(1).await;
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut responses = vec![
        world
            .send(
                TestRequest::get()
                    .uri("/app/v1/orders/create/")
                    .insert_header(("X-Request-Id", "call-1")),
            )
            .await,
        world.send(signed(CREATE, "").method(Method::GET)).await,
        world.post(CREATE, "x".repeat(1024 * 1024 + 1)).await,
        world
            .send(signed(CREATE, "{}").insert_header(("Content-Type", "text/plain")))
            .await,
        world
            .send(signed(CREATE, "{}").insert_header(("X-Service-Hmac-Sha256", BAD)))
            .await,
        world
            .send(signed(CREATE, "{}").insert_header(("X-Service-Hmac-Sha256", LATE)))
            .await,
        world
            .send(signed(CREATE, "{}").insert_header(("X-Service-Hmac-Sha256", UNTIMED)))
            .await,
        world.post(CREATE, "{\n  \"order_id\": }").await,
        world
            .post(
                CREATE,
                json!({ "order_id": 7, "customer": [1], "line_items": [] }),
            )
            .await,
        world.post(UPDATE, update("A-2", &created, 1)).await,
    ];
    let mut other = update("A-1", &created, 1);
    other["line_items"][0]["appItemId"] = "0197f3c2-5b0e-7c3a-9d52-ffffffffffff".into();
    responses.push(world.post("/app/v1/sandbox/clock", "{}").await);
    responses.push(world.post(UPDATE, other).await);
    let mut stale = update("A-1", &created, 1);
    stale["version"] = 7.into();
    responses.push(world.post(UPDATE, stale).await);
    let ahead = json!({ "afterSequence": 9 });
    responses.push(world.post("/app/v1/events/search", ahead).await);
    let mut different = order("A-1");
    different["line_items"][0]["quantity"] = 3.into();
    different["line_itmes"] = 3.into();
    responses.push(world.post(CREATE, different).await);
    responses.extend(refused(&world, &created).await);
    limited.post(SEARCH, "{}").await;
    responses.push(limited.post(SEARCH, "{}").await);
    responses.extend(operators::provoked().await);
    responses.extend(webhooks::provoked().await);
    responses.push(ambiguous(&world).await);
    world.fail(Fault::Refused);
    responses.push(world.post(SEARCH, "{}").await);
    world.fail(Fault::Unavailable);
    responses.push(world.post(SEARCH, "{}").await);
    responses
}

/// Names the first order by its number, which is also the id of another order.
async fn ambiguous(world: &World) -> Response {
    world.post(CREATE, order("DEMO-1")).await;
    let body = json!({ "order_id": "DEMO-1" });
    world.post("/app/v1/orders/hold", body).await
}

async fn refused(world: &World, created: &Response) -> Vec<Response> {
    world.cancel("A-1").await;
    let mut responses = vec![
        world.post(UPDATE, update("A-1", created, 1)).await,
        world
            .post("/app/v1/orders/hold", json!({ "order_id": "A-1" }))
            .await,
    ];
    let mut single = order("A-3");
    single["line_items"].as_array_mut().unwrap().truncate(1);
    let created = world.post(CREATE, single).await;
    world.make_ready("A-3").await;
    world.post(UPDATE, update("A-3", &created, 3)).await;
    responses.push(world.post(UPDATE, update("A-3", &created, 4)).await);
    responses
}

#[actix_web::test]
async fn every_error_of_the_table_has_its_shape() {
    let responses = provoked().await;
    let mut provoked: BTreeSet<(u16, String)> = responses
        .iter()
        .map(|response| (response.status.as_u16(), response.code()))
        .collect();
    // A missing body needs a real connection, see `sockets.rs`.
    provoked.insert((408, "request_timeout".to_owned()));
    assert_eq!(provoked, documented());
    let shown: Vec<String> = responses.iter().map(Response::shown).collect();
    // Waiting times depend on how long the test took.
    insta::with_settings!({ filters => vec![(r"retry-after: \d+", "retry-after: <s>"), (r"again in \d+ s", "again in <s>")] }, {
        insta::assert_snapshot!(shown.join("\n\n"));
    });
    for response in &responses {
        let body = response.json();
        assert_eq!(body["success"], false);
        assert_eq!(body["requestId"], "call-1", "{}", response.body);
        assert_eq!(response.header("x-request-id"), Some("call-1"));
        assert!(!response.body.contains("secret"), "{}", response.body);
    }
}
