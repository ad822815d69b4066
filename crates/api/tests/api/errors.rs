//! Every row of the table of errors, provoked.

use std::collections::BTreeSet;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use pressline_api::{Settings, error_reference};
use pressline_domain::order::status::ItemStatus;
use pressline_http::RateLimit;
use serde_json::json;

use crate::common::*;

/// The codes that the error reference documents, with their statuses.
fn documented() -> BTreeSet<(u16, String)> {
    let rows = error_reference();
    let rows = rows.lines().filter_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let status = cells.next()?.parse().ok()?;
        Some((status, cells.next()?.trim_matches('`').to_owned()))
    });
    rows.collect()
}

/// One answer for each row, in an order that makes sense to read.
async fn provoked() -> Vec<Answer> {
    let limited = Settings {
        rate_limit: Some(RateLimit {
            per_minute: 1.try_into().unwrap(),
            burst: 1.try_into().unwrap(),
        }),
        ..settings()
    };
    let limited = World::with(limited, FakeReadiness(Vec::new())).await;
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut answers = vec![
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
    answers.push(world.post(UPDATE, other).await);
    let mut stale = update("A-1", &created, 1);
    stale["version"] = 7.into();
    answers.push(world.post(UPDATE, stale).await);
    let mut different = order("A-1");
    different["line_items"][0]["quantity"] = 3.into();
    different["line_itmes"] = 3.into();
    answers.push(world.post(CREATE, different).await);
    world.set_status("A-1", ItemStatus::InProduction).await;
    answers.push(world.post(UPDATE, update("A-1", &created, 1)).await);
    limited.post(SEARCH, "{}").await;
    answers.push(limited.post(SEARCH, "{}").await);
    world.fail(Fault::Refused);
    answers.push(world.post(SEARCH, "{}").await);
    world.fail(Fault::Unavailable);
    answers.push(world.post(SEARCH, "{}").await);
    answers
}

#[actix_web::test]
async fn every_row_of_the_table_is_answered_in_its_shape() {
    let answers = provoked().await;
    let mut provoked: BTreeSet<(u16, String)> = answers
        .iter()
        .map(|answer| (answer.status.as_u16(), answer.code()))
        .collect();
    // A body that does not come takes a real connection: see the tests of sockets.
    provoked.insert((408, "request_timeout".to_owned()));
    assert_eq!(provoked, documented());
    let shown: Vec<String> = answers.iter().map(Answer::shown).collect();
    // How long to wait depends on how long the test took so far.
    insta::with_settings!({ filters => vec![(r"retry-after: \d+", "retry-after: <s>"), (r"again in \d+ s", "again in <s>")] }, {
        insta::assert_snapshot!(shown.join("\n\n"));
    });
    for answer in &answers {
        let body = answer.json();
        assert_eq!(body["success"], false);
        assert_eq!(body["requestId"], "call-1", "{}", answer.body);
        assert_eq!(answer.header("x-request-id"), Some("call-1"));
        assert!(!answer.body.contains("secret"), "{}", answer.body);
    }
}

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
async fn checks_come_in_their_order() {
    let world = World::new().await;
    let large = "x".repeat(1024 * 1024 + 1);
    let text = ("Content-Type", "text/plain");
    let declared = ("Content-Length", "1048577");
    // What a chunked body is: its head does not say how large it is.
    let undeclared = ("Content-Length", "1");
    let bad = ("X-Service-Hmac-Sha256", BAD);
    // Each request has every fault that comes later as well.
    for (request, code) in [
        (
            unsigned("/nowhere", &large)
                .method(Method::PUT)
                .insert_header(declared),
            "not_found",
        ),
        (
            unsigned(CREATE, &large)
                .method(Method::PUT)
                .insert_header(declared),
            "method_not_allowed",
        ),
        (
            unsigned(CREATE, &large)
                .insert_header(declared)
                .insert_header(text),
            "body_too_large",
        ),
        (
            unsigned(CREATE, &large)
                .insert_header(undeclared)
                .insert_header(text),
            "unsupported_media_type",
        ),
        (
            unsigned(CREATE, &large).insert_header(undeclared),
            "permission_denied",
        ),
        (
            signed(CREATE, &large)
                .insert_header(undeclared)
                .insert_header(bad),
            "body_too_large",
        ),
        (signed(CREATE, "{").insert_header(bad), "permission_denied"),
        (signed(CREATE, "{"), "invalid_json"),
        (
            signed(UPDATE, json!({ "order_id": "A-1" })),
            "validation_failed",
        ),
    ] {
        assert_eq!(world.send(request).await.code(), code);
    }
    let limit = RateLimit {
        per_minute: 1.try_into().unwrap(),
        burst: 1.try_into().unwrap(),
    };
    let world = World::with(
        Settings {
            rate_limit: Some(limit),
            ..settings()
        },
        FakeReadiness(Vec::new()),
    )
    .await;
    assert_eq!(world.post(CREATE, "{").await.code(), "invalid_json");
    assert_eq!(
        world.send(unsigned(CREATE, "{")).await.code(),
        "permission_denied"
    );
    assert_eq!(world.post(CREATE, "{").await.code(), "rate_limited");
}

#[actix_web::test]
async fn quotas_are_told_on_signed_answers_only() {
    let limit = RateLimit {
        per_minute: 1.try_into().unwrap(),
        burst: 3.try_into().unwrap(),
    };
    let world = World::with(
        Settings {
            rate_limit: Some(limit),
            ..settings()
        },
        FakeReadiness(Vec::new()),
    )
    .await;
    let first = world.post(SEARCH, "{}").await;
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

#[actix_web::test]
async fn a_store_may_search_without_a_signature_but_not_with_a_wrong_one() {
    let world = World::new().await;
    assert_eq!(
        world.send(unsigned(SEARCH, "{}")).await.code(),
        "permission_denied"
    );
    world
        .unsigned_search
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(world.send(unsigned(SEARCH, "{}")).await.status, 200);
    assert_eq!(
        world.send(unsigned(CREATE, "{}")).await.code(),
        "permission_denied"
    );
    let signature = "X-Service-Hmac-Sha256";
    for wrong in ["", "x", BAD] {
        let request = unsigned(SEARCH, "{}").insert_header((signature, wrong));
        assert_eq!(
            world.send(request).await.code(),
            "permission_denied",
            "{wrong}"
        );
    }
    let twice = signed(SEARCH, "{}").append_header((signature, GOOD));
    assert_eq!(world.send(twice).await.code(), "permission_denied");
    let unreadable = actix_web::http::header::HeaderValue::from_bytes(b"\xff").unwrap();
    let request = unsigned(SEARCH, "{}").insert_header((signature, unreadable));
    assert_eq!(world.send(request).await.code(), "permission_denied");
}

#[actix_web::test]
async fn the_signed_path_is_that_of_the_interface() {
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
async fn a_database_that_fails_is_never_blamed_on_the_caller() {
    let world = World::new().await;
    for (fault, status, code) in [
        (Fault::Unavailable, 503, "unavailable"),
        (Fault::Timeout, 503, "unavailable"),
        (Fault::Refused, 500, "internal_error"),
        (Fault::Panic, 500, "internal_error"),
    ] {
        world.fail(fault);
        let answer = world.post(CREATE, order("A-1")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (status, code),
            "{fault:?}"
        );
        assert_eq!(answer.header("retry-after").is_some(), status == 503);
        assert_eq!(answer.header("x-request-id"), Some("call-1"));
        assert!(!answer.body.contains("secret"), "{}", answer.body);
    }
    world.fail(Fault::None);
    assert_eq!(world.post(CREATE, order("A-1")).await.status, 200);
    let blind = signed(CREATE, order("A-1")).insert_header(("X-Service-Hmac-Sha256", BLIND));
    assert_eq!(world.send(blind).await.code(), "unavailable");
}

#[actix_web::test]
async fn request_ids_are_taken_over_or_made() {
    let world = World::new().await;
    let mut made = BTreeSet::new();
    for given in ["", "with space", "x/y"] {
        let answer = world
            .send(signed(SEARCH, "{}").insert_header(("X-Request-Id", given)))
            .await;
        made.insert(answer.header("x-request-id").unwrap().to_owned());
    }
    assert_eq!(made.len(), 3);
    assert!(
        made.iter().all(|id| uuid::Uuid::parse_str(id).is_ok()),
        "{made:?}"
    );
    let answer = world
        .send(
            TestRequest::get()
                .uri("/livez")
                .insert_header(("X-Request-Id", "a.b_c-1")),
        )
        .await;
    assert_eq!(answer.header("x-request-id"), Some("a.b_c-1"));
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
        let answer = world.send(with(name, value)).await;
        assert_eq!(
            answer.status == 200,
            accepted,
            "{name}: {value}: {}",
            answer.body
        );
        assert!(
            accepted || answer.code() == "unsupported_media_type",
            "{}",
            answer.body
        );
        assert_eq!(
            answer.header("accept"),
            (!accepted).then_some("application/json")
        );
    }
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
        let answer = world
            .send(signed(CREATE, "{").insert_header(("Accept", accept)))
            .await;
        assert_eq!(answer.header("content-type"), Some(form), "{accept}");
    }
}

#[actix_web::test]
async fn a_401_names_the_header_that_the_caller_did_not_send() {
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
        // An unsigned search is refused after a look at the store. What is missing is named all the
        // same.
        (unsigned(SEARCH, "{}"), named(signature, "required")),
        // What was sent, and is wrong, is not named.
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
        let answer = world.send(request).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (401, "permission_denied")
        );
        assert_eq!(answer.listed("errors"), errors, "{}", answer.body);
        messages.insert(answer.json()["message"].to_string());
    }
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[actix_web::test]
async fn invalid_json_has_its_place_in_errors() {
    let world = World::new().await;
    let answer = world.post(CREATE, "{\n  \"order_id\": }").await.json();
    let error = &answer["errors"][0];
    assert_eq!(
        (&error["line"], &error["column"]),
        (&json!(2), &json!(15)),
        "{answer}"
    );
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("invalid_json"), &json!("")),
        "{answer}"
    );
    let other = world.post(CREATE, json!({ "order_id": 7 })).await.json();
    assert!(other["errors"][0].get("line").is_none(), "{other}");
}

#[actix_web::test]
async fn nothing_but_documentation_may_be_kept_by_a_cache() {
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
