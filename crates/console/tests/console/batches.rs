//! Batches: creation on Today and in the queue, the batch list and page, and the batch's files.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use pressline_backoffice::production::{MisprintDraft, RecordDraft};
use pressline_domain::check::Field;
use pressline_domain::order::Order;
use zip::ZipArchive;

use crate::browser::Browser;
use crate::order::{HOSTILE, Shop, draft};
use crate::world::{Response, World};

const BATCHES: &str = "/console/batches";
const FIRST: &str = "/console/batches/BATCH-1";
const QUEUE: &str = "/console/queue";

/// Checkbox values of an order's items: `order/item id/position`.
fn values(order: &Order) -> Vec<String> {
    let states = order.state.items.iter();
    let value = |id: String, number| format!("{}/{id}/{number}", order.service_order_id);
    states
        .map(|state| value(state.id.to_string(), state.number))
        .collect()
}

/// Creates a batch. `items` are checkbox values or item codes.
async fn make(browser: &mut Browser<'_>, items: &[&str]) -> Response {
    browser.open(BATCHES).await;
    let fields: Vec<(&str, &str)> = items.iter().map(|item| ("item", *item)).collect();
    browser.post(BATCHES, &fields).await
}

async fn hold(browser: &mut Browser<'_>, item: &str) {
    let fields = [
        ("command", "hold"),
        ("confirmed", "1"),
        ("reason", "wrong blank"),
        ("item", item),
    ];
    browser.post(QUEUE, &fields).await.leads_to(QUEUE);
}

#[actix_web::test]
async fn today_makes_a_batch_of_a_product_with_one_click() {
    let world = World::with_orders(&[&["MUG", "TEE"], &["MUG"]]).await;
    let mut viewer = world.signed_in("vera").await;
    viewer.open("/console").await.hides("Make batch");
    let mut browser = world.signed_in("otto").await;
    let page = browser.open("/console").await;
    page.shows("Make batch <span class=\"hidden\">of <bdi>MUG</bdi></span>");
    browser.get("/console?test=on").await.hides("Make batch");
    let once = "0197f3c2-0000-7000-8000-0000000000aa";
    let fields = [("sku", "MUG"), ("return", "/console"), ("once", once)];
    for _ in 0..2 {
        browser.open("/console").await;
        let made = browser.submit(BATCHES, &fields, FIRST).await;
        made.is(200)
            .shows("role=\"status\">BATCH-1 is made of 2 items.")
            .shows("<strong><bdi>MUG</bdi></strong>")
            .shows("SUN-1-1")
            .shows("SUN-2-1")
            .hides("SUN-1-2");
    }
    // All ready items of the product are in BATCH-1 now.
    let none = [("sku", "MUG"), ("return", "/console")];
    let page = browser.submit(BATCHES, &none, "/console").await;
    page.shows("No item of MUG is ready and in no batch.")
        .shows("role=\"alert\"");
}

#[actix_web::test]
async fn the_queue_makes_a_batch_of_selected_items_and_shows_it() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let first = values(&shop.order("shop-1", &["MUG", "TEE"]).await);
    let mut browser = world.signed_in("otto").await;
    let page = browser.open("/console/queue?sku=MUG").await;
    page.shows(&first[0])
        .shows("formaction=\"/console/batches?sku=MUG\"");
    let none = browser.post("/console/batches?sku=MUG", &[]).await;
    none.is(400)
        .shows("select at least one item")
        .shows(&first[0])
        .hides(&first[1]);
    let fields = [("item", first[0].as_str()), ("name", HOSTILE)];
    browser
        .submit(BATCHES, &fields, FIRST)
        .await
        .is(200)
        .hides("<script>alert");
    let page = browser.get(QUEUE).await;
    page.shows("href=\"/console/batches/BATCH-1\">BATCH-1</a>");
    let file = browser.open("/console/queue/export.csv").await;
    file.shows("dueAt,step,batch")
        .shows(",print,BATCH-1")
        .shows(",print,\n");
}

#[actix_web::test]
async fn items_of_another_batch_are_named_and_the_others_can_be_batched() {
    let world = World::with_orders(&[&["MUG", "TEE", "CAP"]]).await;
    let mut browser = world.signed_in("otto").await;
    make(&mut browser, &["SUN-1-1"]).await.leads_to(FIRST);
    let refused = make(&mut browser, &["SUN-1-1", "SUN-1-2", "SUN-1-3"]).await;
    refused
        .is(409)
        .shows("1 of 3 items cannot be in it.")
        .shows("SUN-1-1 is in BATCH-1")
        .shows("Make batch of the others")
        .hides("name=\"item\" value=\"SUN-1-1\"");
    let others = [("item", "SUN-1-2"), ("item", "SUN-1-3")];
    let made = browser.post(BATCHES, &others).await;
    made.leads_to("/console/batches/BATCH-2");
    let unknown = make(&mut browser, &["SUN-7-1"]).await;
    unknown
        .is(400)
        .shows("there is no item SUN-7-1")
        .hides("Make batch of the others");
    let wrong = make(&mut browser, &[HOSTILE]).await;
    wrong.is(400).hides("<script>alert");
}

