//! Orders that need a decision.

use crate::browser::{Browser, hidden};
use crate::order::Shop;
use crate::world::World;

const PROBLEMS: &str = "/console/problems";
const DECIDE: &str = "/console/problems/decide";
const FOUR_DAYS: i64 = 4 * 24 * 60;

/// Places an order, starts it, and requests its cancellation. Returns its number.
async fn asked(world: &World, shop: &Shop<'_>, order_id: &str) -> String {
    let order = shop.order(order_id, &["MUG"]).await;
    let number = order.service_order_id.to_string();
    let mut browser = world.signed_in_at("otto", "/console/queue").await;
    let item = format!("{number}/{}", order.content.items[0].id);
    let start = [("command", "start"), ("item", item.as_str())];
    browser
        .post("/console/queue", &start)
        .await
        .leads_to("/console/queue");
    shop.ask_to_cancel(&order).await;
    number
}

/// Creates a world with orders whose cancellation is requested.
async fn with_requests(order_ids: &[&str]) -> World {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for order_id in order_ids {
        asked(&world, &shop, order_id).await;
    }
    world
}

/// Hidden fields of the form in the problem card of order `number`.
fn change_form(page: &str, number: &str) -> Vec<(String, String)> {
    let (_, card) = page
        .split_once(&format!("id=\"problem-{number}\""))
        .unwrap();
    let names = ["order", "version", "changeId", "return"];
    let fields = names.map(|name| (name.to_owned(), hidden(card, name).unwrap()));
    fields.to_vec()
}

/// Hidden fields of the form of order `number` on the page of problems.
async fn open_change(browser: &mut Browser<'_>, number: &str) -> Vec<(String, String)> {
    change_form(&browser.get(PROBLEMS).await.body, number)
}

fn with<'f>(
    fields: &'f [(String, String)],
    more: &[(&'static str, &'static str)],
) -> Vec<(&'f str, &'f str)> {
    let fields = fields.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    fields.chain(more.iter().copied()).collect()
}

#[actix_web::test]
async fn orders_that_need_a_decision_are_listed_oldest_first_and_by_kind() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let mut browser = world.signed_in("vera").await;
    let page = browser.open(PROBLEMS).await;
    page.shows("Nothing needs a decision.");
    asked(&world, &shop, "shop-1").await;
    shop.order("shop-2", &["TEE"]).await;
    let page = browser.open(PROBLEMS).await;
    page.shows("Orders on this page: 2")
        .shows("requested change")
        .shows("without a price")
        .shows("changed their mind")
        .hides("</svg>late")
        .hides("action=\"/console/problems/decide\"");
    let position = |text: &str| page.body.find(text).unwrap();
    assert!(position("id=\"problem-SUN-1\"") < position("id=\"problem-SUN-2\""));
    browser
        .filters(
            PROBLEMS,
            &[
                ("kinds=change", "SUN-1", "problem-SUN-2"),
                ("kinds=endpoint", "No problem fits these filters.", "SUN-1"),
                ("size=1", "problem-SUN-1", "problem-SUN-2"),
                ("size=1", "rel=\"next\"", "problem-SUN-2"),
            ],
        )
        .await;
    world.minutes_pass(FOUR_DAYS);
    let mut browser = world.signed_in("vera").await;
    browser
        .get("/console/problems?kinds=early")
        .await
        .is(400)
        .shows("field-kinds-error-1");
    let page = browser.open("/console/problems?kinds=late").await;
    page.shows("Late: <span class=\"code\">SUN-2-1</span>");
}

#[actix_web::test]
async fn the_navigation_counts_the_problems() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in_at("vera", "/console").await;
    let page = browser.open("/console/orders").await;
    page.shows("Problems <span class=\"count\">1</span></a>");
    let other = Shop::other(&world);
    other.order("moon-1", &["MUG"]).await;
    let mut bound = world.signed_in("bert").await;
    let page = bound.open(PROBLEMS).await;
    page.shows("problem-SUN-1")
        .hides("MOON")
        .shows("Problems <span class=\"count\">1</span></a>");
}

#[actix_web::test]
async fn a_decision_leads_to_the_next_problem() {
    let world = with_requests(&["shop-1", "shop-2"]).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.get("/console/problems?kinds=change").await;
    let fields = change_form(&page.body, "SUN-1");
    // Refusing requires a reason. The error is shown at the field, and the input remains.
    let refuse = with(&fields, &[("decision", "refuse")]);
    let refused = browser.post(DECIDE, &refuse).await;
    refused
        .is(400)
        .shows("href=\"#field-reason\"")
        .shows("value=\"/console/problems?kinds=change#problem-SUN-2\"");
    let approve = with(&fields, &[("decision", "approve"), ("reason", "fine")]);
    let approved = browser.post(DECIDE, &approve).await;
    approved.leads_to("/console/problems?kinds=change#problem-SUN-2");
    let page = browser.get("/console/problems?kinds=change").await;
    page.shows("SUN-1: Approved.").hides("id=\"problem-SUN-1\"");
    let page = browser.get("/console/orders/SUN-1").await;
    page.shows("</svg>cancelled</span>");
    // After the last problem, the browser returns to the list itself.
    let fields = open_change(&mut browser, "SUN-2").await;
    let ask = with(&fields, &[("decision", "ask"), ("reason", "Really?")]);
    let asked = browser.post(DECIDE, &ask).await;
    asked.leads_to("/console/problems#content");
    let page = browser.get("/console/orders/SUN-2").await;
    page.shows("Really?");
}

