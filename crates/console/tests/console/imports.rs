//! Imports: upload, preview, and confirmation.

use actix_web::test::TestRequest;

use crate::browser::Browser;
use crate::order::Shop;
use crate::shop::store;
use crate::world::{Response, World};

const IMPORT: &str = "/console/shipments/import";
const RUN: &str = "/console/shipments/import/run";

/// Uploads a file of shipments. Returns the preview and the upload's id.
async fn preview(browser: &mut Browser<'_>, content: &str) -> (Response, String) {
    browser.open(IMPORT).await.shows("Choose file");
    uploaded(browser, IMPORT, &[], content).await
}

async fn uploaded(
    browser: &mut Browser<'_>,
    path: &str,
    fields: &[(&str, &str)],
    content: &str,
) -> (Response, String) {
    let sent = browser.upload(path, fields, content.as_bytes()).await;
    let preview = sent.is(303).header("location").to_owned();
    let (_, id) = preview.split_once("file=").unwrap();
    (browser.get(&preview).await, id.to_owned())
}

#[actix_web::test]
async fn a_file_is_previewed_by_line_and_imported_once() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for order in ["a", "b"] {
        shop.order(order, &["MUG"]).await;
    }
    let mut browser = world.signed_in("otto").await;
    let content = "order_id,carrier,tracking_number\nSUN-1,UPS,1Z-1\nSUN-2,UPS,1Z-2\n";
    let (page, id) = preview(&mut browser, content).await;
    page.is(200)
        .shows("a&#60;b&#62;.csv")
        .shows("2 parcels new");
    page.shows("0 of 2 units shipped")
        .shows("2 of 2 units shipped");
    page.shows("Import 2 rows").shows("/console/orders/SUN-2");
    let list = browser
        .submit(RUN, &[("file", &id)], "/console/shipments")
        .await;
    list.shows("2 parcels recorded.")
        .shows("1Z-1")
        .shows("1Z-2");
    // The upload is deleted, and importing the same rows again changes nothing.
    browser.post(RUN, &[("file", &id)]).await.is(404);
    let (page, id) = preview(&mut browser, content).await;
    page.shows("2 parcels recorded already").shows("unchanged");
    browser.post(RUN, &[("file", &id)]).await.is(303);
    let list = browser.get("/console/shipments").await;
    list.shows("0 parcels recorded. No change: 2.");
    list.shows("Parcels on this page: 2");
}

#[actix_web::test]
async fn a_file_with_wrong_rows_is_not_imported() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let content = "order_id,carrier,tracking_number\nSUN-1,UPS,1Z-1\nSUN-9,UPS,@1+1\nx,UPS,1Z-3\n";
    let (page, id) = preview(&mut browser, content).await;
    page.is(200)
        .shows("2 problems: nothing can be imported")
        .hides("Import 3 rows");
    page.shows("there is no order SUN-9");
    let errors = browser
        .open(&format!("{IMPORT}/errors.csv?file={id}"))
        .await;
    errors.shows("line,column,problem\n3,order_id,");
    let ran = browser.post(RUN, &[("file", &id)]).await;
    ran.leads_to(&format!("{IMPORT}?file={id}"));
    browser.get("/console/shipments").await.hides("1Z-1");
}

#[actix_web::test]
async fn a_file_of_the_wrong_form_is_explained() {
    let world = World::new().await;
    let mut browser = world.signed_in("otto").await;
    for (content, problem) in [
        ("order_id;tracking_number\n", "no rows below its header"),
        ("order\nSUN-1\n", "order_id, carrier, tracking_number"),
        ("order_id\n\"SUN-1\n", "quote"),
        ("order_id,tracking_number\nSUN-1,\u{0}\n", ""),
    ] {
        let (page, _) = preview(&mut browser, content).await;
        page.is(200).shows("nothing can be imported").shows(problem);
    }
    let empty = browser.upload(IMPORT, &[], b"").await;
    empty.is(400).shows("is empty");
    let none = browser.post(IMPORT, &[]).await;
    none.is(400).shows("choose a file");
    let large = vec![b'x'; 10 * 1024 * 1024 + 1];
    browser
        .upload(IMPORT, &[], &large)
        .await
        .is(400)
        .shows("more than 10 MiB");
    let larger = vec![b'x'; 11 * 1024 * 1024];
    browser.upload(IMPORT, &[], &larger).await.is(413);
}

#[actix_web::test]
async fn the_file_of_another_operator_is_not_found() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let content = "order_id,tracking_number\nSUN-1,1Z-1\n";
    let (_, id) = preview(&mut browser, content).await;
    let mut other = world.signed_in_at("ana", IMPORT).await;
    other
        .get(&format!("{IMPORT}?file={id}"))
        .await
        .is(404)
        .shows("choose it");
    other
        .get(&format!("{IMPORT}/errors.csv?file={id}"))
        .await
        .is(404);
    other.post(RUN, &[("file", &id)]).await.is(404);
    browser.get(&format!("{IMPORT}?file=x")).await.is(404);
}

#[actix_web::test]
async fn orders_of_other_stores_are_not_found_by_an_import() {
    let world = World::new().await;
    Shop::other(&world).order("a", &["MUG"]).await;
    let mut browser = world.signed_in("bert").await;
    let content = "order_id,tracking_number\nMOON-1,1Z-1\n";
    let (page, _) = preview(&mut browser, content).await;
    page.is(200).shows("there is no order MOON-1");
}

