//! Headers of every response.

use crate::browser::Browser;
use crate::world::{Response, World};

fn is_secured(response: &Response) {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                  connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    for (name, value) in [
        ("content-security-policy", policy),
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(response.header(name), value, "{name}: {response:?}");
    }
    assert!(!response.header("x-request-id").is_empty());
}

#[actix_web::test]
async fn all_responses_have_security_headers_and_are_not_cached() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    for path in [
        "/",
        "/console",
        "/console/account",
        "/console/nothing",
        "/console/find?text=x",
        "/console/system/audit.csv",
        "/console/sign-in",
    ] {
        let response = browser.get(path).await;
        is_secured(&response);
        assert_eq!(response.header("cache-control"), "no-store", "{path}");
    }
    let mut guest = Browser::new(&world);
    is_secured(&guest.get("/console").await);
    is_secured(&guest.post("/console/sign-in", &[("name", "x")]).await);
    is_secured(&guest.post("/console/account", &[]).await);
}

#[actix_web::test]
async fn pages_are_compressed_for_browsers_that_understand_it() {
    let world = World::new().await;
    let request = actix_web::test::TestRequest::get()
        .uri("/console/sign-in")
        .insert_header(("host", "localhost"))
        .insert_header(("accept-encoding", "gzip, br"));
    let response = world.send(request).await;
    response.is(200);
    assert_eq!(response.header("content-encoding"), "gzip");
    assert_eq!(response.header("vary"), "Accept-Encoding");
}
