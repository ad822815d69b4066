//! Messages that survive a redirect.

use crate::world::World;

#[actix_web::test]
async fn a_message_is_shown_once_by_the_next_page() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("ana", "/console/account").await;
    browser.post("/console/account", &[]).await.is(303);
    // A page that polls does not consume the message.
    browser.get("/console?poll=1").await.hides("Saved.");
    browser
        .get("/console")
        .await
        .shows("role=\"status\">Saved.");
    browser.get("/console").await.hides("Saved.");
}

#[actix_web::test]
async fn a_message_of_another_session_is_not_shown() {
    let world = World::new().await;
    let mut other = world.signed_in_at("ana", "/console/account").await;
    other.post("/console/account", &[]).await.is(303);
    let message = other.cookies["pressline-message"].clone();
    let mut browser = world.signed_in("ana").await;
    let name = "pressline-message".to_owned();
    browser.cookies.insert(name, message);
    browser.open("/console").await.hides("Saved.");
}

#[actix_web::test]
async fn names_of_operators_are_escaped() {
    let world = World::new().await;
    let mut browser = world.signed_in("<script>alert(1)</script>").await;
    for path in ["/console", "/console/account", "/console/system"] {
        let page = browser.open(path).await;
        page.hides("<script>alert")
            .shows("&#60;script&#62;alert(1)");
    }
}
