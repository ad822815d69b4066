//! The order list, and the page of an order.

use pressline_domain::check::Field;
use pressline_domain::order::request::LineItemDraft;

use crate::order::{HOSTILE, Shop, draft};
use crate::world::World;

#[actix_web::test]
async fn the_list_finds_orders_by_its_filters() {
    let world = World::with_orders(&[&["MUG"], &["TEE", "CAP"]]).await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open("/console/orders").await;
    page.shows("SUN-1")
        .shows("SUN-2")
        .shows("Ana Lima")
        .shows("<time datetime=");
    browser
        .filters(
            "/console/orders",
            &[
                ("searchKey=shop-2&statuses=ready", ">SUN-2<", ">SUN-1<"),
                (
                    "toTime=2020-01-01",
                    "No order fits these filters",
                    ">SUN-1<",
                ),
                ("size=1", ">SUN-2<", ">SUN-1<"),
                ("size=1", "Next page", ">SUN-1<"),
            ],
        )
        .await;
    let page = browser
        .get("/console/orders?statuses=redy&fromTime=x")
        .await;
    page.is(400)
        .shows("There is a problem")
        .shows("did you mean “ready”?");
}

#[actix_web::test]
async fn the_export_has_a_row_for_each_order() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    shop.order("=1+1", &["MUG"]).await;
    let mut browser = world.signed_in("vera").await;
    let file = browser.open("/console/orders/export.csv").await;
    file.shows("number,orderId").shows("SUN-1,'=1+1,");
}

#[actix_web::test]
async fn orders_of_other_stores_do_not_exist() {
    let world = World::new().await;
    let other = Shop::other(&world);
    other.order("their-1", &["MUG"]).await;
    let mut bound = world.signed_in("bert").await;
    bound.open("/console/orders").await.hides("MOON-1");
    bound.open("/console/queue").await.hides("MOON-1");
    bound
        .get("/console/orders/MOON-1")
        .await
        .is(404)
        .hides("their-1");
    bound
        .get("/console/orders/MOON-1/move?command=hold")
        .await
        .is(404);
    bound.open("/console/account").await;
    let note = [("text", "x")];
    bound
        .post("/console/orders/MOON-1/notes", &note)
        .await
        .is(404);
    let mut ana = world.signed_in("ana").await;
    ana.open("/console/orders/MOON-1").await.shows("their-1");
}

#[actix_web::test]
async fn the_page_of_an_order_shows_its_possible_actions() {
    let world = World::with_orders(&[&["MUG", "TEE"]]).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.open("/console/orders/SUN-1").await;
    page.shows("<title>SUN-1 · Orders · Pressline</title>")
        .shows("SUN-1-2")
        .shows("https://files.example/front.png")
        .shows("rel=\"noreferrer\"")
        .shows("Springfield")
        .shows("move?command=hold")
        .shows("Not possible now")
        .shows("only while an item is on-hold")
        .shows("The order was placed.");
    let mut viewer = world.signed_in("vera").await;
    let page = viewer.open("/console/orders/SUN-1").await;
    page.hides("move?command=hold").hides("Add note");
}

#[actix_web::test]
async fn an_earlier_version_is_shown_with_its_differences() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let form = browser.open("/console/orders/SUN-1/update").await;
    form.shows("Springfield")
        .shows("name=\"was.shipping_address.city\"");
    let change = [
        ("version", "1"),
        ("was.shipping_address.city", "Springfield"),
        ("shipping_address.city", "Shelbyville"),
        ("shipping_address.name", "Zoë O'Brien"),
        ("shipping_address.address1", "1 Main St"),
        ("shipping_address.zip", "62701"),
        ("shipping_address.province_code", "US-IL"),
        ("shipping_address.country_code", "US"),
        ("was.email", ""),
        ("email", ""),
        ("reason", "the customer called"),
    ];
    let path = "/console/orders/SUN-1/update";
    let now = browser.submit(path, &change, "/console/orders/SUN-1").await;
    now.shows("Shelbyville").hides("as the order was");
    let then = browser.open("/console/orders/SUN-1?atVersion=1").await;
    then.shows("as the order was")
        .shows("<del><bdi class=\"preserved\">Springfield</bdi></del>")
        .shows("now <bdi class=\"preserved\">Shelbyville</bdi>")
        .hides("move?command=hold");
    browser
        .get("/console/orders/SUN-1?atVersion=9")
        .await
        .is(400);
}

#[actix_web::test]
async fn hostile_texts_are_shown_without_effect() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let mut hostile = draft("shop-1", &[]);
    hostile.line_items = Field::Value(vec![Field::Value(LineItemDraft {
        sku: HOSTILE.into(),
        name: HOSTILE.into(),
        ship_class: HOSTILE.into(),
        quantity: 1.into(),
        file_urls: Field::Value(vec!["https://x.example/?a=1&lt;b".into()]),
        ..LineItemDraft::default()
    })]);
    if let Field::Value(address) = &mut hostile.shipping_address {
        address.city = HOSTILE.into();
        address.company = HOSTILE.into();
    }
    shop.place(&hostile).await;
    let mut browser = world.signed_in_at("otto", "/console/account").await;
    let note = [("text", HOSTILE)];
    browser
        .post("/console/orders/SUN-1/notes", &note)
        .await
        .is(303);
    for path in [
        "/console/orders",
        "/console/orders/SUN-1",
        "/console/orders/SUN-1/update",
        "/console/orders/SUN-1/move?command=hold",
        "/console/orders/SUN-1/replace",
        "/console/orders/SUN-1/shipments",
        "/console/queue",
        "/console/queue?group=sku",
        "/console/queue?sku=%22%3E%3Cscript%3E",
        "/console/orders?searchKey=%22%3E%3Cscript%3E",
    ] {
        let page = browser.get(path).await;
        page.hides("<script>")
            .hides("<img")
            .hides("onerror=alert(1)>\"");
        assert!(page.status.as_u16() < 500, "{path}");
    }
}
