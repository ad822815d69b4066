//! Searches of every kind and at several depths in a large and a huge database, and new orders in
//! them.

use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};

use crate::contest::{Contest, creates, one_by_one};
use crate::context::Context;
use crate::error::{BenchError, say};
use crate::options::Backend;
use crate::request::SEARCH;
use crate::sample::Sample;
use crate::service::{Server, UNBOUNDED};
use crate::world::{REGULARS, SEASONAL, World};

use super::{LATENCIES, THROUGHPUT};

const PAGE: u64 = 20;
/// Number of the deep page in the goals; the last page if there are fewer.
const DEEP: u64 = 10_000;
const CONNECTIONS: usize = 64;

/// A kind of search: for text that a few orders have, or that very many orders have.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Page,
    OrderId,
    Email,
    Phone,
    Sku,
    Name,
    /// Full name that matches at least a page of orders in every store.
    Regular,
    Seasonal,
    Letter,
    TenWords,
}

const KINDS: [(Kind, &str); 10] = [
    (Kind::Page, "newest page"),
    (Kind::OrderId, "order id"),
    (Kind::Email, "email"),
    (Kind::Phone, "phone"),
    (Kind::Sku, "SKU"),
    (Kind::Name, "name"),
    (Kind::Regular, "regular customer"),
    (Kind::Seasonal, "seasonal word"),
    (Kind::Letter, "one letter"),
    (Kind::TenWords, "ten words"),
];
/// Searched stores: the hot store, and a cold store.
const STORES: [(u64, &str); 2] = [(0, "hot"), (1, "cold")];

struct Instance {
    name: &'static str,
    world: Rc<World>,
    server: Rc<Server>,
}

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let small = Rc::new(context.world(Backend::Postgres)?);
    let large = context.filled(Backend::Postgres, context.options.large())?;
    let mut worlds = vec![("small", small), ("large", large)];
    if let Some(orders) = context.options.huge() {
        worlds.push(("huge", context.filled(Backend::Postgres, orders)?));
    }
    let mut instances = Vec::new();
    for (name, world) in worlds {
        let server = world.serve(UNBOUNDED)?;
        wait_for_lists(context, &world)?;
        instances.push(Instance {
            name,
            world,
            server,
        });
    }
    let mut contest = Contest::default();
    for instance in instances.iter().skip(1) {
        add_kinds(context, &mut contest, instance)?;
    }
    contest.measure(context, "Search, one connection", LATENCIES)?;
    if let Some(large) = instances.get(1) {
        depths(context, large)?;
    }
    // Last, because new orders change the results of the searches.
    let mut contest = Contest::default();
    for Instance {
        name,
        world,
        server,
    } in &instances
    {
        let connections = context.options.allowed(CONNECTIONS);
        let run = creates(server, world.hot_orders(), connections);
        contest.add(format!("create, {name}"), run);
    }
    contest.measure(context, "Create, by orders stored", THROUGHPUT)
}

fn add_kinds(
    context: &Context,
    contest: &mut Contest,
    instance: &Instance,
) -> Result<(), BenchError> {
    let Instance {
        name,
        world,
        server,
    } = instance;
    for (kind, kind_name) in KINDS {
        for (store, store_name) in STORES {
            let mut random = Rng::with_seed(store);
            let account = world.account(store)?;
            let request = |_| {
                let number = random.u64(..world.orders_of(store));
                let body = body(kind, &world.sample(store, number));
                account.request(SEARCH, &body.to_string())
            };
            let searches = 0..context.options.scale().searches;
            let requests: Vec<Vec<u8>> = searches.map(request).collect();
            // A search without results would measure nothing.
            let first_page = page(server, requests.first().ok_or("there is no search")?)?;
            let orders = first_page.get("data").and_then(Value::as_array);
            if orders.is_none_or(Vec::is_empty) {
                return Err(format!("{name}: a search by {kind_name} found nothing").into());
            }
            let name = format!("search, {name}: {kind_name}, {store_name}");
            contest.add(name, one_by_one(server, server.address, requests));
        }
    }
    Ok(())
}

