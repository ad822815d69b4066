//! The `Find order` field.

use crate::order::Shop;
use crate::world::World;

#[actix_web::test]
async fn a_single_match_opens_its_order() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for order_id in ["shop-1-8533", "shop-2", "shop-3"] {
        shop.order(order_id, &["MUG"]).await;
    }
    let mut browser = world.signed_in("vera").await;
    for text in ["SUN-1", "sun-1", "SUN-1-1", "shop-1-8533", "8533"] {
        let found = browser.get(&format!("/console/find?text={text}")).await;
        found.leads_to("/console/orders/SUN-1");
    }
}

#[actix_web::test]
async fn several_or_no_matches_lead_to_the_search() {
    let world = World::with_orders(&[&["MUG"], &["MUG"]]).await;
    let mut browser = world.signed_in("vera").await;
    for (text, query) in [
        ("shop", "?searchKey=shop"),
        ("a%26b+c", "?searchKey=a%26b%20c"),
    ] {
        let found = browser.get(&format!("/console/find?text={text}")).await;
        found.leads_to(&format!("/console/orders{query}"));
    }
    browser
        .get("/console/find")
        .await
        .leads_to("/console/orders");
}

#[actix_web::test]
async fn orders_of_other_stores_are_not_found() {
    let world = World::new().await;
    Shop::other(&world).order("moon-1", &["MUG"]).await;
    let mut browser = world.signed_in("bert").await;
    for text in ["MOON-1", "moon-1"] {
        let found = browser.get(&format!("/console/find?text={text}")).await;
        found.leads_to(&format!("/console/orders?searchKey={text}"));
    }
}
