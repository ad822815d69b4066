//! Searches of every kind, in databases of several sizes, and pages at several depths.

mod creates;
mod depths;
mod feed;
pub(super) mod lists;
mod sizes;

use std::rc::Rc;

use serde_json::{Value, json};

use crate::BenchError;
use crate::context::{Context, Filled};
use crate::figures::{Round, Rounds, Spread};
use crate::fill::{self, REGULARS, SEASONAL, store_and_number};
use crate::http;
use crate::load::Load;
use crate::progress::say;
use crate::report::number;
use crate::request::SEARCH;
use crate::sample::Sample;
use crate::service::Server;
use crate::statements::hot_orders;
use fastrand::Rng;

use super::existing::hot_index;

/// Orders on a page.
const PAGE: u64 = 20;
const OK: u16 = 200;

/// A kind of search. Some name a text that a few orders have, some one that very many have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    OrderId,
    Email,
    Phone,
    Sku,
    Name,
    /// A full name that every store has at least a page of.
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
    (Kind::Regular, "name of a regular customer"),
    (Kind::Seasonal, "seasonal word"),
    (Kind::Letter, "one letter"),
    (Kind::TenWords, "ten words"),
];

/// A filled database of one size, with its server.
struct Instance {
    filled: Filled,
    server: Rc<Server>,
    /// A cell for each kind of search and store, in the same order in every instance.
    cells: Vec<Cell>,
}

/// A kind of search in one of the stores, and what was measured of it.
struct Cell {
    name: &'static str,
    hot: bool,
    requests: Vec<Vec<u8>>,
    /// Orders on the pages of all its searches.
    found: usize,
    rounds: Rounds,
}

/// Measures, and adds tables, charts and figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let largest = context.options.search_orders();
    // `--orders` may name a size in between, or one of these.
    let mut sizes = vec![
        context.options.scale().fewest_searched,
        100_000,
        1_000_000,
        largest,
    ];
    sizes.retain(|size| *size <= largest);
    sizes.sort_unstable();
    sizes.dedup();
    say(&format!("search: {sizes:?} orders"));
    let mut instances = sizes
        .into_iter()
        .map(|size| instance(context, size))
        .collect::<Result<Vec<_>, _>>()?;
    let kinds = instances.first().map_or(0, |instance| instance.cells.len());
    for _ in context.rounds("search") {
        for at in 0..kinds {
            for instance in &mut instances {
                let Some(cell) = instance.cells.get_mut(at) else {
                    continue;
                };
                let done = measure(context, &instance.server, &cell.requests)?;
                cell.rounds.0.push(done);
            }
        }
    }
    sizes::report(context, &instances);
    if let Some(largest) = instances.last() {
        depths::run(context, largest)?;
        feed::run(context, largest)?;
    }
    // Last, because it changes what the searches find.
    creates::run(context, &instances)
}

/// Fills a database, starts its server, waits for its lists of words, and warms up each search.
fn instance(context: &Context, orders: u64) -> Result<Instance, BenchError> {
    let filled = context.filled(&format!("search_{orders}"), orders)?;
    let server = Rc::new(context.service(&filled.database).serve()?);
    lists::wait(context, &filled.database)?;
    let mut cells = Vec::new();
    for (kind, name) in KINDS {
        for hot in [true, false] {
            let requests = requests(context, &filled, kind, hot);
            // This warms the search up, too.
            let found = requests
                .iter()
                .map(|request| found(&server, request))
                .sum::<Result<usize, BenchError>>()?;
            // A search that finds nothing would measure nothing.
            if found == 0 {
                let count = filled.orders;
                return Err(format!("a search by {name} found nothing in {count} orders").into());
            }
            cells.push(Cell {
                name,
                hot,
                requests,
                found,
                rounds: Rounds::default(),
            });
        }
    }
    Ok(Instance {
        filled,
        server,
        cells,
    })
}

/// How many orders are on the page that a search returns.
fn found(server: &Server, request: &[u8]) -> Result<usize, BenchError> {
    let response = http::call(server.address, request)?.ok()?.json()?;
    let orders = response.get("data").and_then(Value::as_array);
    Ok(orders.map_or(0, Vec::len))
}

/// Measures these requests on one connection: how long a search takes, not how many run at once.
fn measure(context: &Context, server: &Server, requests: &[Vec<u8>]) -> Result<Round, BenchError> {
    let load = Load::once(server.address, 1, context.duration() * 2, requests);
    let measure = |_: &str| context.measure(server, &load, OK);
    context.repeats.measure(measure)
}

/// Searches of one kind for orders that are drawn at random; the same in every run.
fn requests(context: &Context, filled: &Filled, kind: Kind, hot: bool) -> Vec<Vec<u8>> {
    let mut random = Rng::with_seed(0x7365_6172 + u64::from(hot));
    let store = if hot { &filled.hot } else { &filled.cold };
    let request = |_| {
        let index = if hot {
            hot_index(random.u64(..hot_orders(filled.orders)))
        } else {
            cold_index(&mut random, filled.orders)
        };
        let stores = crate::context::STORES;
        let sample = fill::sample(&context.samples, index, filled.orders, stores);
        store
            .account
            .request(SEARCH, &body(kind, &sample).to_string())
    };
    (0..context.options.scale().searches).map(request).collect()
}

/// The index of a random order of the cold store, which is the second one.
fn cold_index(random: &mut Rng, orders: u64) -> u64 {
    loop {
        let index = random.u64(..orders);
        if store_and_number(index, crate::context::STORES).0 == 1 {
            return index;
        }
    }
}

/// The body of a search that finds this sample.
fn body(kind: Kind, sample: &Sample) -> Value {
    let address = &sample.shipping_address;
    let key = match kind {
        Kind::Page => return json!({ "size": PAGE }),
        Kind::OrderId => sample.order_id.clone(),
        Kind::Email => address.email.clone(),
        Kind::Phone => address.phone.replace(' ', ""),
        Kind::Sku => sample
            .line_items
            .first()
            .map(|item| item.sku.clone())
            .unwrap_or_default(),
        Kind::Name => format!("{} {}", address.first_name, address.last_name),
        Kind::Regular => regular(sample).to_owned(),
        Kind::Seasonal => SEASONAL.to_owned(),
        Kind::Letter => address.last_name.chars().take(1).collect(),
        Kind::TenWords => ten_words(sample),
    };
    json!({ "searchKey": key, "size": PAGE })
}

/// One of the regular customers, the same for the same sample.
fn regular(sample: &Sample) -> &'static str {
    let [first, second] = REGULARS;
    let even = sample
        .order_id
        .bytes()
        .last()
        .is_none_or(|digit| digit % 2 == 0);
    if even { first } else { second }
}

/// Ten words of an order: of its customer and its items.
fn ten_words(sample: &Sample) -> String {
    let address = &sample.shipping_address;
    let texts = [&address.first_name, &address.last_name];
    let items = sample.line_items.iter().map(|item| &item.name);
    let words = texts
        .into_iter()
        .chain(items)
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty());
    words.take(10).collect::<Vec<_>>().join(" ")
}

/// The p99 of all rounds, in milliseconds.
fn tail(rounds: &Rounds) -> Option<Spread> {
    Spread::of(rounds.0.iter().filter_map(|round| round.p99))
}

fn number_of(count: u64) -> String {
    number(float(count))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of orders is far below 2^52"
)]
fn float(count: u64) -> f64 {
    count as f64
}
