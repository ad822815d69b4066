//! Forms of the order page.

use crate::browser::hidden;
use crate::order::Shop;
use crate::world::World;

const ORDER: &str = "/console/orders/SUN-1";
const MOVE: &str = "/console/orders/SUN-1/move";

#[actix_web::test]
async fn items_are_put_on_hold_and_released() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG", "TEE"]).await;
    let second = order.content.items[1].id.to_string();
    let mut browser = world.signed_in("otto").await;
    let form = browser
        .open("/console/orders/SUN-1/move?command=hold")
        .await;
    form.shows("SUN-1-2").shows("Reason");
    let without_reason = [("command", "hold"), ("version", "1"), ("item", &second)];
    let refused = browser.post(MOVE, &without_reason).await;
    refused.is(400).shows("field-reason-error-1");
    let without_items = [("command", "hold"), ("version", "1"), ("reason", "x")];
    browser
        .post(MOVE, &without_items)
        .await
        .is(400)
        .shows("select at least one item");
    let right = [
        ("command", "hold"),
        ("version", "1"),
        ("item", &second),
        ("reason", "wrong blank"),
        ("until", "2026-11-22T09:00"),
    ];
    let page = browser.submit(MOVE, &right, ORDER).await;
    page.shows("On hold.")
        .shows("held by the operator, until 22 Nov 2026, 09:00")
        .shows("wrong blank")
        .shows("otto");
    let release = [("command", "release"), ("version", "2"), ("scope", "all")];
    let page = browser.submit(MOVE, &release, ORDER).await;
    page.shows("Released.").hides("held by the");
}

#[actix_web::test]
async fn a_form_about_an_outdated_order_shows_what_changed_and_can_be_applied() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut other = world.signed_in_at("ana", "/console/account").await;
    let start = [("command", "start"), ("version", "1"), ("scope", "all")];
    other.post(MOVE, &start).await.is(303);
    let mut browser = world.signed_in_at("otto", "/console/account").await;
    let path = "/console/orders/SUN-1/fee-lines";
    let fields = [("type", "other"), ("amount", "4.50"), ("reason", "rush")];
    let mut old = fields.to_vec();
    old.push(("version", "1"));
    let conflict = browser.post(path, &old).await;
    conflict
        .is(412)
        .shows("Changed meanwhile")
        .shows("SUN-1-1: ready → in-production")
        .shows("ana")
        .shows("value=\"4.50\"")
        .shows("Apply to current");
    assert_eq!(hidden(&conflict.body, "version").unwrap(), "2");
    let mut new = fields.to_vec();
    new.push(("version", "2"));
    let page = browser.submit(path, &new, ORDER).await;
    page.shows("rush")
        .shows("4.50 USD")
        .shows("added by an operator");
}

#[actix_web::test]
async fn wrong_values_of_an_item_are_shown_beside_its_field() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG"]).await;
    let id = order.content.items[0].id.to_string();
    let mut browser = world.signed_in_at("otto", "/console/account").await;
    let names = ["sku", "was.sku", "quantity", "was.quantity"].map(|name| format!("{name}.{id}"));
    let change = [
        ("version", "1"),
        (names[0].as_str(), "MUG"),
        (names[1].as_str(), "MUG"),
        (names[2].as_str(), "many"),
        (names[3].as_str(), "2"),
        ("reason", "x"),
    ];
    let refused = browser.post("/console/orders/SUN-1/update", &change).await;
    refused
        .is(400)
        .shows(&format!("field-quantity-{id}-error-1"))
        .shows("value=\"many\"");
}

#[actix_web::test]
async fn a_request_of_the_store_is_shown_and_decided() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG"]).await;
    shop.ask_to_cancel(&order).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.get(ORDER).await;
    page.shows("The store asks for a change")
        .shows("changed their mind");
    let form = browser
        .open("/console/orders/SUN-1/decide?decision=refuse")
        .await;
    let change = hidden(&form.body, "changeId").unwrap();
    let version = hidden(&form.body, "version").unwrap();
    let refuse = [
        ("decision", "refuse"),
        ("changeId", &change),
        ("version", &version),
        ("reason", "printed"),
    ];
    let path = "/console/orders/SUN-1/decide";
    let page = browser.submit(path, &refuse, ORDER).await;
    page.shows("Refused.").hides("The store asks for a change");
}

#[actix_web::test]
async fn parcels_are_added_delivered_and_voided() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG", "TEE"]).await;
    let id = order.content.items[0].id.to_string();
    let units = format!("quantity.{id}");
    let mut browser = world.signed_in("otto").await;
    let form = browser.open("/console/orders/SUN-1/shipments").await;
    form.shows("value=\"2\"");
    let path = "/console/orders/SUN-1/shipments";
    let too_many = [("version", "1"), (units.as_str(), "3"), ("carrier", "UPS")];
    let refused = browser.post(path, &too_many).await;
    refused
        .is(400)
        .shows(&format!("field-quantity-{id}-error-1"));
    let parcel = [
        ("version", "1"),
        (units.as_str(), "2"),
        ("carrier", "UPS"),
        ("trackingNumber", "1Z999"),
    ];
    let page = browser.submit(path, &parcel, ORDER).await;
    page.shows("1Z999")
        .shows("Mark delivered")
        .shows("2 x SUN-1-1");
    let (_, rest) = page.body.split_once("shipments/void?shipmentId=").unwrap();
    let shipment = rest.split('"').next().unwrap().to_owned();
    let void = [
        ("version", "2"),
        ("shipmentId", &shipment),
        ("reason", "mistake"),
    ];
    browser
        .submit("/console/orders/SUN-1/shipments/void", &void, ORDER)
        .await
        .shows("</svg>void</span>");
}

#[actix_web::test]
async fn items_are_replaced_by_a_new_order() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG"]).await;
    let units = format!("quantity.{}", order.content.items[0].id);
    let mut browser = world
        .signed_in_at("otto", "/console/orders/SUN-1/replace")
        .await;
    let fields = [
        ("version", "1"),
        (units.as_str(), "1"),
        ("reason", "smeared"),
    ];
    browser
        .submit(
            "/console/orders/SUN-1/replace",
            &fields,
            "/console/orders/SUN-2",
        )
        .await
        .shows("Replaces <a href=\"/console/orders/SUN-1\">");
}

#[actix_web::test]
async fn a_note_that_is_sent_twice_is_added_once() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.get(ORDER).await;
    let once = hidden(&page.body, "once").unwrap();
    let note = [("text", "fold it well"), ("once", once.as_str())];
    for _ in 0..2 {
        let added = browser.post("/console/orders/SUN-1/notes", &note).await;
        added.leads_to(ORDER);
    }
    let page = browser.get(ORDER).await;
    assert_eq!(page.body.matches("fold it well").count(), 1);
}
