//! The scanning station.

use crate::browser::{Browser, hidden};
use crate::order::{HOSTILE, Shop};
use crate::world::{Response, World};

const PRINT: &str = "/console/scan?step=print";
const CHECK: &str = "/console/scan?step=check";
const PACK: &str = "/console/scan?step=pack";

/// Sends a station's form and follows the redirect. Returns the page and its URL.
async fn sent(
    browser: &mut Browser<'_>,
    station: &str,
    fields: &[(&str, &str)],
) -> (Response, String) {
    let reply = browser.post(station, fields).await;
    reply.is(303);
    let address = reply.header("location").to_owned();
    let page = browser.open(&address).await;
    page.shows("autofocus");
    (page, address)
}

async fn scan(browser: &mut Browser<'_>, station: &str, code: &str) -> (Response, String) {
    sent(browser, station, &[("scan", code)]).await
}

/// Records all units of `codes` at the steps before `pack`.
async fn ready_to_pack(browser: &mut Browser<'_>, codes: &[&str]) {
    for step in [PRINT, CHECK] {
        for code in codes {
            let (page, _) = scan(browser, step, code).await;
            page.shows("data-tone=\"done\"");
        }
    }
}

fn value(page: &str, name: &str) -> String {
    let (_, rest) = page
        .split_once(&format!("name=\"{name}\" type=\"text\" value=\""))
        .unwrap();
    rest.split('"').next().unwrap().to_owned()
}

async fn station<'w>(world: &'w World, name: &str) -> Browser<'w> {
    world.signed_in_at(name, PRINT).await
}

#[actix_web::test]
async fn a_station_is_chosen_by_its_step() {
    let world = World::new().await;
    let mut browser = world.signed_in("otto").await;
    for address in ["/console/scan", "/console/scan?step=bake"] {
        let page = browser.open(address).await;
        page.shows("href=\"/console/scan?step=print\"")
            .shows("href=\"/console/scan?step=pack\"")
            .hides("Scan code");
    }
    let page = browser.open(PACK).await;
    page.shows("Scan at pack").shows("name=\"scan\"");
}

#[actix_web::test]
async fn a_scan_records_all_waiting_units_and_a_repeated_scan_none() {
    let world = World::with_orders(&[&["MUG", "TEE"]]).await;
    let mut browser = station(&world, "otto").await;
    // Input of a scanner whose keyboard layout is German: `ß` for `-`.
    let (page, address) = scan(&mut browser, PRINT, "sunß1ß1").await;
    assert_eq!(address, format!("{PRINT}&order=SUN-1&item=SUN-1-1"));
    page.shows("SUN-1-1: 2 of 2 units done at print.")
        .shows("data-tone=\"done\"")
        .shows("2 units missing")
        .shows("2 at check")
        .shows("2 at print")
        .shows("in-production");
    let (page, _) = scan(&mut browser, &address, "SUN-1-1").await;
    page.shows("SUN-1-1 was recorded before: 2 of 2 units done at print.")
        .shows("data-tone=\"unchanged\"")
        .shows("<strong>Nothing new</strong>");
    let (page, _) = scan(&mut browser, &address, "SUN-1-2").await;
    page.shows("complete here");
}

#[actix_web::test]
async fn a_repeated_form_with_fewer_units_is_recorded_once() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    let page = browser.get(PRINT).await;
    let request = hidden(&page.body, "request").unwrap();
    let one = [("scan", "SUN-1-1"), ("units", "1"), ("request", &request)];
    for _ in 0..2 {
        let (page, _) = sent(&mut browser, PRINT, &one).await;
        page.shows("1 of 2 units done at print");
    }
    let (page, _) = sent(&mut browser, CHECK, &[("scan", "SUN-1-1"), ("units", "2")]).await;
    page.shows("Only 1 unit of SUN-1-1 waits at check.")
        .shows("role=\"alert\"");
    let (page, _) = sent(&mut browser, PRINT, &[("scan", "SUN-1-1"), ("units", "x")]).await;
    page.shows("Nothing was recorded: units:");
}

#[actix_web::test]
async fn refused_scans_are_shown_in_a_large_result() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    for (code, text) in [
        ("SUN-1-1", "No unit of SUN-1-1 waits at pack: print first."),
        ("SUN-1-9", "SUN-1 has no item SUN-1-9."),
        ("SUN-77-1", "There is no order SUN-77."),
        ("SUN-77", "There is no order SUN-77."),
        ("BATCH-3", "BATCH-3 is a batch. Scan its items."),
        ("4006381333931", "is not a code: expected an item such as"),
    ] {
        let (page, _) = scan(&mut browser, PACK, code).await;
        page.shows(text)
            .shows("class=\"result red\"")
            .shows("data-tone=\"stop\"")
            .shows("<strong>Stop</strong>");
    }
    let (page, _) = scan(&mut browser, PACK, "BATCH-3").await;
    page.shows("href=\"/console/print/ticket?batch=BATCH-3\"");
    let (page, _) = scan(&mut browser, PACK, HOSTILE).await;
    page.hides("<script>alert").hides("<img src=x");
    let (page, _) = scan(&mut browser, PACK, "sun-1").await;
    page.shows("SUN-1: scan its items.")
        .shows("2 units missing");
}