#[actix_web::test]
async fn batching_all_matches_leaves_out_unsuitable_items() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let first = values(&shop.order("shop-1", &["MUG", "TEE"]).await);
    shop.order("shop-2", &["MUG"]).await;
    shop.order("shop-3", &["MUG"]).await;
    let mut browser = world.signed_in_at("otto", QUEUE).await;
    hold(&mut browser, &first[0]).await;
    let all = [("scope", "all"), ("name", "Mugs")];
    let asked = browser.post("/console/batches?sku=MUG", &all).await;
    asked
        .is(200)
        .shows("Make batch of 2 items")
        .shows("Items that match and cannot be in it: 1.")
        .shows("value=\"Mugs\"")
        .shows("name=\"item\" value=\"SUN-2-1\"")
        .hides("name=\"item\" value=\"SUN-1-1\"");
    let none = browser.post("/console/batches?sku=NONE", &all).await;
    none.is(400).shows("none of the items that match");
}

#[actix_web::test]
async fn starting_a_batch_reports_refused_and_excluded_items() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let first = values(&shop.order("shop-1", &["MUG", "TEE"]).await);
    shop.order("shop-2", &["MUG"]).await;
    let mut browser = world.signed_in("otto").await;
    let codes = ["SUN-1-1", "SUN-1-2", "SUN-2-1"];
    make(&mut browser, &codes).await.leads_to(FIRST);
    hold(&mut browser, &first[0]).await;
    let page = browser.open(FIRST).await;
    page.shows("Start batch")
        .shows("Taken out")
        .shows("held by the operator")
        .shows("/console/print/ticket?batch=BATCH-1")
        .shows("/console/print/slips?batch=BATCH-1");
    let start = format!("{FIRST}/start");
    let page = browser.submit(&start, &[], FIRST).await;
    page.shows("2 items started. 1 refused: 1 on hold.")
        .shows("role=\"alert\"")
        .hides("Start batch");
    let mut viewer = world.signed_in("vera").await;
    viewer.open(FIRST).await.hides("Close batch");
    viewer.post(&start, &[]).await.is(403);
}

#[actix_web::test]
async fn the_page_has_the_units_done_at_each_step_and_misprints() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    make(&mut browser, &["SUN-1-1"]).await.leads_to(FIRST);
    let (operator, by) = world.operator("otto");
    let print = RecordDraft {
        item_code: "SUN-1-1".into(),
        step: "print".into(),
        ..RecordDraft::default()
    };
    let misprint = MisprintDraft {
        item_code: "SUN-1-1".into(),
        units: 1.into(),
        reason: "smeared".into(),
        ..MisprintDraft::default()
    };
    let production = &world.production;
    production.record(&operator, &print, &by).await.unwrap();
    production
        .misprint(&operator, &misprint, &by)
        .await
        .unwrap();
    let page = browser.open(FIRST).await;
    page.shows("<td data-label=\"print\" class=\"number\">1</td>")
        .shows("<td data-label=\"check\" class=\"number\">0</td>")
        .shows("<td data-label=\"Misprints\" class=\"number\">1</td>")
        .shows("<td data-label=\"Units that wait\" class=\"number\">1</td>");
    let queue = browser.get(QUEUE).await;
    queue.shows("<td data-label=\"Step\">print 1, check 1</td>");
}

#[actix_web::test]
async fn the_list_has_open_and_closed_batches() {
    let world = World::with_orders(&[&["MUG", "TEE"]]).await;
    let mut browser = world.signed_in("otto").await;
    let empty = browser.open(BATCHES).await;
    empty.shows("There are no batches yet.");
    make(&mut browser, &["SUN-1-1"]).await.leads_to(FIRST);
    make(&mut browser, &["SUN-1-2"])
        .await
        .leads_to("/console/batches/BATCH-2");
    let page = browser.get(FIRST).await;
    page.shows("Items that are not complete: 1.");
    let close = format!("{FIRST}/close");
    let page = browser.submit(&close, &[], FIRST).await;
    page.shows("BATCH-1 is closed.").hides("Close batch");
    let refused = browser.post(&format!("{FIRST}/start"), &[]).await;
    refused.is(409).shows("BATCH-1 is closed");
    browser
        .filters(
            BATCHES,
            &[
                ("open=true", ">BATCH-2</a>", ">BATCH-1</a>"),
                ("open=false", ">BATCH-1</a>", ">BATCH-2</a>"),
                ("size=1", "Next page", ">BATCH-1</a>"),
            ],
        )
        .await;
    browser.get("/console/batches?open=maybe").await.is(400);
    browser.open("/console/batches/1").await;
}

