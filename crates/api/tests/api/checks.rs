//! Order of the checks, and database errors.

use actix_web::http::Method;
use serde_json::json;

use crate::common::*;

#[actix_web::test]
async fn checks_run_in_the_documented_order() {
    let world = World::new().await;
    let large = "x".repeat(1024 * 1024 + 1);
    let text = ("Content-Type", "text/plain");
    let declared = ("Content-Length", "1048577");
    // Stands in for a chunked body: its head does not declare the real length.
    let undeclared = ("Content-Length", "1");
    let bad = ("X-Service-Hmac-Sha256", BAD);
    // Each request also has all faults that are checked later.
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
}

#[actix_web::test]
async fn the_rate_is_checked_after_the_signature_and_before_the_body() {
    let world = World::limited(1).await;
    assert_eq!(world.post(CREATE, "{").await.code(), "invalid_json");
    assert_eq!(
        world.send(unsigned(CREATE, "{")).await.code(),
        "permission_denied"
    );
    assert_eq!(world.post(CREATE, "{").await.code(), "rate_limited");
}

#[actix_web::test]
async fn database_failures_are_reported_as_server_errors() {
    let world = World::new().await;
    for (fault, status, code) in [
        (Fault::Unavailable, 503, "unavailable"),
        (Fault::Timeout, 503, "unavailable"),
        (Fault::Refused, 500, "internal_error"),
        (Fault::Panic, 500, "internal_error"),
    ] {
        world.fail(fault);
        let response = world.post(CREATE, order("A-1")).await;
        assert_eq!(response.refusal(), format!("{status} {code}"), "{fault:?}");
        assert_eq!(response.header("retry-after").is_some(), status == 503);
        assert_eq!(response.header("x-request-id"), Some("call-1"));
        assert!(!response.body.contains("secret"), "{}", response.body);
    }
    world.fail(Fault::None);
    assert_eq!(world.post(CREATE, order("A-1")).await.status, 200);
    let blind = signed(CREATE, order("A-1")).insert_header(("X-Service-Hmac-Sha256", BLIND));
    assert_eq!(world.send(blind).await.code(), "unavailable");
}

#[actix_web::test]
async fn a_full_queue_is_noticed_after_the_signature_and_before_the_body() {
    let world = World::new().await;
    let mut dry_run = order("A-1");
    dry_run["dryRun"] = json!(true);
    world.fail(Fault::Full);
    for path in [CREATE, LABEL] {
        let response = world.post(path, "{").await;
        assert_eq!(
            (response.status.as_u16(), response.code()),
            (503, "unavailable".to_owned())
        );
        assert!(response.header("retry-after").is_some());
        assert!(!response.body.contains("secret"), "{}", response.body);
    }
    assert_eq!(
        world.send(unsigned(CREATE, "{")).await.code(),
        "permission_denied"
    );
    // Estimates and dry runs write nothing; `dry\u0052un` could be a dry run until it is parsed.
    assert_eq!(world.post(ESTIMATE, order("A-1")).await.status, 200);
    assert_eq!(world.post(CREATE, dry_run.clone()).await.status, 200);
    let escaped = dry_run.to_string().replace("dryRun", "dry\\u0052un");
    assert_eq!(world.post(CREATE, escaped).await.status, 200);
    assert_eq!(world.post(UPDATE, "{").await.code(), "invalid_json");
    world.fail(Fault::None);
    assert_eq!(world.post(CREATE, "{").await.code(), "invalid_json");
}

#[actix_web::test]
async fn errors_of_invalid_json_have_its_position() {
    let world = World::new().await;
    let response = world.post(CREATE, "{\n  \"order_id\": }").await.json();
    let error = &response["errors"][0];
    assert_eq!(
        (&error["line"], &error["column"]),
        (&json!(2), &json!(15)),
        "{response}"
    );
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("invalid_json"), &json!("")),
        "{response}"
    );
    let other = world.post(CREATE, json!({ "order_id": 7 })).await.json();
    assert!(other["errors"][0].get("line").is_none(), "{other}");
}
