//! Reports.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::statistics::Day;

use crate::order::{HOSTILE, Shop};
use crate::shop::store;
use crate::world::World;

const REPORTS: &str = "/console/reports";

/// URL of a report about `day` only; `rest` has further query parameters.
fn report(path: &str, day: Day, rest: &str) -> String {
    format!("{path}?from={day}&to={day}{rest}")
}

#[actix_web::test]
async fn reports_have_a_row_for_each_store_with_a_link_to_its_orders() {
    let world = World::new().await;
    let first = Shop::new(&world).order("shop-1", &["MUG", "TEE"]).await;
    Shop::other(&world).order("moon-1", &["MUG"]).await;
    let day = Day::new(first.content.created_at(), &ZoneName::default());
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(&report(REPORTS, day, "")).await;
    page.shows("<bdi>SUN Prints</bdi>")
        .shows("<bdi>MOON Prints</bdi>")
        .shows("Total USD")
        .shows("<td data-label=\"Total\" class=\"number\">not priced</td>")
        .hides("0.00 USD");
    let orders = format!("&by=order&stores={}", store("SUN").id);
    page.shows(&report(REPORTS, day, &orders).replace('&', "&#38;"));
    let listed = browser.open(&report(REPORTS, day, &orders)).await;
    listed
        .shows("/console/orders/SUN-1\"")
        .shows("<bdi>shop-1</bdi>")
        .hides("moon-1");
    let skus = browser.open(&report(REPORTS, day, "&by=sku")).await;
    skus.shows("<bdi>MUG</bdi>").shows("<bdi>TEE</bdi>");
    let days = browser.open(&report(REPORTS, day, "&by=day")).await;
    days.shows(&format!("<bdi>{day}</bdi>"));
}

#[actix_web::test]
async fn the_page_of_reports_opens_with_this_month() {
    let world = World::new().await;
    Shop::new(&world).order("shop-1", &["MUG"]).await;
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(REPORTS).await;
    page.shows("value=\"2026-11-01\"")
        .shows("value=\"2026-11-21\"")
        .shows("Last month")
        .shows("from=2026-10-01&#38;to=2026-10-31")
        .shows("<bdi>SUN Prints</bdi>")
        .shows("/console/reports/export.csv?from=2026-11-01&#38;to=2026-11-21")
        .hides("No order was placed");
    let empty = browser
        .open(&format!("{REPORTS}?from=2026-10-01&to=2026-10-02"))
        .await;
    empty
        .shows("No order was placed on these days.")
        .hides("Export CSV");
}

#[actix_web::test]
async fn a_report_is_exported_with_a_row_for_each_order_of_a_store() {
    let world = World::new().await;
    let placed = Shop::new(&world)
        .order(&format!("={HOSTILE}"), &["MUG"])
        .await;
    let day = Day::new(placed.content.created_at(), &ZoneName::default());
    let id = store("SUN").id;
    let rest = format!("&by=order&stores={id}");
    let mut browser = world.signed_in("ana").await;
    let page = browser.open(&report(REPORTS, day, &rest)).await;
    page.hides("<script>alert")
        .shows("/console/reports/export.csv?");
    let file = browser
        .open(&report("/console/reports/export.csv", day, &rest))
        .await;
    file.shows(
        "storeId,store,serviceOrderId,orderId,createdAt,currency,orders,units,productCost,\
         shippingFee,surchargeFee,handleFee,otherFee,otherShippingFee,totalCost,cancelledOrders,\
         cancelledUnits,unpricedOrders,lateUnits,misprintedUnits\n",
    );
    file.shows(&format!("{id},SUN Prints,SUN-1,\"'="));
    file.shows(",USD,1,2,");
    assert_eq!(
        file.header("content-disposition"),
        format!("attachment; filename=\"report-by-order-{day}-{day}.csv\"")
    );
}

#[actix_web::test]
async fn wrong_filters_are_shown_beside_their_fields() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    let page = browser
        .get(&format!("{REPORTS}?from=2026-01-01&to=2026-11-21&by=order"))
        .await;
    page.is(400)
        .shows("more than 30 days before the last day")
        .shows("send one store")
        .shows("value=\"2026-01-01\"");
}

#[actix_web::test]
async fn reports_cover_the_stores_of_the_admin() {
    let world = World::new().await;
    let placed = Shop::new(&world).order("shop-1", &["MUG"]).await;
    Shop::other(&world).order("moon-1", &["MUG"]).await;
    let day = Day::new(placed.content.created_at(), &ZoneName::default());
    let mut bound = world.signed_in("bert").await;
    for rest in ["", "&by=sku", "&by=day"] {
        let page = bound.open(&report(REPORTS, day, rest)).await;
        page.hides("MOON").shows("Total USD");
    }
    let other = format!("&by=order&stores={}", store("MOON").id);
    let page = bound.open(&report(REPORTS, day, &other)).await;
    page.hides("MOON")
        .hides("moon-1")
        .shows("No order was placed");
    let mut viewer = world.signed_in("vera").await;
    viewer.get(REPORTS).await.is(403);
}
