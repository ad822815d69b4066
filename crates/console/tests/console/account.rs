//! The operator's own account.

use crate::browser::{Browser, hidden};
use crate::world::{PASSWORD, World};

const ACCOUNT: &str = "/console/account";

#[actix_web::test]
async fn preferences_are_saved_and_used_by_every_page() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(ACCOUNT).await;
    page.shows("value=\"UTC\"").shows("21 Nov 2026, 13:05");
    let chosen = [
        ("timeZone", "europe/berlin"),
        ("paper", "4x6"),
        ("theme", "dark"),
        ("sounds", "on"),
    ];
    let page = browser.submit(ACCOUNT, &chosen, ACCOUNT).await;
    page.shows("role=\"status\">Saved.")
        .shows("data-theme=\"dark\"")
        .shows("data-keys=\"off\"")
        .shows("<option value=\"4x6\" selected>")
        .shows("Europe/Berlin")
        .shows("21 Nov 2026, 14:05");
}

#[actix_web::test]
async fn wrong_preferences_are_listed_and_kept_in_the_form() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", ACCOUNT).await;
    let chosen = [("timeZone", "Mars/<b>"), ("paper", "a5"), ("theme", "dark")];
    let page = browser.post(ACCOUNT, &chosen).await;
    page.is(400)
        .shows("href=\"#field-timeZone\"")
        .shows("aria-invalid=\"true\"")
        .shows("value=\"Mars/&#60;b&#62;\"")
        .hides("Mars/<b>");
    browser.get(ACCOUNT).await.shows("data-theme=\"auto\"");
}

#[actix_web::test]
async fn a_strong_password_is_set_and_ends_other_sessions() {
    let world = World::new().await;
    let mut other = world.signed_in("ana").await;
    let mut browser = world.signed_in("ana").await;
    browser.get(ACCOUNT).await.shows("Set password");
    let path = "/console/account/password";
    let short = browser.post(path, &[("new", "short")]).await;
    short
        .is(400)
        .shows("at least 12 characters")
        .hides("value=\"short\"");
    let weak = browser.post(path, &[("new", "password password")]).await;
    weak.is(400).shows("easy to guess");
    browser
        .post(path, &[("new", PASSWORD)])
        .await
        .leads_to(ACCOUNT);
    other.get("/console").await.is(303);
    world.minutes_pass(11);
    let page = browser.get(ACCOUNT).await;
    page.shows("Change password").shows("Current password");
    let next = "another horse battery";
    let without = browser.post(path, &[("new", next)]).await;
    without.is(400).shows("href=\"#field-current\"");
    let wrong = [("current", "wrong"), ("new", next)];
    browser.post(path, &wrong).await.is(400);
    let right = [("current", PASSWORD), ("new", next)];
    browser.post(path, &right).await.leads_to(ACCOUNT);
    let mut fresh = Browser::new(&world);
    let fields = [("name", "ana"), ("password", next)];
    fresh
        .post("/console/sign-in", &fields)
        .await
        .leads_to("/console");
}

#[actix_web::test]
async fn an_operator_ends_its_own_sessions_only() {
    let world = World::new().await;
    let mut stranger = world.signed_in("otto").await;
    let mut strangers_second = world.signed_in("otto").await;
    let page = stranger.get(ACCOUNT).await;
    let foreign = hidden(&page.body, "session").unwrap();
    let mut other = world.signed_in("ana").await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.get(ACCOUNT).await;
    page.shows("This session");
    let own = hidden(&page.body, "session").unwrap();
    let revoke = "/console/account/sessions/revoke";
    let missing = browser.post(revoke, &[("session", &foreign)]).await;
    missing.is(404).shows("you have no such session");
    strangers_second.open(ACCOUNT).await;
    browser.open(ACCOUNT).await;
    browser
        .post(revoke, &[("session", &own)])
        .await
        .leads_to(ACCOUNT);
    other.get(ACCOUNT).await.is(303);
    browser.get(ACCOUNT).await.shows("The session has ended.");
}
