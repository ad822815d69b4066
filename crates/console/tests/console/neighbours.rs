//! `Previous order` and `Next order` on an order's page that was opened from a list.

use crate::browser::{Browser, hidden};
use crate::order::Shop;
use crate::world::{Response, World};

#[track_caller]
fn link(page: &Response, text: &str) -> String {
    let (before, _) = page.body.split_once(&format!(">{text}</a>")).unwrap();
    let (_, attributes) = before.rsplit_once("<a ").unwrap();
    let (_, rest) = attributes.split_once("href=\"").unwrap();
    let (address, _) = rest.split_once('"').unwrap();
    address.replace("&#38;", "&")
}

/// Follows the links `text`, starting at the page `first`, and returns the orders' numbers.
async fn walk(browser: &mut Browser<'_>, first: String, text: &str) -> Vec<String> {
    let (mut numbers, mut address) = (Vec::new(), first);
    loop {
        let page = browser.open(&address).await;
        let (path, _) = address.split_once('?').unwrap();
        numbers.push(path.rsplit('/').next().unwrap().to_owned());
        if !page.body.contains(&format!(">{text}</a>")) {
            return numbers;
        }
        address = link(&page, text);
    }
}

#[actix_web::test]
async fn orders_of_a_list_lead_to_their_neighbours_with_its_filters() {
    let world = World::new().await;
    let (shop, other) = (Shop::new(&world), Shop::other(&world));
    shop.order("red-1", &["MUG"]).await;
    other.order("red-2", &["MUG"]).await;
    shop.order("blue-3", &["MUG"]).await;
    shop.order("red-4", &["TEE"]).await;
    let mut browser = world.signed_in("vera").await;
    let list = browser.get("/console/orders").await;
    let newest = link(&list, "SUN-3");
    let all = walk(&mut browser, newest, "Next order").await;
    assert_eq!(all, ["SUN-3", "SUN-2", "MOON-1", "SUN-1"]);
    let list = browser.get("/console/orders?searchKey=red&size=1").await;
    let newest = link(&list, "SUN-3");
    let red = walk(&mut browser, newest, "Next order").await;
    assert_eq!(red, ["SUN-3", "MOON-1", "SUN-1"]);
    let list = browser.get("/console/orders?searchKey=red").await;
    let oldest = link(&list, "SUN-1");
    let back = walk(&mut browser, oldest, "Previous order").await;
    assert_eq!(back, ["SUN-1", "MOON-1", "SUN-3"]);
    let mut bound = world.signed_in("bert").await;
    let list = bound.get("/console/orders?searchKey=red").await;
    let own = walk(&mut bound, link(&list, "SUN-3"), "Next order").await;
    assert_eq!(own, ["SUN-3", "SUN-1"]);
}

#[actix_web::test]
async fn neighbours_in_queue_and_problems_start_with_the_oldest() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for (order_id, sku) in [("a", "MUG"), ("b", "TEE"), ("c", "MUG"), ("d", "TEE")] {
        shop.order(order_id, &[sku, sku]).await;
    }
    let mut browser = world.signed_in("vera").await;
    let list = browser.get("/console/queue?sku=TEE").await;
    let first = link(&list, "SUN-2-1");
    let next = walk(&mut browser, first, "Next order").await;
    assert_eq!(next, ["SUN-2", "SUN-4"]);
    let list = browser.get("/console/queue").await;
    let last = link(&list, "SUN-4-2");
    let back = walk(&mut browser, last, "Previous order").await;
    assert_eq!(back, ["SUN-4", "SUN-3", "SUN-2", "SUN-1"]);
    let list = browser.get("/console/problems?kinds=unpriced").await;
    let problems = list.body.matches("id=\"problem-").count() / 2;
    let numbers = ["SUN-1", "SUN-2", "SUN-3", "SUN-4"];
    let listed: Vec<_> = numbers
        .into_iter()
        .filter(|number| list.body.contains(&format!(">{number}</a>")))
        .collect();
    assert!(problems >= 1 && !listed.is_empty(), "{}", list.body);
    let first = link(&list, listed[0]);
    assert_eq!(walk(&mut browser, first, "Next order").await, listed);
    let last = link(&list, listed[listed.len() - 1]);
    let mut back = walk(&mut browser, last, "Previous order").await;
    back.reverse();
    assert_eq!(back, listed);
}

#[actix_web::test]
async fn an_action_leads_back_to_the_order_in_its_list() {
    let world = World::with_orders(&[&["MUG"], &["MUG"], &["MUG"]]).await;
    let mut browser = world.signed_in("otto").await;
    let list = browser.get("/console/queue?statuses=ready").await;
    let address = link(&list, "SUN-2-1");
    let page = browser.open(&address).await;
    page.shows(">Previous order</a>").shows(">Next order</a>");
    let note = [("text", "Careful."), ("return", &address)];
    assert_eq!(hidden(&page.body, "return").unwrap(), address);
    browser
        .post("/console/orders/SUN-2/notes", &note)
        .await
        .leads_to(&address);
    let form = browser.open(&link(&page, "Hold")).await;
    assert_eq!(hidden(&form.body, "return").unwrap(), address);
    let hold = [
        ("command", "hold"),
        ("reason", "Later."),
        ("scope", "all"),
        ("version", &hidden(&form.body, "version").unwrap()),
        ("return", &address),
    ];
    browser
        .post("/console/orders/SUN-2/move", &hold)
        .await
        .leads_to(&address);
    // The order no longer matches the list's filter, but still links to its former neighbours.
    let page = browser.open(&address).await;
    page.shows(">on-hold<");
    assert!(link(&page, "Previous order").contains("SUN-1?"));
    assert!(link(&page, "Next order").contains("SUN-3?"));
}

#[actix_web::test]
async fn an_order_has_no_neighbours_without_an_accessible_list() {
    let world = World::with_orders(&[&["MUG"], &["MUG"]]).await;
    let mut browser = world.signed_in("vera").await;
    for list in [
        "",
        "?list=",
        "?list=/console/orders/SUN-2",
        "?list=/console/stores",
        "?list=/console/orders?statuses%3Dredy",
        "?list=/console/problems?kinds%3Dendpoint",
        "?list=https://evil.example/console/orders",
        "?list=//evil.example/console/orders",
        "?list=%22%3E%3Cscript%3E",
    ] {
        let page = browser.open(&format!("/console/orders/SUN-1{list}")).await;
        page.hides("Previous order")
            .hides("Next order")
            .hides("evil.example")
            .hides("list=");
    }
}
