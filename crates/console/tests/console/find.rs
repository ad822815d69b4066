//! The `Find order` field.

use crate::shop::place;
use crate::world::World;

#[actix_web::test]
async fn a_single_match_opens_its_order() {
    let world = World::new().await;
    let first = place(&world.orders, "SUN", "shop-1-8533").await;
    for order_id in ["shop-2", "shop-3"] {
        place(&world.orders, "SUN", order_id).await;
    }
    let mut browser = world.signed_in("vera").await;
    let order = format!("/console/orders/{first}");
    let (lower, item) = (first.to_lowercase(), format!("{first}-1"));
    for text in [first.as_str(), &lower, &item, "shop-1-8533", "8533"] {
        let found = browser.get(&format!("/console/find?text={text}")).await;
        found.leads_to(&order);
    }
}

#[actix_web::test]
async fn several_or_no_matches_lead_to_the_search() {
    let world = World::new().await;
    for order_id in ["shop-1", "shop-2"] {
        place(&world.orders, "SUN", order_id).await;
    }
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
    let foreign = place(&world.orders, "MOON", "moon-1").await;
    let mut browser = world.signed_in("bert").await;
    for text in [foreign.as_str(), "moon-1"] {
        let found = browser.get(&format!("/console/find?text={text}")).await;
        found.leads_to(&format!("/console/orders?searchKey={text}"));
    }
}