#[actix_web::test]
async fn files_are_accepted_only_from_a_page_of_this_session() {
    let world = World::new().await;
    let mut browser = world.signed_in_at("otto", IMPORT).await;
    let token = std::mem::replace(&mut browser.token, "x".to_owned());
    browser.upload(IMPORT, &[], b"order_id\n").await.is(403);
    browser.token = token;
    let foreign = TestRequest::post()
        .uri(IMPORT)
        .insert_header(("host", "localhost"))
        .insert_header(("sec-fetch-site", "cross-site"))
        .insert_header(("content-type", "multipart/form-data; boundary=x"))
        .set_payload("--x--\r\n");
    world.send(foreign).await.is(403);
    // Pages without a file field refuse uploads.
    browser.upload("/console/account", &[], b"x").await.is(415);
}

#[actix_web::test]
async fn a_file_is_not_carried_over_a_sign_in() {
    let world = World::new().await;
    let mut browser = world.with_password("otto").await;
    browser.open(IMPORT).await;
    world.minutes_pass(13 * 60);
    let ended = browser.upload(IMPORT, &[], b"order_id\nSUN-77\n").await;
    ended.is(401).shows("choose the file again").hides("SUN-77");
    ended.shows("name=\"return\" value=\"/console/shipments/import\"");
}

const ORDERS: &str = "/console/orders/import";
/// Three rows that make two orders.
const TWO_ORDERS: &str = "order_id,first_name,address1,city,zip,country_code,sku,quantity,file_urls\n\
                          x-1,Ana,1 Rua,Lisboa,1000-001,PT,MUG,2,https://files.example/a.png\n\
                          x-1,,,,,,TEE,1,https://files.example/a.png|https://files.example/b.png\n\
                          x-2,Zoë,2 Rua,Porto,4000,PT,MUG,3,\n";

/// Uploads a file of orders for the store `SUN`. Returns the preview and the upload's id.
async fn previewed(browser: &mut Browser<'_>, content: &str) -> (Response, String) {
    let store = store("SUN").id.to_string();
    browser.open(ORDERS).await.shows("SUN Prints (SUN)");
    uploaded(browser, ORDERS, &[("stores", &store)], content).await
}

/// Imports the orders of the upload `id`. Returns the list of orders.
async fn import_orders(browser: &mut Browser<'_>, id: &str) -> Response {
    let store = store("SUN").id.to_string();
    let fields = [("file", id), ("stores", &store)];
    let run = format!("{ORDERS}/run");
    browser.submit(&run, &fields, "/console/orders").await
}

#[actix_web::test]
async fn orders_of_a_file_are_placed_once() {
    let world = World::new().await;
    let mut browser = world.signed_in("otto").await;
    let (page, id) = previewed(&mut browser, TWO_ORDERS).await;
    page.is(200).shows("2 orders new").shows("Import 3 rows");
    page.shows("Ana").shows("2 x MUG, 1 x TEE").shows("x-2");
    page.shows("Warnings").shows("“MUG” is not in the catalog");
    let list = import_orders(&mut browser, &id).await;
    list.shows("2 orders placed.");
    let order = browser.open("/console/orders/SUN-1").await;
    order.shows("app").shows("SUN-1-2").shows("Lisboa");
    let (page, id) = previewed(&mut browser, TWO_ORDERS).await;
    page.shows("2 orders placed already")
        .shows("unchanged")
        .shows("SUN-2");
    let list = import_orders(&mut browser, &id).await;
    list.shows("0 orders placed. No change: 2.");
}

#[actix_web::test]
async fn wrong_orders_are_named_by_line_and_column() {
    let world = World::new().await;
    let mut browser = world.signed_in("otto").await;
    let (_, id) = previewed(&mut browser, TWO_ORDERS).await;
    import_orders(&mut browser, &id).await;
    let wrong = "order_id,first_name,address1,city,zip,country_code,sku,quantity,file_urls\n\
                 y-1,Ana,,Lisboa,1000-001,PT,MUG,two,ftp://x\n\
                 y-1,Eva,,,,,,1,\n\
                 ,Ana,1 Rua,Lisboa,1000-001,PT,MUG,2,\n\
                 x-2,Zoë,2 Rua,Porto,4000,PT,MUG,4,\n";
    let (page, id) = previewed(&mut browser, wrong).await;
    page.is(200).shows("nothing can be imported");
    let fields = format!("file={id}&stores={}", store("SUN").id);
    let errors = browser.open(&format!("{ORDERS}/errors.csv?{fields}")).await;
    for start in [
        "\n2,address1,",
        "\n2,quantity,",
        "\n2,file_urls,",
        "\n3,first_name,line 2 of the same order",
        "\n3,sku,",
        "\n4,order_id,",
        "\n5,order_id,SUN-2 has this id and other content",
    ] {
        errors.shows(start);
    }
    browser
        .get("/console/orders")
        .await
        .hides("y-1")
        .hides("SUN-3");
}

#[actix_web::test]
async fn orders_are_imported_only_into_stores_of_the_operator() {
    let world = World::new().await;
    let mut browser = world.signed_in("bert").await;
    browser.open(ORDERS).await.hides("MOON");
    let other = store("MOON").id.to_string();
    for stores in [other.as_str(), "", "x"] {
        let sent = browser
            .upload(ORDERS, &[("stores", stores)], TWO_ORDERS.as_bytes())
            .await;
        let path = sent.header("location").to_owned();
        let page = browser.get(&path).await;
        page.is(400)
            .shows("choose one of your stores")
            .hides("Import 3 rows");
    }
    world.signed_in("vera").await.get(ORDERS).await.is(403);
}
