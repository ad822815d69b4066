//! A linked number equals the number of entries on the linked page.

use std::collections::BTreeSet;

use crate::browser::Browser;
use crate::html::{Element, read};
use crate::order::Shop;
use crate::world::World;

const FOUR_DAYS: i64 = 4 * 24 * 60;
const PAGES: [&str; 19] = [
    "/console",
    "/console/queue",
    "/console/queue?group=sku",
    "/console/queue?sku=MUG&searchKey=SUN-1",
    "/console/problems",
    "/console/batches",
    "/console/orders",
    "/console/reports?by=store&from=2026-11-21&to=2026-11-30",
    "/console/reports?by=day&from=2026-11-21&to=2026-11-30",
    "/console/stores",
    "/console/webhooks",
    "/console/shipments",
    "/console/tasks",
    "/console/catalog",
    "/console/system",
    "/console/system/operators",
    "/console/batches/BATCH-1",
    "/console/orders/SUN-1",
    "/console/scan",
];
/// Table columns with numbers that belong to the row's link.
const COUNTED: [&str; 7] = [
    "Items",
    "Units",
    "Orders",
    "Cancelled orders",
    "Unpriced orders",
    "Late units",
    "Keys",
];

/// A number, with the URL of the page that lists the counted entries.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Number {
    page: String,
    /// Column label, or text of the link.
    what: String,
    count: u64,
    address: String,
}

/// Sends the command in `command` for all items of an order.
async fn give(browser: &mut Browser<'_>, order: &str, command: &[(&str, &str)]) {
    let page = format!("/console/orders/{order}");
    browser.open(&page).await;
    let path = format!("{page}/move");
    let all = [("scope", "all")];
    let fields: Vec<(&str, &str)> = all.iter().chain(command).copied().collect();
    browser.post(&path, &fields).await.leads_to(&page);
}

async fn scan(browser: &mut Browser<'_>, steps: &[&str], codes: &[&str]) {
    for step in steps {
        let station = format!("/console/scan?step={step}");
        browser.open(&station).await;
        for code in codes {
            browser.post(&station, &[("scan", code)]).await.is(303);
        }
    }
}

/// Places orders so that Today, the queue and the problems have something to count.
async fn fill(world: &World, browser: &mut Browser<'_>) {
    let (shop, other) = (Shop::new(world), Shop::other(world));
    for number in 1..=9 {
        shop.order(&format!("late-{number}"), &["MUG", "TEE"]).await;
    }
    other.order("moon-1", &["MUG", "MUG", "TEE"]).await;
    let need = [("command", "need"), ("code", "other"), ("text", "Which?")];
    for number in ["SUN-1", "SUN-2", "SUN-3"] {
        give(browser, number, &need).await;
    }
    shop.answer("SUN-2", "white").await;
    for number in ["SUN-4", "SUN-5"] {
        give(browser, number, &[("command", "start")]).await;
    }
    let asked = shop.order("change-1", &["MUG", "TEE"]).await;
    give(browser, "SUN-10", &[("command", "start")]).await;
    shop.ask_to_cancel(&asked).await;
    give(browser, "SUN-6", &[("command", "hold"), ("reason", "x")]).await;
    scan(browser, &["print", "check"], &["SUN-7-1", "SUN-7-2"]).await;
    scan(browser, &["pack"], &["SUN-7-1", "SUN-7-2"]).await;
    batches(browser).await;
    world.minutes_pass(FOUR_DAYS);
    shop.order("new-1", &["TEE"]).await;
    shop.order("new-2", &["MUG"]).await;
    shop.cancel("new-2").await;
    let hook = world.hooks.add(Some("SUN"), "https://sun.example/hook");
    hook.await;
}

/// Creates a batch of three items and puts an item on hold, so that it is excluded.
async fn batches(browser: &mut Browser<'_>) {
    browser.open("/console/batches").await;
    let items = [
        ("item", "SUN-8-1"),
        ("item", "SUN-8-2"),
        ("item", "SUN-9-1"),
    ];
    let made = browser.post("/console/batches", &items).await;
    made.leads_to("/console/batches/BATCH-1");
    give(browser, "SUN-9", &[("command", "hold"), ("reason", "x")]).await;
}

