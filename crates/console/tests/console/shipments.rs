//! The shipment list.

use pressline_domain::order::request::ShipmentDraft;

use crate::order::{HOSTILE, Shop, operator};
use crate::world::World;

const SHIPMENTS: &str = "/console/shipments";

async fn ship(world: &World, shop: &Shop<'_>, order: &str, carrier: &str, number: &str) {
    let draft = ShipmentDraft {
        order_id: order.into(),
        carrier: carrier.into(),
        tracking_number: number.into(),
        ..ShipmentDraft::default()
    };
    let (orders, by) = (&world.orders, operator());
    let shipped = orders.ship.create_shipment(&shop.store, &draft, &by).await;
    shipped.unwrap();
}

#[actix_web::test]
async fn parcels_of_all_stores_are_listed_by_their_orders_and_filtered() {
    let world = World::new().await;
    let (sun, moon) = (Shop::new(&world), Shop::other(&world));
    sun.order("a", &["MUG"]).await;
    moon.order("b", &["MUG"]).await;
    sun.order("c", &["MUG"]).await;
    ship(&world, &sun, "SUN-1", "UPS", "1Z-1").await;
    ship(&world, &moon, "MOON-1", "DHL", "JJ-2").await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open(SHIPMENTS).await;
    page.shows("Parcels on this page: 2");
    page.shows("/console/orders/SUN-1")
        .shows("1Z-1")
        .shows("JJ-2");
    let newest_first = page.body.find("MOON-1") < page.body.find("SUN-1");
    assert!(newest_first, "{}", page.body);
    page.hides("Import parcels").hides("SUN-2");
    let (ups, dhl) = ("1Z-1</bdi>", "JJ-2</bdi>");
    let (day, statuses) = (
        "fromTime=2026-11-21&toTime=2026-11-21&carrier=UPS",
        "statuses=shipped&statuses=void&carrier=UPS",
    );
    browser
        .filters(
            SHIPMENTS,
            &[
                ("carrier=dhl", dhl, ups),
                ("trackingNumber=1Z-1", ups, dhl),
                (day, ups, dhl),
                (statuses, ups, dhl),
                ("statuses=delivered", "No parcel fits these filters", ups),
                ("toTime=2026-11-20", "No parcel fits these filters", ups),
                ("trackingNumber=x", "No parcel fits these filters", ups),
            ],
        )
        .await;
    for wrong in ["statuses=lost", "toTime=x", "cursor=x", "size=0"] {
        browser.get(&format!("{SHIPMENTS}?{wrong}")).await.is(400);
    }
    let file = browser
        .open("/console/shipments/export.csv?carrier=UPS")
        .await;
    file.shows("SUN-1,UPS,1Z-1,,shipped,2,2026-11-21T")
        .hides("DHL");
}

#[actix_web::test]
async fn parcels_of_other_stores_are_not_found() {
    let world = World::new().await;
    let moon = Shop::other(&world);
    moon.order("b", &["MUG"]).await;
    ship(&world, &moon, "MOON-1", "DHL", "JJ-2").await;
    let mut browser = world.signed_in("bert").await;
    for path in [
        SHIPMENTS,
        "/console/shipments?trackingNumber=JJ-2",
        "/console/shipments/export.csv",
    ] {
        browser.open(path).await.hides("MOON-1");
    }
}

#[actix_web::test]
async fn pages_of_parcels_lead_to_older_orders() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for number in 1..=5 {
        shop.order(&format!("o-{number}"), &["MUG"]).await;
        ship(
            &world,
            &shop,
            &format!("SUN-{number}"),
            "UPS",
            &format!("1Z-{number}"),
        )
        .await;
    }
    let mut browser = world.signed_in("vera").await;
    let mut path = format!("{SHIPMENTS}?size=2");
    for numbers in [&["1Z-5", "1Z-4"][..], &["1Z-3", "1Z-2"], &["1Z-1"]] {
        let page = browser.open(&path).await;
        for number in numbers {
            page.shows(&format!("{number}</bdi>"));
        }
        assert_eq!(page.body.matches("data-row").count(), numbers.len());
        path = match page.body.split_once("rel=\"next\"") {
            Some((before, _)) => {
                let (_, link) = before.rsplit_once("href=\"").unwrap();
                link.split('"').next().unwrap().replace("&#38;", "&")
            }
            None => String::new(),
        };
    }
    assert_eq!(path, "");
}

#[actix_web::test]
async fn texts_of_parcels_have_no_effect() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("a", &["MUG"]).await;
    ship(&world, &shop, "SUN-1", HOSTILE, HOSTILE).await;
    let mut browser = world.signed_in("otto").await;
    for path in [SHIPMENTS, "/console/shipments?carrier=%22%3E%3Cscript%3E"] {
        browser.open(path).await.hides("<script>").hides("<img");
    }
}
