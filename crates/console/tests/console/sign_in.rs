//! Sign-in and sign-out.

use pressline_console::TransportRule;

use crate::browser::Browser;
use crate::world::{PASSWORD, World};

#[actix_web::test]
async fn the_root_leads_to_the_sign_in_page() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.get("/").await.leads_to("/console");
    browser.get("/console/").await.leads_to("/console");
    let response = browser.get("/console/account?x=1").await;
    response.leads_to("/console/sign-in?return=%2Fconsole%2Faccount%3Fx%3D1");
}

#[actix_web::test]
async fn only_the_button_uses_a_sign_in_link() {
    let world = World::new().await;
    let link = world.link("otto").await;
    let mut browser = Browser::new(&world);
    let path = format!("/console/sign-in?link={link}");
    for _ in 0..2 {
        let page = browser.open(&path).await;
        page.shows(&link).hides("type=\"password\"");
    }
    assert!(browser.cookies.is_empty());
    let fields = [("link", link.as_str())];
    browser
        .submit("/console/sign-in", &fields, "/console")
        .await
        .is(200)
        .shows("otto");
    let again = Browser::new(&world).post("/console/sign-in", &fields).await;
    again.is(400).shows("used already or has expired");
}

#[actix_web::test]
async fn name_and_password_sign_in_and_lead_back() {
    let world = World::new().await;
    world.with_password("ana").await;
    let mut browser = Browser::new(&world);
    let wrong = [("name", "ana"), ("password", "wrong")];
    let refused = browser.post("/console/sign-in", &wrong).await;
    refused.is(400).shows("not right").shows("value=\"ana\"");
    refused.hides("wrong\"");
    let unknown = [("name", "nobody"), ("password", "wrong")];
    let unknown = browser.post("/console/sign-in", &unknown).await;
    unknown.is(400).shows("not right");
    let right = [
        ("name", "ana"),
        ("password", PASSWORD),
        ("return", "/console/account"),
    ];
    let opened = browser.post("/console/sign-in", &right).await;
    opened.leads_to("/console/account");
    let cookie = opened.header("set-cookie");
    assert!(cookie.starts_with("pressline-session="), "{cookie}");
    assert!(
        cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"),
        "{cookie}"
    );
}

#[actix_web::test]
async fn signing_in_leads_to_no_foreign_page() {
    let world = World::new().await;
    for path in ["https://evil.example", "//evil.example", "/admin/v1/x"] {
        let link = world.link("otto").await;
        let fields = [("link", link.as_str()), ("return", path)];
        let response = Browser::new(&world).post("/console/sign-in", &fields).await;
        response.leads_to("/console");
    }
}

#[actix_web::test]
async fn too_many_tries_say_when_to_retry() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let wrong = [("name", "ana"), ("password", "wrong")];
    for _ in 0..5 {
        browser.post("/console/sign-in", &wrong).await.is(400);
    }
    let refused = browser.post("/console/sign-in", &wrong).await;
    refused.is(429).shows("Try again in 60 s");
    assert_eq!(refused.header("retry-after"), "60");
}

#[actix_web::test]
async fn a_new_sign_in_replaces_the_session() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let former = browser.cookies.clone();
    let link = world.link("ana").await;
    browser
        .post("/console/sign-in", &[("link", &link)])
        .await
        .leads_to("/console");
    assert_ne!(browser.cookies, former);
    browser.open("/console").await;
    browser.cookies = former;
    browser.get("/console").await.is(303);
}

#[actix_web::test]
async fn a_signed_out_session_has_no_access() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", "/console").await;
    let (cookies, token) = (browser.cookies.clone(), browser.token.clone());
    let out = browser.post("/console/sign-out", &[]).await;
    out.leads_to("/console/sign-in?signedOut=1");
    assert!(browser.cookies.is_empty());
    let page = browser.open("/console/sign-in?signedOut=1").await;
    page.shows("You have signed out.");
    (browser.cookies, browser.token) = (cookies, token);
    browser.get("/console").await.is(303);
    let sent = browser.post("/console/account", &[("theme", "dark")]).await;
    sent.is(401).shows("What you typed is kept");
}

#[actix_web::test]
async fn polling_does_not_prolong_an_idle_session() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    world.minutes_pass(11 * 60);
    browser.open("/console?poll=1").await;
    world.minutes_pass(59);
    browser.open("/console?poll=1").await;
    world.minutes_pass(1);
    browser.get("/console").await.is(303);
}

#[actix_web::test]
async fn remote_plain_http_is_refused_unless_permitted() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.host = "desk.example:8081";
    let refused = browser.get("/console/sign-in").await;
    refused.is(403).shows("operator.plain_http");
    let rule = TransportRule {
        plain_http: true,
        ..TransportRule::default()
    };
    let world = World::with(rule).await;
    let mut browser = Browser::new(&world);
    browser.host = "desk.example:8081";
    browser.open("/console/sign-in").await;
}

#[actix_web::test]
async fn over_tls_the_cookie_is_bound_to_its_host() {
    let rule = TransportRule {
        tls_host: Some("desk.example".to_owned()),
        ..TransportRule::default()
    };
    let world = World::with(rule).await;
    let link = world.link("ana").await;
    let mut browser = Browser::new(&world);
    browser.host = "desk.example";
    let fields = [("link", link.as_str())];
    let opened = browser.post("/console/sign-in", &fields).await;
    let cookie = opened.header("set-cookie");
    assert!(cookie.starts_with("__Host-pressline-session="), "{cookie}");
    assert!(cookie.contains("; Secure;"), "{cookie}");
    browser.open("/console").await;
}