fn number_in(text: &str) -> Option<u64> {
    let mut words = text.split_whitespace();
    words.find_map(|word| word.replace(',', "").parse().ok())
}

fn address(link: &Element) -> String {
    let href = link.get("href").unwrap_or_default();
    href.replace("&#38;", "&")
}

fn is_item(link: &Element) -> bool {
    link.get("class") == Some("code") && link.text.split('-').count() == 3
}

fn is_in(element: &Element, name: &str) -> bool {
    element.within.iter().any(|other| other == name)
}

/// Linked numbers of a page: in the text of a link, or in the row of a `data-row` link.
fn numbers(page: &str, elements: &[Element]) -> BTreeSet<Number> {
    let mut found = BTreeSet::new();
    let mut row = String::new();
    for element in elements {
        let mut add = |what: &str, address: &str, text: &str| {
            if let Some(count) = number_in(text) {
                let [page, what, address] = [page, what, address].map(str::to_owned);
                found.insert(Number {
                    page,
                    what,
                    count,
                    address,
                });
            }
        };
        match element.name.as_str() {
            "tr" => row.clear(),
            // The link of an item's row leads to its order, not to a list.
            "a" if element.get("data-row").is_some() && !is_item(element) => row = address(element),
            // A version is not a count.
            "a" if address(element).contains("atVersion=") => {}
            "a" if is_in(element, "main") || is_in(element, "nav") => {
                add(element.text.trim(), &address(element), &element.text);
            }
            "td" if !row.is_empty() => {
                let label = element.get("data-label").unwrap_or_default();
                if COUNTED.contains(&label) || is_of_endpoint(label) {
                    add(label, &row, &element.text);
                }
            }
            _ => {}
        }
    }
    found
}

fn is_of_endpoint(label: &str) -> bool {
    ["Failures", "Waiting"].contains(&label)
}

/// Counts on the linked page the entries that `number` counts.
fn listed(number: &Number, elements: &[Element]) -> u64 {
    let cells = |label: &str| -> Vec<&Element> {
        let labelled = elements.iter();
        let labelled = labelled.filter(|it| it.name == "td" && it.get("data-label") == Some(label));
        labelled.collect()
    };
    let sum = |cells: &[&Element]| cells.iter().filter_map(|cell| number_in(&cell.text)).sum();
    let rows = |label: &str| cells(label).len() as u64;
    let facts: Vec<&str> = elements.iter().map(|element| element.text.trim()).collect();
    let fact = |name: &str| {
        let at = facts.iter().position(|text| *text == name).unwrap();
        number_in(facts[at + 1]).unwrap()
    };
    if number.address.starts_with("/console/problems") {
        let cards = elements.iter();
        let cards = cards.filter(|it| it.name == "article").count() as u64;
        return cards + rows("Why");
    }
    if number.address.starts_with("/console/reports") {
        let mut totals = cells(&number.what);
        totals.retain(|cell| is_in(cell, "tfoot"));
        return sum(&totals);
    }
    match number.what.as_str() {
        "Units" => sum(&cells("Units")),
        "Keys" => rows("Last used"),
        "Failures" => fact("Failures in a row"),
        "Waiting" => fact("Waiting events"),
        _ => rows("Product"),
    }
}

#[actix_web::test]
async fn every_number_with_a_link_equals_what_the_linked_page_lists() {
    let world = World::new().await;
    let mut browser = world.signed_in("ana").await;
    fill(&world, &mut browser).await;
    for name in ["ana", "bert"] {
        // The previous session has expired during the four days.
        let mut browser = world.signed_in(name).await;
        let mut found = BTreeSet::new();
        // Bert has no right to see the pages about the system.
        let is_open = |page: &&str| name == "ana" || !page.starts_with("/console/system");
        for page in PAGES.into_iter().filter(is_open) {
            // The first request starts the background count of the navigation's number.
            browser.open(page).await;
            let shown = browser.get(page).await;
            found.extend(numbers(page, &read(&shown.is(200).body)));
        }
        let mut wrong = Vec::new();
        for number in &found {
            let page = browser.get(&number.address).await;
            let listed = listed(number, &read(&page.is(200).body));
            if listed != number.count {
                wrong.push(format!("{listed} for {number:?}"));
            }
        }
        assert!(found.len() > 60, "{name}: only {found:#?}");
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
}
