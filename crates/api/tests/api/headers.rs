//! Request and response headers: media types, request ids, caching.

use std::collections::BTreeSet;

use actix_web::http::header::HeaderValue;
use actix_web::test::TestRequest;
use serde_json::json;

use crate::common::*;

#[actix_web::test]
async fn problem_json_has_the_same_members_and_its_own() {
    let world = World::new().await;
    let request = signed(CREATE, json!({ "order_id": 7 }));
    let plain = world.send(signed(CREATE, json!({ "order_id": 7 }))).await;
    assert_eq!(plain.header("vary"), Some("Accept"));
    let problem = world
        .send(request.insert_header(("Accept", "application/problem+json")))
        .await;
    assert_eq!(
        problem.header("content-type"),
        Some("application/problem+json")
    );
    assert_eq!(problem.header("vary"), Some("Accept"));
    let (plain, problem) = (plain.json(), problem.json());
    for (name, value) in plain.as_object().unwrap() {
        assert_eq!(&problem[name], value, "{name}");
    }
    assert_eq!(problem["type"], "urn:pressline:error:validation_failed");
    assert_eq!(problem["status"], 400);
    assert_eq!(problem["detail"], plain["message"]);
    assert_eq!(problem["title"], "The request has invalid fields");
}

#[actix_web::test]
async fn request_ids_are_kept_or_generated() {
    let world = World::new().await;
    let mut made = BTreeSet::new();
    for given in ["", "with space", "x/y"] {
        let response = world
            .send(signed(SEARCH, "{}").insert_header(("X-Request-Id", given)))
            .await;
        made.insert(response.header("x-request-id").unwrap().to_owned());
    }
    assert_eq!(made.len(), 3);
    assert!(
        made.iter().all(|id| uuid::Uuid::parse_str(id).is_ok()),
        "{made:?}"
    );
    let response = world
        .send(
            TestRequest::get()
                .uri("/livez")
                .insert_header(("X-Request-Id", "a.b_c-1")),
        )
        .await;
    assert_eq!(response.header("x-request-id"), Some("a.b_c-1"));
}

#[actix_web::test]
async fn media_types_are_judged_by_their_essence() {
    let world = World::new().await;
    let with =
        |name: &'static str, value: &'static str| signed(SEARCH, "{}").insert_header((name, value));
    for (name, value, accepted) in [
        ("Content-Type", "application/json", true),
        ("Content-Type", "application/json; charset=utf-8", true),
        ("Content-Type", "Application/JSON;charset=UTF-8", true),
        ("Content-Type", "application/json; charset=\"Utf-8\"", true),
        (
            "Content-Type",
            "application/json; charset=iso-8859-1",
            false,
        ),
        ("Content-Type", "application/jsonx", false),
        ("Content-Type", "application/problem+json", false),
        ("Content-Type", "application/x-www-form-urlencoded", false),
        ("Content-Type", "", false),
        ("Content-Encoding", "identity", true),
        ("Content-Encoding", "gzip", false),
        ("Content-Encoding", "br, identity", false),
    ] {
        let response = world.send(with(name, value)).await;
        assert_eq!(
            response.status == 200,
            accepted,
            "{name}: {value}: {}",
            response.body
        );
        assert!(
            accepted || response.code() == "unsupported_media_type",
            "{}",
            response.body
        );
        assert_eq!(
            response.header("accept"),
            (!accepted).then_some("application/json")
        );
    }
    let opaque = HeaderValue::from_bytes(b"gz\xedp").unwrap();
    let request = signed(SEARCH, "{}").insert_header(("Content-Encoding", opaque));
    let response = world.send(request).await;
    assert_eq!(response.code(), "unsupported_media_type");
}

#[actix_web::test]
async fn the_form_of_errors_follows_the_qualities_of_accept() {
    let world = World::new().await;
    for (accept, form) in [
        (
            "application/problem+json;q=0.9, application/json;q=0.1",
            "application/problem+json",
        ),
        (
            "application/problem+json;q=0.1, application/json;q=0.9",
            "application/json",
        ),
        ("*/*", "application/json"),
    ] {
        let response = world
            .send(signed(CREATE, "{").insert_header(("Accept", accept)))
            .await;
        assert_eq!(response.header("content-type"), Some(form), "{accept}");
    }
}

#[actix_web::test]
async fn only_documentation_may_be_cached() {
    let world = World::new().await;
    for request in [
        signed(SEARCH, "{}"),
        signed(CREATE, "{"),
        unsigned(CREATE, "{}"),
        TestRequest::get().uri("/livez"),
    ] {
        assert_eq!(
            world.send(request).await.header("cache-control"),
            Some("no-store")
        );
    }
}
