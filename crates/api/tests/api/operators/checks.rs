//! Order of the checks of an operator's request.

use actix_web::test::TestRequest;
use pressline_backoffice::limits;
use pressline_backoffice::operator::OperatorRole;
use pressline_http::RateLimit;

use super::matrix::{good_body, operations};
use super::world::{OperatorWorld, admin, token, with_token, without_token};
use crate::common::{Fault, Response, STORE, World, settings};

const LIST: &str = "/admin/v1/stores/list";

fn outcome(response: &Response) -> (u16, String) {
    (response.status.as_u16(), response.code())
}

#[actix_web::test]
async fn every_operation_has_its_unauthorised_and_bad_cases() {
    for (call, _) in operations() {
        let world = OperatorWorld::new().await;
        let path = format!("/admin/v1/{call}");
        let good = good_body(&call, STORE);
        let refused = world.send(without_token(&path, &good)).await;
        assert_eq!(outcome(&refused), (401, "permission_denied".to_owned()));
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        let bad = world
            .send(with_token(&admin(), &path, "{\"storeId\":"))
            .await;
        assert_eq!(outcome(&bad), (400, "invalid_json".to_owned()), "{call}");
        let request = with_token(
            &admin(),
            &path,
            "{\"storeId\": 1, \"stores\": 1, \"name\": []}",
        );
        let wrong = world.send(request).await;
        let expected = match call.as_str() {
            "stores/list" | "batches/search" => 200,
            _ => 400,
        };
        assert_eq!(wrong.status.as_u16(), expected, "{call}: {}", wrong.body);
        let other_method = with_token(&admin(), &path, &good).method("PUT".parse().unwrap());
        let response = world.send(other_method).await;
        assert_eq!(response.header("allow"), Some("POST"), "{call}");
    }
}

#[actix_web::test]
async fn authorization_headers_of_other_forms_are_refused() {
    let world = OperatorWorld::new().await;
    let right = admin();
    let with = |value: String| without_token(LIST, "{}").insert_header(("Authorization", value));
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let response = world.send(with(format!("{scheme} {right}"))).await;
        assert_eq!(response.status, 200, "{scheme}");
    }
    for wrong in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        right.clone(),
        format!("Basic {right}"),
        format!("Bearer {right}x"),
        format!("Bearer {right} {right}"),
        format!("Bearer, {right}"),
    ] {
        let response = world.send(with(wrong.clone())).await;
        let refused = outcome(&response);
        assert_eq!(refused, (401, "permission_denied".to_owned()), "{wrong}");
        assert!(!response.body.contains("plo_"), "{}", response.body);
    }
    let twice = with_token(&right, LIST, "{}").append_header(("Authorization", "Bearer x"));
    let response = world.send(twice).await;
    assert_eq!(response.json()["errors"][0]["code"], "repeated");
}

#[actix_web::test]
async fn a_move_of_only_unavailable_orders_is_503() {
    let world = OperatorWorld::new().await;
    let body = good_body("orders/move", STORE);
    world.shop.fail(Fault::Unavailable);
    let request = with_token(&admin(), "/admin/v1/orders/move", &body);
    let refused = world.send(request).await;
    assert_eq!(outcome(&refused), (503, "unavailable".to_owned()));
    assert!(refused.header("retry-after").is_some());
    world.shop.fail(Fault::None);
    let request = with_token(&admin(), "/admin/v1/orders/move", &body);
    assert_eq!(world.send(request).await.status, 200);
}

#[actix_web::test]
async fn the_checks_have_the_order_of_the_error_reference() {
    let world = OperatorWorld::new().await;
    let viewer = token(OperatorRole::Viewer, false);
    let large = "x".repeat(limits::BODY + 1);
    let text = |request: TestRequest| request.insert_header(("Content-Type", "text/plain"));
    for (request, expected) in [
        // Each line has its own problem and all problems that are checked later.
        (text(without_token("/admin/v1/other", "x")), "not_found"),
        (
            text(without_token(LIST, "x").method("GET".parse().unwrap())),
            "method_not_allowed",
        ),
        (text(without_token(LIST, large)), "body_too_large"),
        (text(without_token(LIST, "x")), "unsupported_media_type"),
        (without_token(LIST, "x"), "permission_denied"),
        (with_token(&viewer, LIST, "x"), "forbidden"),
        (with_token(&admin(), LIST, "x"), "invalid_json"),
        (
            with_token(&admin(), "/admin/v1/stores/show", "{\"storeId\":\"x\"}"),
            "validation_failed",
        ),
    ] {
        let response = world.send(request).await;
        assert_eq!(response.code(), expected, "{}", response.body);
    }
}

#[actix_web::test]
async fn each_token_has_a_quota_of_its_own() {
    let limit = RateLimit {
        per_minute: 2.try_into().unwrap(),
        burst: 2.try_into().unwrap(),
    };
    let mut settings = settings();
    settings.rate_limit = Some(limit);
    let world = OperatorWorld::with(settings).await;
    let viewer = token(OperatorRole::Viewer, false);
    // Forbidden calls count towards the rate limit.
    for expected in ["forbidden", "forbidden", "rate_limited"] {
        let response = world.send(with_token(&viewer, LIST, "{}")).await;
        assert_eq!(response.code(), expected);
        let policy = response.header("ratelimit-policy");
        assert_eq!(policy, Some("\"token\";q=2;w=60"));
    }
    let other = world.send(with_token(&admin(), LIST, "{}")).await;
    assert_eq!(other.status, 200);
}

#[actix_web::test]
async fn paths_of_the_other_listener_are_not_found() {
    let (operators, stores) = (OperatorWorld::new().await, World::new().await);
    let get = |path: &str| TestRequest::get().uri(path);
    for path in ["/app/v1/orders/create", "/api/v1/orders/search", "/"] {
        let response = operators.send(with_token(&admin(), path, "{}")).await;
        assert_eq!(outcome(&response), (404, "not_found".to_owned()), "{path}");
        assert_eq!(
            operators.send(get(path)).await.code(),
            "not_found",
            "{path}"
        );
    }
    for (call, _) in operations() {
        let path = format!("/admin/v1/{call}");
        let response = stores.post(&path, "{}").await;
        assert_eq!(outcome(&response), (404, "not_found".to_owned()), "{path}");
    }
    for path in ["/livez", "/readyz", "/openapi.json"] {
        assert_eq!(operators.send(get(path)).await.status, 200, "{path}");
    }
    let document = operators.send(get("/openapi.json")).await;
    assert_eq!(document.json()["info"]["title"], "Pressline for operators");
}

#[actix_web::test]
async fn errors_have_the_form_that_the_caller_prefers() {
    let world = OperatorWorld::new().await;
    let viewer = token(OperatorRole::Viewer, false);
    let request = with_token(&viewer, LIST, "{}");
    let request = request.insert_header(("Accept", "application/problem+json"));
    let response = world.send(request).await;
    let problem = response.json();
    assert_eq!(problem["type"], "urn:pressline:error:forbidden");
    assert_eq!(problem["status"], 403);
    assert_eq!(problem["requestId"], "call-1");
    assert_eq!(response.header("x-request-id"), Some("call-1"));
}