#[actix_web::test]
async fn an_item_of_another_order_is_recorded_only_after_a_switch() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1", "SUN-1-2", "SUN-2-1"]).await;
    let (_, address) = scan(&mut browser, PACK, "SUN-1-1").await;
    let (page, address) = scan(&mut browser, &address, "SUN-2-1").await;
    page.shows("SUN-2-1 is of another order, and 2 units are missing in SUN-1.")
        .shows("Switch to SUN-2-1")
        .shows("<a href=\"/console/orders/SUN-1\">SUN-1</a>");
    // The current order continues with its next item.
    let (page, _) = scan(&mut browser, &address, "SUN-1-2").await;
    page.shows("complete here").hides("Switch to");
    // The `Switch` button sends the scanned item to the station without an order.
    let (page, _) = scan(&mut browser, PACK, "SUN-2-1").await;
    page.shows("SUN-2-1: 2 of 2 units done at pack.");
}

#[actix_web::test]
async fn misprinted_units_go_back_to_the_first_step() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    let (_, address) = scan(&mut browser, PRINT, "SUN-1-1").await;
    let without_reason = [
        ("command", "misprint"),
        ("itemCode", "SUN-1-1"),
        ("units", "1"),
    ];
    let refused = browser.post(&address, &without_reason).await;
    refused
        .is(400)
        .shows("field-reason-error-1")
        .shows("<details class=\"action\" open>");
    let mut right = without_reason.to_vec();
    right.push(("reason", "smeared"));
    let (page, address) = sent(&mut browser, &address, &right).await;
    page.shows("SUN-1-1: misprint recorded. Now at the first step: 1 unit.")
        .shows("1 at print, 1 at check");
    let mut too_many = right.clone();
    too_many[2] = ("units", "9");
    browser.post(&address, &too_many).await.is(409);
}

#[actix_web::test]
async fn a_complete_order_is_shipped_and_its_carrier_is_offered_again() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("shop-1", &["MUG"]).await;
    shop.order("shop-2", &["MUG"]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1", "SUN-2-1"]).await;
    let (page, address) = scan(&mut browser, PACK, "SUN-1-1").await;
    page.shows("Ship: 2 units")
        .shows("href=\"/console/print/slips?order=SUN-1\"");
    assert_eq!(value(&page.body, "carrier"), "");
    let found = world.orders.read.find(&shop.store, "shop-1").await;
    let order = found.unwrap().order;
    let units = format!("quantity.{}", order.content.items[0].id);
    let version = hidden(&page.body, "version").unwrap();
    let parcel = [
        ("command", "ship"),
        ("version", version.as_str()),
        (units.as_str(), "2"),
        ("carrier", "UPS"),
        ("trackingNumber", "1Z999"),
    ];
    let (page, address) = sent(&mut browser, &address, &parcel).await;
    page.shows("SUN-1 shipped: 2 units. UPS 1Z999")
        .shows("Print slip of SUN-1")
        .shows("/console/print/slips?order=SUN-1&#38;shipment=");
    // A scan after the shipment changes nothing.
    let (page, _) = scan(&mut browser, &address, "SUN-1-1").await;
    page.shows("SUN-1-1 was recorded before");
    let (page, _) = scan(&mut browser, &address, "1Z999").await;
    page.shows("SUN-1 was sent before, with the label 1Z999.")
        .shows("data-tone=\"unchanged\"");
    for station in [address.as_str(), PACK] {
        let (page, _) = scan(&mut browser, station, "SUN-2-1").await;
        assert_eq!(value(&page.body, "carrier"), "UPS", "{station}");
    }
    // Scanning the label of a complete order into the same field ships the order.
    let (_, address) = scan(&mut browser, PACK, "SUN-2-1").await;
    let (page, _) = scan(&mut browser, &address, "1Z888").await;
    page.shows("SUN-2 shipped: 2 units. UPS 1Z888")
        .shows("Print slip of SUN-2");
}