#[actix_web::test]
async fn decision_and_fee_line_are_stored_together() {
    let world = with_requests(&["shop-1"]).await;
    let mut browser = world.signed_in("otto").await;
    let fields = open_change(&mut browser, "SUN-1").await;
    let fee = [
        ("type", "other"),
        ("amount", "4.50"),
        ("feeReason", "set up"),
    ];
    // Without a reason the refusal fails, and the fee is not added either.
    let mut more = vec![("decision", "refuse")];
    more.extend(fee);
    let refused = browser.post(DECIDE, &with(&fields, &more)).await;
    refused.is(400).shows("<details open>").shows("4.50");
    browser.get("/console/orders/SUN-1").await.hides("set up");
    let wrong = [
        ("decision", "approve"),
        ("amount", "lots"),
        ("type", "other"),
    ];
    let refused = browser.post(DECIDE, &with(&fields, &wrong)).await;
    refused.is(400).shows("href=\"#field-feeReason\"");
    more.push(("reason", "already printed"));
    let done = browser.post(DECIDE, &with(&fields, &more)).await;
    done.leads_to("/console/problems#content");
    browser
        .get("/console/orders/SUN-1")
        .await
        .shows("SUN-1: Refused. Fee line added.")
        .shows("set up");
}

#[actix_web::test]
async fn a_decision_about_an_outdated_version_shows_the_changes() {
    let world = with_requests(&["shop-1"]).await;
    let mut browser = world.signed_in("otto").await;
    let fields = open_change(&mut browser, "SUN-1").await;
    let fee = [
        ("version", fields[1].1.as_str()),
        ("type", "other"),
        ("amount", "1.00"),
        ("reason", "gift wrap"),
    ];
    browser
        .post("/console/orders/SUN-1/fee-lines", &fee)
        .await
        .leads_to("/console/orders/SUN-1");
    let approve = with(&fields, &[("decision", "approve"), ("reason", "as asked")]);
    let refused = browser.post(DECIDE, &approve).await;
    refused
        .is(412)
        .shows("Changed meanwhile")
        .shows(">Discard</a>")
        .shows("gift wrap")
        .shows("as asked");
}

#[actix_web::test]
async fn an_answer_of_the_store_is_resolved_in_place() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("shop-1", &["MUG"]).await;
    let item = order.content.items[0].id.to_string();
    let mut browser = world.signed_in_at("otto", "/console/orders/SUN-1").await;
    let need = [
        ("command", "need"),
        ("version", "1"),
        ("item", item.as_str()),
        ("code", "other"),
        ("text", "Which blank?"),
    ];
    browser
        .post("/console/orders/SUN-1/move", &need)
        .await
        .leads_to("/console/orders/SUN-1");
    let page = browser.open("/console/problems?kinds=answer").await;
    page.shows("No problem fits these filters.");
    shop.answer("SUN-1", "<b>white</b>").await;
    let page = browser.open("/console/problems?kinds=answer").await;
    page.shows("Which blank?").shows("white").hides("<b>white");
    let version = hidden(&page.body, "version").unwrap();
    let resolve = [
        ("order", "SUN-1"),
        ("version", version.as_str()),
        ("item", item.as_str()),
        ("to", "return"),
        ("type", "other"),
        ("amount", "2.00"),
        ("feeReason", "white blank"),
    ];
    browser
        .post("/console/problems/resolve", &resolve)
        .await
        .leads_to(PROBLEMS);
    let page = browser.get("/console/problems?kinds=answer").await;
    page.shows("SUN-1: Resolved. Fee line added.")
        .hides("problem-SUN-1");
}

#[actix_web::test]
async fn a_form_of_the_order_leads_back_to_the_problems() {
    let world = World::with_orders(&[&["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let page = browser.get(PROBLEMS).await;
    let link = "/console/orders/SUN-1/fee-lines?return=%2Fconsole%2Fproblems%23content";
    page.is(200).shows(link);
    let form = browser.open(link).await;
    form.shows("name=\"return\" value=\"/console/problems#content\"")
        .shows("<a href=\"/console/problems#content\">Cancel</a>");
    let foreign = "/console/orders/SUN-1/fee-lines?return=https%3A%2F%2Fevil.example";
    browser.open(foreign).await.hides("evil");
}

#[actix_web::test]
async fn overdue_items_are_started_batched_and_printed_from_their_card() {
    let world = World::with_orders(&[&["MUG", "TEE"]]).await;
    world.minutes_pass(FOUR_DAYS);
    let late = "/console/problems?kinds=late";
    let mut viewer = world.signed_in("vera").await;
    let page = viewer.open(late).await;
    page.shows("href=\"/console/print/ticket?order=SUN-1\"")
        .hides("Make batch");
    let mut browser = world.signed_in("otto").await;
    let page = browser.open(late).await;
    page.shows("Make batch <span");
    let (_, form) = page
        .body
        .split_once("action=\"/console/orders/SUN-1/move\"")
        .unwrap();
    let fields =
        ["command", "version", "item", "return"].map(|name| (name, hidden(form, name).unwrap()));
    let fields = fields.iter().map(|(name, value)| (*name, value.as_str()));
    let started = browser
        .post("/console/orders/SUN-1/move", &fields.collect::<Vec<_>>())
        .await;
    started.leads_to("/console/problems?kinds=late#content");
    let page = browser.get(late).await;
    page.shows("Started.").shows("SUN-1-2");
    let (_, form) = page.body.split_once("action=\"/console/batches\"").unwrap();
    let item = hidden(form, "item").unwrap();
    assert_eq!(item, "SUN-1-1");
    let made = browser.post("/console/batches", &[("item", &item)]).await;
    made.leads_to("/console/batches/BATCH-1");
}
