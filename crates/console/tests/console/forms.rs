//! Forms from other sites, without a token, of another session, and after the end of their session.

use crate::browser::{Browser, hidden};
use crate::world::{PASSWORD, World};

const ACCOUNT: &str = "/console/account";

#[actix_web::test]
async fn a_form_from_another_origin_is_refused() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", ACCOUNT).await;
    let token = browser.token.clone();
    let fields = [("token", token.as_str()), ("theme", "dark")];
    let refused: [&[(&'static str, &str)]; 6] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
    ];
    for headers in refused {
        let response = browser.post_exactly(ACCOUNT, &fields, headers).await;
        response
            .is(403)
            .shows("does not come from a page of this console");
    }
    let own = [("origin", "http://localhost:8081")];
    browser
        .post_exactly(ACCOUNT, &fields, &own)
        .await
        .leads_to(ACCOUNT);
}

#[actix_web::test]
async fn a_form_without_a_token_is_refused() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let same = [("sec-fetch-site", "same-origin")];
    for token in ["", "x", "AAAA.0197f3c2-0000-7000-8000-000000000001"] {
        let fields = [("token", token), ("theme", "dark")];
        let response = browser.post_exactly(ACCOUNT, &fields, &same).await;
        response.is(403).shows("no token of this session");
    }
    browser.get(ACCOUNT).await.shows("data-theme=\"auto\"");
}

#[actix_web::test]
async fn a_form_of_another_operators_session_is_refused() {
    let world = World::new().await;
    let other = world.signed_in_at("otto", ACCOUNT).await;
    let mut browser = world.signed_in("ana").await;
    browser.token = other.token;
    let response = browser.post(ACCOUNT, &[("theme", "dark")]).await;
    response
        .is(403)
        .shows("belongs to another session")
        .hides("Send again");
}

#[actix_web::test]
async fn a_form_of_an_older_session_of_the_operator_can_be_sent_again() {
    let world = World::new().await;
    let older = world.signed_in_at("ana", ACCOUNT).await;
    let mut browser = world.signed_in("ana").await;
    browser.token = older.token;
    let page = browser.post(ACCOUNT, &[("theme", "dark")]).await;
    page.is(403).shows("Send again").shows("dark");
    // The error page contains a token of the current session.
    let sent = browser.post(ACCOUNT, &[("theme", "dark")]).await;
    sent.leads_to(ACCOUNT);
}

#[actix_web::test]
async fn tokens_of_pages_differ_and_are_all_accepted() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", ACCOUNT).await;
    let first = browser.token.clone();
    browser.open(ACCOUNT).await;
    assert_ne!(browser.token, first);
    browser.token = first;
    browser
        .post(ACCOUNT, &[("theme", "dark")])
        .await
        .leads_to(ACCOUNT);
}

#[actix_web::test]
async fn form_input_is_sent_again_after_signing_in() {
    let world = World::new().await;
    let mut browser = world.with_password("ana").await;
    browser.open(ACCOUNT).await;
    world.minutes_pass(13 * 60);
    let typed = [
        ("theme", "dark"),
        ("timeZone", "Europe/Berlin"),
        ("keys", "on"),
    ];
    let ended = browser.post(ACCOUNT, &typed).await;
    ended.is(401).shows("What you typed is kept");
    assert_eq!(ended.header("www-authenticate"), "Cookie");
    let signed_in = sign_in(&mut browser, &ended.body, "ana").await;
    signed_in.is(200).shows("Send again").shows("Europe/Berlin");
    signed_in.shows("action=\"/console/account\"");
    browser
        .submit(ACCOUNT, &typed, ACCOUNT)
        .await
        .shows("data-theme=\"dark\"");
}

#[actix_web::test]
async fn form_input_survives_signing_in_by_link() {
    let world = World::new().await;
    for is_pasted in [false, true] {
        let mut browser = world.signed_in_at("ana", ACCOUNT).await;
        world.minutes_pass(13 * 60);
        let typed = [("theme", "dark"), ("timeZone", "Europe/Berlin")];
        let ended = browser.post(ACCOUNT, &typed).await;
        ended.is(401).shows("Sign in by link");
        let secret = world.link("ana").await;
        let address = format!("http://localhost:8081/console/sign-in?link={secret}");
        let carried = carried(&ended.body);
        let mut fields = pairs(&carried);
        match is_pasted {
            // Without cookies, the form's values come from hidden fields, as for a form too large
            // for a cookie.
            true => browser.cookies.clear(),
            false => fields.clear(),
        }
        fields.push(("link", if is_pasted { &address } else { &secret }));
        let signed_in = browser.post("/console/sign-in", &fields).await;
        signed_in.is(200).shows("Send again").shows("Europe/Berlin");
        assert_eq!(browser.cookies.len(), 1, "{:?}", browser.cookies);
        // The restored form is shown only after the first sign-in.
        let link = world.link("ana").await;
        let later = browser.post("/console/sign-in", &[("link", &link)]).await;
        later.leads_to("/console");
    }
}

