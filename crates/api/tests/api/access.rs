//! Signatures, the headers of a signed request, and quotas.

use std::collections::BTreeSet;

use actix_web::test::TestRequest;

use crate::common::*;

#[actix_web::test]
async fn unsigned_searches_are_permitted_but_wrong_signatures_are_refused() {
    let world = World::new().await;
    let code = async |request| world.send(request).await.code();
    assert_eq!(code(unsigned(SEARCH, "{}")).await, "permission_denied");
    world
        .unsigned_search
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(world.send(unsigned(SEARCH, "{}")).await.status, 200);
    assert_eq!(code(unsigned(CREATE, "{}")).await, "permission_denied");
    let signature = "X-Service-Hmac-Sha256";
    for wrong in ["", "x", BAD] {
        let request = unsigned(SEARCH, "{}").insert_header((signature, wrong));
        assert_eq!(code(request).await, "permission_denied", "{wrong}");
    }
    let twice = signed(SEARCH, "{}").append_header((signature, GOOD));
    assert_eq!(code(twice).await, "permission_denied");
    let unreadable = actix_web::http::header::HeaderValue::from_bytes(b"\xff").unwrap();
    let request = unsigned(SEARCH, "{}").insert_header((signature, unreadable));
    assert_eq!(code(request).await, "permission_denied");
}

#[actix_web::test]
async fn the_signed_path_is_normalized_and_has_no_query() {
    let world = World::new().await;
    for uri in [
        "/app/v1/orders/search?x=1",
        "/api/v1/orders/search",
        "/app/v1/orders/%73earch",
    ] {
        assert_eq!(world.post(uri, "{}").await.status, 200, "{uri}");
    }
    let paths = world.paths.lock().unwrap().clone();
    assert_eq!(paths, [SEARCH, "/api/v1/orders/search", SEARCH]);
}

#[actix_web::test]
async fn a_401_names_the_missing_header() {
    let world = World::new().await;
    let (store, signature) = ("X-Service-Store-Id", "X-Service-Hmac-Sha256");
    let without_store = || {
        let request = TestRequest::post().uri(CREATE).set_payload("{}");
        request
            .insert_header(("Content-Type", "application/json"))
            .insert_header((signature, GOOD))
    };
    let named = |header: &str, code: &str| vec![(header.to_owned(), code.to_owned())];
    let mut messages = BTreeSet::new();
    for (request, errors) in [
        (without_store(), named(store, "required")),
        (
            without_store().insert_header((store, "")),
            named(store, "required"),
        ),
        (
            signed(CREATE, "{}").append_header((store, STORE)),
            named(store, "repeated"),
        ),
        (unsigned(CREATE, "{}"), named(signature, "required")),
        (
            unsigned(CREATE, "{}").insert_header((signature, "")),
            named(signature, "required"),
        ),
        (
            signed(CREATE, "{}").append_header((signature, GOOD)),
            named(signature, "repeated"),
        ),
        (
            signed(CREATE, "{}").insert_header(("X-Service-Timestamp", "")),
            named("X-Service-Timestamp", "required"),
        ),
        // An unsigned search is refused only after the store was read. The missing header is named
        // here as well.
        (unsigned(SEARCH, "{}"), named(signature, "required")),
        // A header that is present but invalid is not named.
        (without_store().insert_header((store, "x")), Vec::new()),
        (
            unsigned(CREATE, "{}").insert_header((signature, "x")),
            Vec::new(),
        ),
        (
            unsigned(CREATE, "{}").insert_header((signature, BAD)),
            Vec::new(),
        ),
    ] {
        let response = world.send(request).await;
        assert_eq!(response.refusal(), "401 permission_denied");
        assert_eq!(response.listed("errors"), errors, "{}", response.body);
        messages.insert(response.json()["message"].to_string());
    }
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[actix_web::test]
async fn quotas_are_in_responses_to_signed_calls_only() {
    let world = World::limited(3).await;
    let first = world.post(SEARCH, "{}").await;
    // Three calls, refilled within 180 s at one call per minute.
    assert_eq!(
        first.header("ratelimit-policy"),
        Some("\"store\";q=3;w=180")
    );
    assert_eq!(first.header("ratelimit"), Some("\"store\";r=2;t=60"));
    let failed = world.post(SEARCH, "{").await;
    assert_eq!(failed.header("ratelimit"), Some("\"store\";r=1;t=120"));
    let unsigned = world.send(unsigned(SEARCH, "{}")).await;
    assert_eq!(unsigned.header("ratelimit"), None);
    world.post(SEARCH, "{}").await;
    let refused = world.post(SEARCH, "{}").await;
    assert_eq!(refused.code(), "rate_limited");
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(refused.header("ratelimit"), Some("\"store\";r=0;t=180"));
}
