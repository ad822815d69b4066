//! Liveness, readiness and the documentation.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use pressline_http::Check;
use serde_json::json;

use crate::common::*;

fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}

async fn assert_only_readable(world: &World, path: &str) {
    let refused = world.send(get(path).method(Method::POST)).await;
    assert_eq!(refused.status, 405, "{path}");
    assert_eq!(refused.header("allow"), Some("GET, HEAD"), "{path}");
}

#[actix_web::test]
async fn liveness_does_not_depend_on_the_database() {
    let world = World::new().await;
    world.fail(Fault::Unavailable);
    let response = world.send(get("/livez")).await;
    assert_eq!(
        (response.status.as_u16(), response.json()),
        (200, json!({ "status": "alive" }))
    );
}

#[actix_web::test]
async fn readiness_names_failed_checks_and_recovers() {
    let world = World::new().await;
    let ready = json!({ "status": "ready", "checks": [{ "name": "database", "ok": true }] });
    assert_eq!(world.send(get("/readyz")).await.json(), ready);
    world.fail(Fault::Unavailable);
    let response = world.send(get("/readyz")).await;
    assert_eq!(response.status, 503);
    let check = json!({ "name": "database", "ok": false, "problem": "the storage is unavailable" });
    assert_eq!(
        response.json(),
        json!({ "status": "unavailable", "checks": [check] })
    );
    assert_eq!(response.header("retry-after"), Some("2"));
    world.fail(Fault::None);
    assert_eq!(world.send(get("/readyz")).await.json(), ready);
}

#[actix_web::test]
async fn readiness_includes_the_checks_of_the_binary() {
    let check = Check {
        name: "key",
        problem: Some("the key does not open the stores".to_owned()),
        notice: None,
    };
    let world = World::with(settings(), FakeReadiness(vec![check])).await;
    let response = world.send(get("/readyz")).await;
    assert_eq!(response.status, 503);
    assert_eq!(response.json()["checks"][1]["name"], "key");
}

#[actix_web::test]
async fn readable_paths_accept_get_and_head_only() {
    let world = World::new().await;
    for path in [
        "/livez",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/docs/",
        "/docs/swagger-ui.css",
    ] {
        for method in [Method::GET, Method::HEAD] {
            let response = world.send(get(path).method(method.clone())).await;
            assert_eq!(response.status, 200, "{method} {path}");
            assert!(response.header("x-request-id").is_some());
        }
        assert_only_readable(&world, path).await;
    }
}

#[actix_web::test]
async fn the_documentation_loads_no_foreign_resources() {
    let world = World::new().await;
    let page = world.send(get("/docs")).await;
    assert!(
        page.body.contains("<base href=\"/docs/\">"),
        "its files are found from the address without a slash"
    );
    for path in ["/docs", "/docs/", "/docs/swagger-initializer.js"] {
        let page = world.send(get(path)).await.body;
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "{path}: {page}"
        );
    }
    let initializer = world.send(get("/docs/swagger-initializer.js")).await.body;
    assert!(
        initializer.contains("\"validatorUrl\": \"none\""),
        "{initializer}"
    );
    assert!(initializer.contains("/openapi.json"), "{initializer}");
    for (path, content_type) in [
        ("/docs/", "text/html; charset=utf-8"),
        ("/docs/swagger-ui.css", "text/css; charset=utf-8"),
    ] {
        let page = world.send(get(path)).await;
        assert_eq!(page.header("content-type"), Some(content_type), "{path}");
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(
        world.send(get("/docs/nothing.js")).await.code(),
        "not_found"
    );
    assert_eq!(
        world.send(get("/docs/../Cargo.toml")).await.code(),
        "not_found"
    );
}

#[actix_web::test]
async fn the_bare_address_leads_to_the_documentation() {
    let world = World::new().await;
    for method in [Method::GET, Method::HEAD] {
        let response = world.send(get("/").method(method)).await;
        assert_eq!(
            (response.status.as_u16(), response.header("location")),
            (302, Some("/docs"))
        );
    }
    assert_only_readable(&world, "/").await;
}

#[actix_web::test]
async fn a_browser_may_load_only_the_documentation_itself_and_show_it_in_no_frame() {
    let world = World::new().await;
    for path in [
        "/docs",
        "/docs/",
        "/docs/swagger-ui-bundle.js",
        "/docs/swagger-ui.css",
        "/openapi.json",
    ] {
        let response = world.send(get(path)).await;
        let policy = response.header("content-security-policy").unwrap();
        for directive in [
            "default-src 'none'",
            "script-src 'self';",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        assert_eq!(
            response.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn documentation_is_compressed_and_sent_once_to_a_cache() {
    let world = World::new().await;
    for path in ["/docs", "/docs/swagger-ui.css", "/openapi.json"] {
        let mut tags = std::collections::BTreeSet::new();
        for coding in ["identity", "gzip", "br, gzip;q=0.5", "gzip;q=0"] {
            let ask = || get(path).insert_header(("Accept-Encoding", coding));
            let response = world.send(ask().method(Method::HEAD)).await;
            let expected = matches!(coding, "gzip" | "br, gzip;q=0.5").then_some("gzip");
            assert_eq!(
                response.header("content-encoding"),
                expected,
                "{path} {coding}"
            );
            assert_eq!(response.header("vary"), Some("Accept-Encoding"));
            let tag = response.header("etag").unwrap().to_owned();
            let again = world
                .send(ask().insert_header(("If-None-Match", format!("\"x\", W/{tag}"))))
                .await;
            assert_eq!(
                (again.status.as_u16(), again.body.as_str()),
                (304, ""),
                "{path} {coding}"
            );
            assert_eq!(again.header("etag"), Some(tag.as_str()));
            let other = world
                .send(
                    ask()
                        .method(Method::HEAD)
                        .insert_header(("If-None-Match", "\"x\"")),
                )
                .await;
            assert_eq!(other.status, 200);
            tags.insert(tag);
        }
        assert_eq!(tags.len(), 2, "{path}: each form has its tag");
    }
}
