//! The audit.

use crate::world::World;

const SYSTEM: &str = "/console/system";

#[actix_web::test]
async fn the_audit_is_listed_by_pages() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    // Each link is an entry; so is the sign-in.
    for _ in 0..4 {
        world.link("otto").await;
    }
    let first = browser.get(&format!("{SYSTEM}?size=3")).await;
    first.is(200).shows("Next page").hides("Previous page");
    assert_eq!(first.body.matches("link-created").count(), 3);
    let (_, rest) = first.body.split_once("<a href=\"/console/system?").unwrap();
    let query = rest.split('"').next().unwrap().replace("&#38;", "&");
    let second = browser.get(&format!("{SYSTEM}?{query}")).await;
    second.is(200).shows("Previous page").hides("Next page");
    second.shows("signed-in").shows("command line");
}

#[actix_web::test]
async fn the_audit_is_exported_as_a_file() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let file = browser.get(&format!("{SYSTEM}/audit.csv")).await;
    file.is(200).shows("at,author,action,subject,requestId\n");
    assert_eq!(
        file.header("content-disposition"),
        "attachment; filename=\"audit.csv\""
    );
}

#[actix_web::test]
async fn an_admin_of_some_stores_does_not_see_the_audit_of_all() {
    let world = World::new().await;
    let mut browser = world.signed_in("bert").await;
    for path in [SYSTEM, "/console/system/audit.csv"] {
        browser.get(path).await.is(403).hides("signed-in");
    }
}