#[actix_web::test]
async fn bound_operators_do_not_find_batches_of_other_stores() {
    let world = World::with_orders(&[&["MUG"]]).await;
    Shop::other(&world).order("shop-1", &["MUG"]).await;
    let mut ana = world.signed_in("ana").await;
    make(&mut ana, &["SUN-1-1", "MOON-1-1"])
        .await
        .leads_to(FIRST);
    let mut bert = world.signed_in("bert").await;
    let page = bert.open(BATCHES).await;
    page.hides("BATCH-1");
    bert.get(FIRST).await.is(404);
    bert.get(&format!("{FIRST}/files.zip")).await.is(404);
    for action in ["start", "close"] {
        bert.post(&format!("{FIRST}/{action}"), &[]).await.is(404);
    }
    let foreign = bert.post(BATCHES, &[("item", "MOON-1-1")]).await;
    foreign.is(400).shows("there is no item MOON-1-1");
    bert.get("/console/batches/BATCH-9").await.is(404);
    bert.get("/console/batches/nothing").await.is(404);
}

async fn with_files(shop: &Shop<'_>, order_id: &str, names: &[&str]) -> Order {
    let mut draft = draft(order_id, &["MUG"]);
    let urls = names
        .iter()
        .map(|name| Field::Value(format!("https://files.example/{name}")));
    if let Field::Value(items) = &mut draft.line_items
        && let Some(Field::Value(item)) = items.first_mut()
    {
        item.file_urls = Field::Value(urls.collect());
    }
    shop.place(&draft).await
}

fn entries(response: &Response) -> BTreeMap<String, String> {
    let mut archive = ZipArchive::new(Cursor::new(&response.bytes)).unwrap();
    let mut entries = BTreeMap::new();
    for position in 0..archive.len() {
        let mut entry = archive.by_index(position).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        entries.insert(entry.name().unwrap().into_owned(), text);
    }
    entries
}

#[actix_web::test]
async fn the_zip_file_of_a_batch_has_no_files_of_excluded_items() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let held = values(&with_files(&shop, "shop-1", &["front.png"]).await);
    with_files(&shop, "shop-2", &["a.png", "a.PNG?=1+1", "b.pdf"]).await;
    // The names of the files stand for faults, see `HostedFiles`.
    with_files(&shop, "shop-3", &["gone.png"]).await;
    with_files(&shop, "shop-4", &["empty.png"]).await;
    with_files(&shop, "shop-5", &["broken.exe"]).await;
    with_files(&shop, "shop-6", &["silent.png"]).await;
    let mut browser = world.signed_in("otto").await;
    let codes = [1, 2, 3, 4, 5, 6].map(|number| format!("SUN-{number}-1"));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    make(&mut browser, &codes).await.leads_to(FIRST);
    browser.open(FIRST).await;
    hold(&mut browser, &held[0]).await;
    let mut viewer = world.signed_in("vera").await;
    let file = viewer.open(&format!("{FIRST}/files.zip")).await;
    let disposition = "attachment; filename=\"BATCH-1.zip\"";
    assert_eq!(file.header("content-disposition"), disposition);
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    let entries = entries(&file);
    let names: Vec<&str> = entries.keys().map(String::as_str).collect();
    let [first, second, third] = [
        "SUN-2-1_main-2_x2.png",
        "SUN-2-1_main-3_x2.pdf",
        "SUN-2-1_main_x2.png",
    ];
    let broken = "SUN-5-1_main_x2.bin";
    let expected = [first, second, third, broken, "manifest.csv", "missing.txt"];
    assert_eq!(names, expected);
    assert_eq!(entries[third], "a.pnga.png");
    assert_eq!(entries[broken], "broken.exe");
    let missing: Vec<&str> = entries["missing.txt"].lines().collect();
    let expected = [
        "SUN-3-1, Main: the host answered with the status 404. https://files.example/gone.png",
        "SUN-4-1, Main: the file is empty. https://files.example/empty.png",
        "SUN-5-1_main_x2.bin is not complete, do not print it: the host ended the connection after 10 bytes. \
         https://files.example/broken.exe",
        "SUN-6-1, Main: the host took too long. https://files.example/silent.png",
    ];
    assert_eq!(missing, expected);
    let manifest = &entries["manifest.csv"];
    assert!(
        manifest.contains(",missing,the file is empty,"),
        "{manifest}"
    );
    // A header, and a row for each of seven files.
    assert_eq!(manifest.lines().count(), 8);
}

#[actix_web::test]
async fn a_complete_download_reports_no_missing_files() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    with_files(&shop, "shop-1", &["front.png"]).await;
    let mut browser = world.signed_in("otto").await;
    make(&mut browser, &["SUN-1-1"]).await.leads_to(FIRST);
    let file = browser.get(&format!("{FIRST}/files.zip")).await;
    let missing = &entries(&file)["missing.txt"];
    assert_eq!(missing, "Nothing is missing. Files: 1.\r\n");
}
