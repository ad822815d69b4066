//! Printable pages.

use pressline_backoffice::production::BatchDraft;
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::request::{MoveDraft, MoveValues, ShipmentDraft, UnitsDraft};
use pressline_domain::order::{Order, OrderScope};
use pressline_http::asset::gzip;
use uuid::Uuid;

use crate::code128::read_all;
use crate::order::{HOSTILE, Shop, draft, operator};
use crate::world::World;

async fn batch(world: &World, codes: &[&str]) {
    let items = codes.iter().map(|code| (*code).into()).collect();
    let draft = BatchDraft {
        items: Field::Value(items),
        name: "Mugs <b>".into(),
    };
    let (otto, by) = world.operator("otto");
    let made = world.production.create_batch(&otto, &draft, &by).await;
    made.unwrap();
}

async fn hold(world: &World, shop: &Shop<'_>, number: &str) {
    let draft = MoveDraft {
        values: MoveValues {
            reason: "wrong blank".into(),
            ..MoveValues::default()
        },
        ..MoveDraft::for_order("hold", number)
    };
    let scope = OrderScope::Store(&shop.store);
    let moved = world
        .orders
        .moves
        .move_orders(scope, &draft, &operator())
        .await;
    assert!(moved.unwrap().orders[0].result.is_ok());
}

/// Ships `quantity` units of the first item and returns the shipment's id.
async fn ship(world: &World, shop: &Shop<'_>, order: &Order, quantity: i64) -> String {
    let units = UnitsDraft {
        app_item_id: order.content.items[0].id.to_string().into(),
        quantity: quantity.into(),
    };
    let draft = ShipmentDraft {
        order_id: order.service_order_id.to_string().into(),
        carrier: "UPS".into(),
        tracking_number: "1Z9".into(),
        line_items: Field::Value(vec![Field::Value(units)]),
        ..ShipmentDraft::default()
    };
    let shipped = world
        .orders
        .ship
        .create_shipment(OrderScope::Store(&shop.store), &draft, &operator())
        .await;
    shipped.unwrap().shipment.id.to_string()
}

#[actix_web::test]
async fn slips_of_a_batch_are_separate_sheets_with_readable_barcodes() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("shop-1", &["MUG", "TEE"]).await;
    shop.order("shop-2", &["MUG"]).await;
    shop.order("shop-3", &["MUG"]).await;
    batch(&world, &["SUN-1-1", "SUN-2-1", "SUN-3-1"]).await;
    hold(&world, &shop, "SUN-3").await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open("/console/print/slips?batch=BATCH-1").await;
    page.shows("SUN Prints")
        .shows("<bdi class=\"preserved\">Thank you!\n&#60;b&#62;Come back</bdi>")
        .shows("Zoë O&#39;Brien\n1 Main St\n62701 Springfield Illinois")
        .hides("Unit cost")
        .hides("Bill to")
        .hides("style=\"");
    // SUN-3 is on hold, so it has no slip.
    assert_eq!(
        page.body
            .matches("<article class=\"slip codes a4\"")
            .count(),
        2
    );
    assert_eq!(
        read_all(&page.body),
        ["SUN-1", "SUN-1-1", "SUN-1-2", "SUN-2", "SUN-2-1"]
    );
    let other_paper = "/console/print/slips?batch=12&paper=4x6";
    browser.get(other_paper).await.is(404);
    let small = browser
        .open("/console/print/slips?batch=1&paper=4x6&prices=1")
        .await;
    small
        .shows("<article class=\"slip codes label\"")
        .shows("Unit cost")
        .shows("<dt>Total</dt>");
    let wrong = browser.get("/console/print/slips?paper=a9").await;
    wrong.is(400).shows("paper: not one of a4, letter, 4x6");
}

#[actix_web::test]
async fn the_slip_of_a_partial_shipment_lists_remaining_units() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG"]).await;
    let parcel = ship(&world, &shop, &order, 1).await;
    let mut browser = world.signed_in("vera").await;
    let path = format!("/console/print/slips?order=SUN-1&shipment={parcel}");
    browser
        .open(&path)
        .await
        .shows("1 unit in this parcel. The units that come later")
        .shows("data-label=\"Comes later\" class=\"number\">1<");
    let rest = browser.get("/console/print/slips?order=SUN-1").await;
    rest.shows("data-label=\"In other parcels\" class=\"number\">1<")
        .hides("Comes later");
    ship(&world, &shop, &order, 1).await;
    // Everything was shipped: the slip shows the latest parcel.
    let last = browser.open("/console/print/slips?order=SUN-1").await;
    last.shows("1 unit in this parcel.");
    for wrong in ["order=SUN-1&shipment=x", "order=SUN-9", "order=MOON-1"] {
        let page = browser.get(&format!("/console/print/slips?{wrong}")).await;
        page.is(404);
    }
}

#[actix_web::test]
async fn the_pick_list_sums_unprinted_units_by_product() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.get("/console/print/picklist").await;
    // Three items of two units each.
    page.is(200)
        .shows("6 units that wait")
        .shows("data-label=\"Units\" class=\"number\">4<")
        .shows("data-label=\"Items\" class=\"number\">2<");
    let scanned = [("scan", "SUN-1-1")];
    browser
        .post("/console/scan?step=print", &scanned)
        .await
        .is(303);
    let page = browser.get("/console/print/picklist?sku=MUG").await;
    page.shows("2 units that wait").hides("TEE");
    let page = browser.get("/console/print/picklist?order=SUN-1").await;
    page.shows("2 units that wait").hides("MUG");
    let page = browser.open("/console/print/picklist?sku=CUP").await;
    page.shows("There is nothing to fetch");
}