#[actix_web::test]
async fn form_input_is_not_shown_to_another_operator() {
    let world = World::new().await;
    world.with_password("otto").await;
    let mut browser = world.with_password("ana").await;
    browser.open(ACCOUNT).await;
    world.minutes_pass(13 * 60);
    let ended = browser
        .post(ACCOUNT, &[("timeZone", "Europe/Berlin")])
        .await;
    let signed_in = sign_in(&mut browser, &ended.body, "otto").await;
    signed_in.leads_to("/console").hides("Europe/Berlin");
    let home = browser.open("/console").await;
    home.shows("Another operator had filled in the form");
}

#[actix_web::test]
async fn secrets_are_not_carried_over_a_sign_in() {
    let world = World::new().await;
    let mut browser = world.with_password("ana").await;
    browser.open(ACCOUNT).await;
    world.minutes_pass(13 * 60);
    let fields = [("current", "my-old-secret"), ("new", "my-new-secret")];
    let ended = browser.post("/console/account/password", &fields).await;
    ended.is(401).hides("my-old-secret").hides("my-new-secret");
}

#[actix_web::test]
async fn the_form_survives_the_password_prompt() {
    let world = World::new().await;
    let mut browser = world.with_password("ana").await;
    let mut other = world.signed_in_at("ana", ACCOUNT).await;
    let page = browser.get(ACCOUNT).await;
    let session = hidden(&page.body, "session").unwrap();
    world.minutes_pass(11);
    let revoke = "/console/account/sessions/revoke";
    let asked = browser.post(revoke, &[("session", &session)]).await;
    asked.is(403).shows("Confirm that it is you");
    let carried: Vec<(String, String)> = carried(&asked.body);
    let mut wrong: Vec<(&str, &str)> = pairs(&carried);
    wrong.push(("password", "wrong"));
    let refused = browser.post("/console/confirm", &wrong).await;
    refused.is(400).shows("not right");
    let mut right: Vec<(&str, &str)> = pairs(&carried);
    right.push(("password", PASSWORD));
    let confirmed = browser.post("/console/confirm", &right).await;
    confirmed.is(200).shows("Send again").shows(&session);
    let done = browser.post(revoke, &[("session", &session)]).await;
    done.leads_to(ACCOUNT);
    other.get(ACCOUNT).await.is(303);
}

#[actix_web::test]
async fn a_form_that_is_sent_twice_gives_its_first_result() {
    let world = World::new().await;
    world.signed_in("ana").await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.get(ACCOUNT).await;
    let session = hidden(&page.body, "session").unwrap();
    let once = "0197f3c2-0000-7000-8000-0000000000aa";
    let fields = [("session", session.as_str()), ("once", once)];
    let revoke = "/console/account/sessions/revoke";
    for _ in 0..2 {
        browser
            .submit(revoke, &fields, ACCOUNT)
            .await
            .shows("The session has ended.");
    }
    // Without `once` it is a new request, and the session has already ended.
    let missing = browser.post(revoke, &fields[..1]).await;
    missing.is(404);
}

#[actix_web::test]
async fn a_form_that_was_refused_can_be_sent_again() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", ACCOUNT).await;
    let path = "/console/account/password";
    let once = ("once", "0197f3c2-0000-7000-8000-0000000000ab");
    browser.post(path, &[("new", "short"), once]).await.is(400);
    let right = [("new", PASSWORD), once];
    browser.post(path, &right).await.leads_to(ACCOUNT);
    let wrong = [("new", PASSWORD), ("once", "x")];
    browser.post(path, &wrong).await.is(400).shows("once");
}

#[actix_web::test]
async fn only_form_bodies_are_accepted() {
    let world = World::new().await;
    world.signed_in_at("ana", ACCOUNT).await;
    let request = actix_web::test::TestRequest::post()
        .uri(ACCOUNT)
        .insert_header(("host", "localhost"))
        .insert_header(("sec-fetch-site", "same-origin"))
        .insert_header(("content-type", "application/json"))
        .set_payload("{}");
    world.send(request).await.is(415);
}

/// Signs in with the form of `page`, including the unsent form that it carries.
async fn sign_in(browser: &mut Browser<'_>, page: &str, name: &str) -> crate::world::Response {
    let carried = carried(page);
    let mut fields = pairs(&carried);
    fields.extend([("name", name), ("password", PASSWORD)]);
    browser.post("/console/sign-in", &fields).await
}

/// Hidden fields of the sign-in page that carry an unsent form.
fn carried(page: &str) -> Vec<(String, String)> {
    ["carriedAction", "carriedOperator", "carried"]
        .map(|name| (name.to_owned(), hidden(page, name).unwrap()))
        .into()
}

fn pairs(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    let pairs = fields.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}
