//! Liveness, readiness and the documentation.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use pressline_http::Check;
use serde_json::json;

use crate::common::*;

fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}

#[actix_web::test]
async fn the_process_lives_whatever_the_database_does() {
    let world = World::new().await;
    world.fail(Fault::Unavailable);
    let answer = world.send(get("/livez")).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "status": "alive" })));
}

#[actix_web::test]
async fn readiness_names_what_is_missing_and_recovers() {
    let world = World::new().await;
    let ready = json!({ "status": "ready", "checks": [{ "name": "database", "ok": true }] });
    assert_eq!(world.send(get("/readyz")).await.json(), ready);
    world.fail(Fault::Unavailable);
    let answer = world.send(get("/readyz")).await;
    assert_eq!(answer.status, 503);
    let check = json!({ "name": "database", "ok": false, "problem": "the database is unavailable" });
    assert_eq!(answer.json(), json!({ "status": "unavailable", "checks": [check] }));
    world.fail(Fault::None);
    assert_eq!(world.send(get("/readyz")).await.json(), ready);
}

#[actix_web::test]
async fn readiness_includes_what_the_binary_checks() {
    let check =
        Check { name: "key", problem: Some("the key does not open the stores".to_owned()), notice: None };
    let world = World::with(settings(), FakeReadiness(vec![check])).await;
    let answer = world.send(get("/readyz")).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.json()["checks"][1]["name"], "key");
}

#[actix_web::test]
async fn what_can_be_read_can_be_asked_for_by_head_and_not_written() {
    let world = World::new().await;
    for path in ["/livez", "/readyz", "/openapi.json", "/docs/", "/docs/swagger-ui.css"] {
        for method in [Method::GET, Method::HEAD] {
            let answer = world.send(get(path).method(method.clone())).await;
            assert_eq!(answer.status, 200, "{method} {path}");
            assert!(answer.header("x-request-id").is_some());
        }
        let answer = world.send(get(path).method(Method::POST)).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
}

#[actix_web::test]
async fn the_documentation_loads_nothing_from_elsewhere() {
    let world = World::new().await;
    let page = world.send(get("/docs")).await;
    assert!(
        page.body.contains("<base href=\"/docs/\">"),
        "its files are found from the address without a slash"
    );
    for path in ["/docs", "/docs/", "/docs/swagger-initializer.js"] {
        let page = world.send(get(path)).await.body;
        assert!(!page.contains("http://") && !page.contains("https://"), "{path}: {page}");
    }
    let initializer = world.send(get("/docs/swagger-initializer.js")).await.body;
    assert!(initializer.contains("\"validatorUrl\": \"none\""), "{initializer}");
    assert!(initializer.contains("/openapi.json"), "{initializer}");
    assert_eq!(world.send(get("/docs/nothing.js")).await.code(), "not_found");
    assert_eq!(world.send(get("/docs/../Cargo.toml")).await.code(), "not_found");
}