#[actix_web::test]
async fn a_ticket_has_the_codes_files_and_steps_of_its_items() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("shop-1", &["MUG"]).await;
    shop.order("shop-2", &["MUG"]).await;
    shop.order("shop-3", &["MUG"]).await;
    batch(&world, &["SUN-2-1", "SUN-1-1", "SUN-3-1"]).await;
    hold(&world, &shop, "SUN-3").await;
    let mut browser = world.signed_in_at("otto", "/console/account").await;
    browser.note_for_production("SUN-1", HOSTILE).await;
    let page = browser.open("/console/print/ticket?batch=batch-1").await;
    page.shows("Mugs &#60;b&#62;")
        .shows("2 items, 4 units")
        .shows("href=\"https://files.example/front.png\" rel=\"noreferrer\"")
        .shows("</span> print")
        .shows("</span> pack")
        .shows("<strong>Note:</strong>")
        .shows("22 Nov 2026")
        .hides("<script>alert");
    // Printed with each item, so that every sheet of paper shows it.
    let number = "<span class=\"code nowrap\">BATCH-1</span>";
    assert_eq!(page.body.matches(number).count(), 2);
    page.hides("</svg>late");
    // Codes in the order of the batch, without excluded items.
    assert_eq!(read_all(&page.body), ["BATCH-1", "SUN-2-1", "SUN-1-1"]);
    let page = browser.get("/console/print/ticket?order=SUN-1").await;
    assert_eq!(read_all(&page.body), ["SUN-1-1"]);
    let page = browser.open("/console/print/ticket?statuses=on-hold").await;
    page.shows("There is nothing to produce");
    // Past the ship-by time. The session has expired as well.
    world.minutes_pass(4 * 24 * 60);
    let mut browser = world.signed_in("otto").await;
    let page = browser.open("/console/print/ticket?batch=1").await;
    page.shows("</svg>late");
}

#[actix_web::test]
async fn prepared_labels_are_plain_links() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let mut draft = draft("shop-1", &["MUG"]);
    draft.shipping_address_label = "https://labels.example/1.pdf?a=1&b=2".into();
    let placed = world
        .orders
        .place
        .create_label(
            &shop.store,
            &draft,
            &Caller {
                actor: Actor::Store(pressline_domain::value::KeyId::new(Uuid::from_u128(1))),
                request_id: None,
            },
        )
        .await;
    placed.unwrap();
    shop.order("shop-2", &["MUG"]).await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open("/console/print/labels").await;
    page.shows("href=\"https://labels.example/1.pdf?a=1&#38;b=2\" rel=\"noreferrer\"")
        .hides("<img");
    assert_eq!(read_all(&page.body), ["SUN-1"]);
    let page = browser.get("/console/print/labels?order=SUN-2").await;
    page.shows("None of these orders has a label");
}

#[actix_web::test]
async fn printable_pages_are_linked_from_orders_and_batches() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.get("/console/orders/SUN-1").await;
    page.shows("href=\"/console/print/slips?order=SUN-1\"")
        .shows("href=\"/console/print/ticket?order=SUN-1\"");
    let page = browser.get("/console/orders").await;
    page.shows("href=\"/console/print/slips?order=SUN-1\"");
    let page = browser.get("/console/queue?sku=MUG").await;
    page.shows("href=\"/console/print/picklist?sku=MUG\"")
        .shows("href=\"/console/print/labels?sku=MUG\"");
}

#[actix_web::test]
async fn orders_of_other_stores_are_never_printed() {
    let world = World::new().await;
    Shop::other(&world).order("shop-1", &["MUG"]).await;
    batch(&world, &["MOON-1-1"]).await;
    let mut browser = world.signed_in("bert").await;
    for page in ["slips", "ticket", "picklist", "labels"] {
        let path = format!("/console/print/{page}");
        browser.open(&path).await.hides("MOON-1");
        browser.get(&format!("{path}?order=MOON-1")).await.is(404);
        browser.get(&format!("{path}?batch=1")).await.is(404);
    }
}

#[actix_web::test]
async fn a_page_prints_a_bounded_number_of_orders() {
    let world = World::new().await;
    let mut browser = world.signed_in("vera").await;
    let many: Vec<String> = (1..=501)
        .map(|number| format!("order=SUN-{number}"))
        .collect();
    let page = browser
        .get(&format!("/console/print/slips?{}", many.join("&")))
        .await;
    page.is(400).shows("at most 500 orders");
}

#[actix_web::test]
async fn the_largest_pages_are_small() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for number in 0..100 {
        let order_id = format!("shop-{number}");
        shop.order(&order_id, &["MUG", "TEE", "CAP", "BAG", "CUP"])
            .await;
    }
    let mut browser = world.signed_in("vera").await;
    for page in ["slips", "ticket"] {
        let page = browser.open(&format!("/console/print/{page}")).await;
        assert!(read_all(&page.body).len() >= 500);
        let weight = gzip(page.body.as_bytes()).len();
        assert!(weight <= 60 * 1024, "{weight} bytes");
    }
}
