//! Error pages within the console's layout.

use std::sync::atomic::Ordering;

use crate::browser::Browser;
use crate::world::World;

#[actix_web::test]
async fn an_unknown_page_is_a_404_in_the_layout() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let page = browser.get("/console/nothing").await;
    page.is(404)
        .shows("the console has no such page")
        .shows("<title>")
        .hides("Sign out");
    let mut signed_in = world.signed_in("ana").await;
    let page = signed_in.get("/console/nothing").await;
    page.is(404).shows("Sign out").shows(">Queue</a>");
    let wrong = browser
        .post_exactly("/console/find", &[], &[("sec-fetch-site", "same-origin")])
        .await;
    wrong.is(405);
    assert_eq!(wrong.header("allow"), "GET, HEAD");
}

#[actix_web::test]
async fn without_a_database_pages_say_when_to_retry() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    world.fails.store(true, Ordering::Relaxed);
    let page = browser.get("/console").await;
    page.is(503).shows("Try again in 2 s").hides("secret-host");
    page.shows(page.header("x-request-id"));
    assert_eq!(page.header("retry-after"), "2");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    world.fails.store(false, Ordering::Relaxed);
    browser.open("/console").await;
}

#[actix_web::test]
async fn a_page_size_beyond_the_limits_is_refused_in_the_layout() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.get("/console/system?size=201").await;
    page.is(400).shows("between 1 and 200").shows("Sign out");
    let page = browser.get("/console/system?cursor=x").await;
    page.is(400).shows("not one of this list");
}
