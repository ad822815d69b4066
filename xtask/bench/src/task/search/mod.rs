//! Searches of every kind, in databases of several sizes, and pages at several depths.

mod depths;
mod sizes;

use serde_json::{Value, json};

use crate::BenchError;
use crate::context::{Context, Filled};
use crate::figures::{Round, Rounds, Spread};
use crate::fill::{SERIES, store_and_number};
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

/// The smallest database, which the others are compared with.
const SMALLEST: u64 = 10_000;
/// Searches of one kind in a round.
const SEARCHES: u64 = 200;
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
}

const KINDS: [(Kind, &str); 6] = [
    (Kind::Page, "newest page"),
    (Kind::OrderId, "order id"),
    (Kind::Email, "email"),
    (Kind::Phone, "phone"),
    (Kind::Sku, "SKU"),
    (Kind::Name, "name"),
];

/// A filled database of one size, with its server.
struct Instance {
    filled: Filled,
    server: Server,
    /// A cell for each kind of search and store, in the same order in every instance.
    cells: Vec<Cell>,
}

/// A kind of search in one of the stores, and what was measured of it.
struct Cell {
    name: &'static str,
    hot: bool,
    requests: Vec<Vec<u8>>,
    rounds: Rounds,
}

/// Measures, and adds tables, charts and figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let largest = context.options.search_orders();
    // `--orders` may name a size in between, or one of these.
    let mut sizes = vec![SMALLEST, 100_000, 1_000_000, largest];
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
    instances
        .last()
        .map_or(Ok(()), |largest| depths::run(context, largest))
}

/// Fills a database, starts its server, and warms up each search.
fn instance(context: &Context, orders: u64) -> Result<Instance, BenchError> {
    let filled = context.filled(&format!("search_{orders}"), orders)?;
    let server = context.service(&filled.database).serve()?;
    let mut cells = Vec::new();
    for (kind, name) in KINDS {
        for hot in [true, false] {
            let cell = Cell {
                name,
                hot,
                requests: requests(context, &filled, kind, hot),
                rounds: Rounds::default(),
            };
            // A search that finds nothing would measure nothing.
            let request = cell.requests.first().ok_or("there is no search")?;
            let response = http::call(server.address, request)?.ok()?.json()?;
            let found = response.get("data").and_then(Value::as_array);
            if found.is_none_or(Vec::is_empty) {
                let count = filled.orders;
                return Err(format!("a search by {name} found nothing in {count} orders").into());
            }
            measure(context, &server, &cell.requests)?;
            cells.push(cell);
        }
    }
    Ok(Instance {
        filled,
        server,
        cells,
    })
}

/// Measures these requests on one connection: how long a search takes, not how many run at once.
fn measure(context: &Context, server: &Server, requests: &[Vec<u8>]) -> Result<Round, BenchError> {
    let load = Load::once(server.address, 1, context.duration() * 2, requests);
    context.measure(server, &load, OK)
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
        let sample = context.samples.order(SERIES, index);
        store
            .account
            .request(SEARCH, &body(kind, &sample).to_string())
    };
    (0..SEARCHES).map(request).collect()
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
    };
    json!({ "searchKey": key, "size": PAGE })
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
