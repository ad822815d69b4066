//! Pages of large orders: streaming, memory accounting, and truncation on read errors.

use std::future::poll_fn;
use std::pin::Pin;

use actix_web::body::{BodySize, BoxBody, MessageBody, to_bytes};
use actix_web::http::StatusCode;
use pressline_api::Settings;
use serde_json::{Value, json};

use crate::common::*;

/// Enough memory for a single page of large orders, but not for two.
fn for_one_page() -> Settings {
    Settings {
        response_budget: 4 * 1024 * 1024,
        ..settings()
    }
}

/// A search for all large orders in one page.
fn all_large() -> Value {
    json!({ "size": 100, "searchKey": "large" })
}

/// Creates a world with the orders `large-0` to `large-2`, each near the maximum size.
async fn large_orders(settings: Settings) -> World {
    let world = World::with(settings, FakeReadiness(Vec::new())).await;
    for number in 0..3 {
        assert_eq!(
            world
                .post(CREATE, wide(&format!("large-{number}")))
                .await
                .status,
            StatusCode::OK
        );
    }
    world
}

async fn next_piece(body: &mut BoxBody) -> Option<Result<usize, String>> {
    let next = poll_fn(|context| Pin::new(&mut *body).poll_next(context)).await;
    next.map(|piece| {
        piece
            .map(|bytes| bytes.len())
            .map_err(|error| error.to_string())
    })
}

#[actix_web::test]
async fn a_streamed_page_equals_its_orders_read_separately() {
    let world = large_orders(settings()).await;
    let one_by_one = |page: u32| world.post(SEARCH, json!({ "page": page, "size": 1 }));
    let mut orders: Vec<Value> = Vec::new();
    for page in 1..=3 {
        orders.push(one_by_one(page).await.json()["data"][0].take());
    }
    let streamed = world
        .begin(signed(SEARCH, json!({ "size": 100, "sise": 1 })))
        .await;
    assert_eq!(streamed.body().size(), BodySize::Stream);
    assert_eq!(streamed.headers().get("x-request-id").unwrap(), "call-1");
    let text = to_bytes(streamed.into_body()).await.unwrap();
    let whole: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(whole["data"], Value::from(orders));
    let rest = json!({
        "success": whole["success"], "message": whole["message"], "page": whole["page"], "size": whole["size"],
        "pageHasNext": whole["pageHasNext"], "pageHasPre": whole["pageHasPre"]
    });
    let wanted = json!({
        "success": true, "message": "OK", "page": 1, "size": 100, "pageHasNext": false, "pageHasPre": false
    });
    assert_eq!(rest, wanted);
    assert_eq!(whole["warnings"][0]["field"], "sise");
    // The cursor is part of the head, which is written before the second order is read.
    let first = world.post(SEARCH, json!({ "size": 2 })).await.json();
    assert_eq!(
        (
            first["data"].as_array().unwrap().len(),
            &first["pageHasNext"]
        ),
        (2, &json!(true))
    );
    let second = json!({ "size": 2, "cursor": first["nextCursor"] });
    let last = world.post(SEARCH, second).await.json();
    assert_eq!(last["data"][0]["orderId"], "large-0");
}

#[actix_web::test]
async fn a_page_of_usual_size_is_not_streamed() {
    let world = World::new().await;
    for number in 0..20 {
        world.post(CREATE, order(&format!("large-{number}"))).await;
    }
    let response = world.begin(signed(SEARCH, "{}")).await;
    assert!(matches!(response.body().size(), BodySize::Sized(bytes) if bytes > 20_000));
}

#[actix_web::test]
async fn large_responses_beyond_the_budget_are_refused_temporarily() {
    let world = large_orders(for_one_page()).await;
    world.post(CREATE, order("small")).await;
    // A streamed page, and a page that is held in memory.
    for held in [all_large(), json!({ "size": 1, "searchKey": "large" })] {
        let held = world.begin(signed(SEARCH, held)).await;
        assert_eq!(held.status(), StatusCode::OK);
        let mut held = held.into_body();
        next_piece(&mut held).await.unwrap().unwrap();
        let refused = world.post(SEARCH, all_large()).await;
        assert_eq!(refused.refusal(), "503 unavailable");
        let wait: u32 = refused.header("Retry-After").unwrap().parse().unwrap();
        assert!(wait > 0);
        // Small responses do not count against the budget.
        let small = world.post(SEARCH, json!({ "searchKey": "small" })).await;
        assert_eq!(small.status, StatusCode::OK);
        drop(held);
        let again = world.post(SEARCH, all_large()).await;
        assert_eq!(
            (again.status, again.json()["data"].as_array().unwrap().len()),
            (StatusCode::OK, 3)
        );
    }
}

#[actix_web::test]
async fn the_response_to_a_create_counts_against_the_budget() {
    let world = large_orders(for_one_page()).await;
    let held = world.begin(signed(SEARCH, all_large())).await;
    assert_eq!(
        world.post(CREATE, wide("large-0")).await.code(),
        "unavailable"
    );
    drop(held);
    assert_eq!(
        world.post(CREATE, wide("large-0")).await.json()["message"],
        "Already exists"
    );
}

#[actix_web::test]
async fn unreadable_pages_are_truncated_and_logged() {
    let world = large_orders(settings()).await;
    let response = world.begin(signed(SEARCH, json!({ "size": 100 }))).await;
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    world.fail(Fault::Refused);
    let mut sent = 0;
    let error = loop {
        match next_piece(&mut body).await {
            Some(Ok(bytes)) => sent += bytes,
            Some(Err(error)) => break error,
            None => panic!("a page without its orders has ended as if it were whole"),
        }
    };
    assert!(sent > 1_000_000, "the first order was sent: {sent}");
    assert!(!error.contains("secret"), "{error}");
    let lines = take_lines();
    let line = lines.iter().find(|line| line["level"] == "ERROR").unwrap();
    let fields = &line["fields"];
    assert_eq!(fields["request_id"], "call-1", "{line}");
    assert!(
        fields["reason"]
            .as_str()
            .unwrap()
            .contains("syntax error at secret_table"),
        "{line}"
    );
}
