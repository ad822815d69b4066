//! The overview of the day.

use crate::world::World;

#[actix_web::test]
async fn today_shows_ready_items_by_product_with_links() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open("/console").await;
    page.shows("/console/queue?statuses=ready&#38;sku=MUG")
        .shows("Waiting at each step")
        .shows("Show numbers")
        .shows("2 orders without a price");
    let filtered = browser.open("/console/queue?statuses=ready&sku=MUG").await;
    filtered.shows("SUN-1-1").shows("SUN-2-1");
    let page = browser.open("/console?test=on").await;
    page.shows("Test orders are included.")
        .shows("/console/queue?statuses=ready&#38;test=on&#38;sku=MUG")
        .hides("Make batch");
}

#[actix_web::test]
async fn today_lists_orders_that_need_a_decision() {
    let world = World::with_orders(&[&["MUG"]]).await;
    world.minutes_pass(4 * 24 * 60);
    let mut browser = world.signed_in("otto").await;
    let page = browser.open("/console").await;
    page.shows("1 order with late items");
}

#[actix_web::test]
async fn today_names_stores_with_demo_orders() {
    let world = World::new().await;
    let mut browser = world.signed_in("bert").await;
    let page = browser.open("/console").await;
    page.shows("The orders of <bdi>SUN Prints</bdi> are made up")
        .shows("demo.orders = false");
}
