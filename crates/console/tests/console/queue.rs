//! The queue, and its commands for many items.

use crate::order::Shop;
use crate::world::World;

const QUEUE: &str = "/console/queue";

#[actix_web::test]
async fn the_queue_lists_items_and_groups_them_by_product() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open(QUEUE).await;
    page.shows("SUN-1-1")
        .shows("SUN-2-1")
        .shows("Items on this page: 3")
        .shows("<th scope=\"col\">Batch</th>")
        .shows("<td data-label=\"Step\">print</td>")
        .shows("22 Nov 2026")
        .hides("type=\"submit\" name=\"command\"");
    browser
        .filters(
            QUEUE,
            &[
                ("sku=TEE", "SUN-1-2", "SUN-2-1"),
                ("group=sku", "/console/queue?sku=MUG", "SUN-1-1"),
                ("statuses=on-hold", "No item fits these filters", "SUN-1-1"),
            ],
        )
        .await;
    browser.get("/console/queue?countries=XX").await.is(400);
    let file = browser.open("/console/queue/export.csv?sku=TEE").await;
    file.shows("SUN-1-2,ready").hides("SUN-2-1");
}

#[actix_web::test]
async fn selected_items_are_started_and_refusals_are_counted() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let first = shop.order("shop-1", &["MUG", "TEE"]).await;
    let second = shop.order("shop-2", &["MUG"]).await;
    let item = |number: &str, id: String| format!("{number}/{id}");
    let ids = [
        item("SUN-1", first.content.items[0].id.to_string()),
        item("SUN-1", first.content.items[1].id.to_string()),
        item("SUN-2", second.content.items[0].id.to_string()),
    ];
    let mut browser = world.signed_in_at("otto", QUEUE).await;
    let none = browser.post(QUEUE, &[("command", "start")]).await;
    none.is(400).shows("select at least one item");
    // A command that needs a reason shows a form first, which keeps the selected items.
    let hold = [("command", "hold"), ("item", ids[0].as_str())];
    let asked = browser.post(QUEUE, &hold).await;
    asked
        .is(200)
        .shows("Hold: 1 item of 1 order.")
        .shows(&ids[0]);
    let confirmed = [("confirmed", "1"), ("reason", "wrong blank")];
    let confirmed: Vec<_> = hold.into_iter().chain(confirmed).collect();
    browser
        .submit(QUEUE, &confirmed, QUEUE)
        .await
        .shows("1 item put on hold.");
    // The other items of the order are started nevertheless.
    let mut start = vec![("command", "start"), ("return", "/console/queue?sku=MUG")];
    start.extend(ids.iter().map(|id| ("item", id.as_str())));
    browser
        .post(QUEUE, &start)
        .await
        .leads_to("/console/queue?sku=MUG");
    let page = browser.get(QUEUE).await;
    page.shows("2 items started. 1 refused: 1 on-hold.")
        .shows("role=\"alert\"");
}

#[actix_web::test]
async fn commands_for_all_matches_are_confirmed_with_their_number() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut browser = world.signed_in_at("otto", QUEUE).await;
    let all = [("command", "start"), ("scope", "all")];
    let asked = browser.post("/console/queue?sku=MUG", &all).await;
    asked
        .is(200)
        .shows("Start: 2 items of 2 orders. Items that arrive later are left out.");
    assert_eq!(asked.body.matches("name=\"item\"").count(), 2);
}