#[actix_web::test]
async fn after_a_partial_shipment_the_next_item_is_not_a_tracking_number() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("shop-1", &["MUG", "TEE"]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1"]).await;
    let (page, address) = scan(&mut browser, PACK, "SUN-1-1").await;
    page.shows("Ship a part: 2 units");
    let found = world.orders.read.find(&shop.store, "shop-1").await;
    let order = found.unwrap().order;
    let units = format!("quantity.{}", order.content.items[0].id);
    let version = hidden(&page.body, "version").unwrap();
    let mut parcel = vec![
        ("command", "ship"),
        ("version", version.as_str()),
        (units.as_str(), "2"),
        ("carrier", "UPS"),
        ("trackingNumber", "SUN-1-2"),
    ];
    let refused = browser.post(&address, &parcel).await;
    refused
        .is(400)
        .shows("this code belongs to the print shop")
        .shows("value=\"UPS\"");
    parcel[4] = ("trackingNumber", "1Z7");
    parcel[1] = ("version", "1");
    let outdated = browser.post(&address, &parcel).await;
    outdated.is(412).shows("Apply to current");
    parcel[1] = ("version", version.as_str());
    let (page, _) = sent(&mut browser, &address, &parcel).await;
    page.shows("SUN-1 shipped: 2 units.");
    let (page, _) = scan(&mut browser, PACK, "SUN-1").await;
    page.shows("2 shipped").shows("2 units missing");
}

#[actix_web::test]
async fn the_order_is_shown_with_packing_instructions() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    browser.note_for_production("SUN-1", HOSTILE).await;
    let (page, _) = scan(&mut browser, PACK, "SUN-1").await;
    page.shows("<dt>Note</dt>")
        .shows("<dd>US</dd>")
        .shows("Standard")
        .hides("<script>alert");
}

#[actix_web::test]
async fn orders_of_other_stores_are_not_found_at_a_station() {
    let world = World::new().await;
    Shop::other(&world).order("shop-1", &["MUG"]).await;
    let mut browser = station(&world, "bert").await;
    for code in ["MOON-1-1", "MOON-1"] {
        let (page, _) = scan(&mut browser, PRINT, code).await;
        page.shows("There is no order MOON-1");
    }
    let page = browser.open("/console/scan?step=print&order=MOON-1").await;
    page.hides("MUG");
}

#[actix_web::test]
async fn a_station_can_ask_for_a_confirming_scan() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1"]).await;
    let page = browser.get(PACK).await;
    page.shows("Ship only after a confirming scan");
    browser.get(CHECK).await.hides("confirming scan");
    let (_, address) = scan(&mut browser, &format!("{PACK}&confirm=on"), "SUN-1-1").await;
    let (page, address) = scan(&mut browser, &address, "1Z999").await;
    page.shows("1Z999 is the label of SUN-1. Scan an item of SUN-1 again to send it.")
        .shows("name=\"confirm\" type=\"checkbox\" checked");
    assert_eq!(value(&page.body, "trackingNumber"), "1Z999");
    let (page, address) = scan(&mut browser, &address, "SUN-1-1").await;
    page.shows("SUN-1 shipped: 2 units. 1Z999");
    assert!(address.contains("confirm=on"), "{address}");
}

#[actix_web::test]
async fn joined_scans_are_processed_in_order_until_a_stop() {
    let world = World::with_orders(&[&["MUG"], &["MUG"]]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1", "SUN-2-1"]).await;
    let (page, _) = scan(&mut browser, PACK, "SUN-1-11Z0001SUN-2-1").await;
    page.shows("SUN-2 is complete: scan its label. 3 scans were done.");
    let (page, _) = scan(&mut browser, PACK, "SUN-2-1SUN-1-9SUN-1-1").await;
    page.shows("one by one: SUN-2-1, SUN-1-9, SUN-1-1.");
    let (page, _) = scan(&mut browser, PACK, "SUN-2-11Z0001SUN-1-1").await;
    page.shows("1Z0001 is the label of another parcel, of SUN-1.")
        .shows("Not done, scan again: SUN-1-1.");
}

#[actix_web::test]
async fn the_station_page_has_an_exit_link_and_no_navigation() {
    let world = World::new().await;
    let mut browser = station(&world, "otto").await;
    let page = browser.get(PACK).await;
    page.shows("<h1><bdi>Scan at pack</bdi></h1>")
        .shows("href=\"/console/scan\">Leave</a>")
        .hides("<nav")
        .hides("Find order")
        .hides("<footer");
}

#[actix_web::test]
async fn an_order_on_hold_is_red_at_the_station() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("shop-1", &["MUG"]).await;
    let mut browser = station(&world, "otto").await;
    ready_to_pack(&mut browser, &["SUN-1-1"]).await;
    let found = world.orders.read.find(&shop.store, "shop-1").await;
    let order = found.unwrap().order;
    let item = format!("SUN-1/{}", order.content.items[0].id);
    let hold = [
        ("command", "hold"),
        ("confirmed", "1"),
        ("reason", "wrong address"),
        ("item", &item),
    ];
    browser.post("/console/queue", &hold).await.is(303);
    for code in ["SUN-1", "SUN-1-1"] {
        let (page, _) = scan(&mut browser, PACK, code).await;
        page.shows("SUN-1 must not go out: SUN-1-1 is on-hold. Put it aside.")
            .shows("class=\"result red\"")
            .hides("complete here");
    }
}