fn page(server: &Server, request: &[u8]) -> Result<Value, BenchError> {
    server.call(request)?.json()
}

/// Body of a search that finds `sample`.
fn body(kind: Kind, sample: &Sample) -> Value {
    let item = sample.items.first();
    let key = match kind {
        Kind::Page => return json!({ "size": PAGE }),
        Kind::OrderId => sample.order_id.clone(),
        Kind::Email => sample.email(),
        Kind::Phone => sample.phone.replace(' ', ""),
        Kind::Sku => item.map(|item| item.sku.clone()).unwrap_or_default(),
        Kind::Name => format!("{} {}", sample.first, sample.last),
        Kind::Regular => {
            let [even, odd] = REGULARS;
            let last = sample.order_id.bytes().last().unwrap_or_default();
            let (first, last) = if last.is_multiple_of(2) { even } else { odd };
            format!("{first} {last}")
        }
        Kind::Seasonal => SEASONAL.to_owned(),
        Kind::Letter => sample.last.chars().take(1).collect(),
        Kind::TenWords => ten_words(sample),
    };
    json!({ "searchKey": key, "size": PAGE })
}

/// Up to ten words from the customer and the items of `sample`.
fn ten_words(sample: &Sample) -> String {
    let names = sample.items.iter().map(|item| &item.name);
    let texts = [&sample.first, &sample.last].into_iter().chain(names);
    let words = texts
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .take(10);
    words.collect::<Vec<_>>().join(" ")
}

/// Measures the first page and a deep page of the hot store, by offset and by cursor.
fn depths(context: &mut Context, instance: &Instance) -> Result<(), BenchError> {
    let Instance { world, server, .. } = instance;
    let account = world.account(0)?;
    let deep = DEEP.min(world.orders_of(0) / PAGE).max(2);
    let before = json!({ "page": deep - 1, "size": PAGE });
    let before = page(server, &account.request(SEARCH, &before.to_string()))?;
    let cursor = before
        .get("nextCursor")
        .and_then(Value::as_str)
        .ok_or("a page has no next one")?;
    let mut contest = Contest::default();
    for (name, body) in [
        ("page 1", json!({ "size": PAGE })),
        ("deep page by offset", json!({ "page": deep, "size": PAGE })),
        (
            "deep page by cursor",
            json!({ "cursor": cursor, "size": PAGE }),
        ),
    ] {
        let request = account.request(SEARCH, &body.to_string());
        let requests = vec![request; context.options.scale().searches];
        contest.add(name, one_by_one(server, server.address, requests));
    }
    let title = format!("Search by depth, page {deep}");
    contest.measure(context, &title, LATENCIES)
}

/// Poll interval and time limit for building word lists. A million orders take some minutes.
const PAUSE: Duration = Duration::from_secs(2);
const LIMIT: Duration = Duration::from_secs(3 * 3600);
const HAS_LISTS: &str = "SELECT (to_regclass('word_segments') IS NOT NULL)::text AS value";
/// Counts stores with enough orders outside their word lists for another segment.
const WITHOUT_LISTS: &str = include_str!("lists.sql");

/// Waits until the servers have built all word lists in the background (docs/adr/0018), so that no
/// measurement pays for it.
pub(super) fn wait_for_lists(context: &Context, world: &World) -> Result<(), BenchError> {
    let begin = Instant::now();
    let text = |sql| context.cluster.text(&world.name, sql);
    if text(HAS_LISTS)? != "true" {
        return Ok(());
    }
    while text(WITHOUT_LISTS)? != "0" {
        if begin.elapsed() > LIMIT {
            return Err("no word lists are built".into());
        }
        thread::sleep(PAUSE);
    }
    say(&format!("word lists after {} s", begin.elapsed().as_secs()));
    Ok(())
}
