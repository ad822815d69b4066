//! A store on the same server as another one that sends the most expensive calls it may: how much longer its own
//! calls take.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::BenchError;
use crate::context::{Context, in_time};
use crate::figures::Spread;
use crate::fill::SERIES;
use crate::goals::Goal;
use crate::load::{Load, LoadResult};
use crate::options::StoreKind;
use crate::progress::say;
use crate::report::{Table, median, spread};
use crate::request::{Account, CREATE, Orders, SEARCH};
use crate::scale::Scale;
use crate::service::{Server, Store};

use super::create::MOST_ITEMS;

/// Words that all orders of the fill have, or a great part of them.
const COMMON: [&str; 5] = [
    "mail.example.com",
    "orders.example.com shop",
    "unisex",
    "black",
    "ceramic mug",
];
/// Orders on a page.
const PAGE: u64 = 20;
/// Connections that fill SQLite.
const FILL_CONNECTIONS: usize = 32;
const OK: u16 = 200;

/// Calls of one store, sent again from the first one on when all are sent.
struct Calls {
    requests: Vec<Vec<u8>>,
    /// Calls at the same time at most.
    connections: usize,
    /// Calls that are due each second; none for as many as the connections allow.
    rate: Option<f64>,
}

impl Calls {
    fn run(&self, address: SocketAddr, duration: Duration) -> Result<LoadResult, BenchError> {
        let load = Load::once(address, self.connections, duration, &self.requests).repeated();
        match self.rate {
            Some(rate) => load.paced(rate).run(),
            None => load.run(),
        }
    }
}

/// What the expensive store sends.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Ten a second, the default rate limit.
    Searches,
    /// As many as it can, 64 at a time.
    Orders,
}

/// The kinds of expensive calls.
const KINDS: [Kind; 2] = [Kind::Searches, Kind::Orders];

/// What was measured with one database, round by round.
#[derive(Default)]
struct Measured {
    alone: Vec<f64>,
    /// Next to each of [`KINDS`].
    beside: [Beside; 2],
}

/// What was measured of a store next to another one, round by round.
#[derive(Default)]
struct Beside {
    p99: Vec<f64>,
    /// The part of the expensive store's calls that got 200.
    served: Vec<f64>,
    /// The same of the other store's calls next to them.
    others_served: Vec<f64>,
}

struct Setup {
    name: &'static str,
    server: Server,
    /// Has most orders, and sends the expensive calls.
    busy: Store,
    /// The one whose calls are timed.
    other: Store,
    /// Orders of the busy store.
    orders: u64,
}

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let mut table = Table::new(
        "p99 of a store next to another one, ms",
        [
            "",
            "alone",
            "beside",
            "beside : alone",
            "served of the expensive calls",
        ],
    );
    for store in [StoreKind::Postgres, StoreKind::Sqlite] {
        if !context.options.wants_store(store) {
            continue;
        }
        let setup = match store {
            StoreKind::Postgres => postgres(context)?,
            StoreKind::Sqlite => {
                context.cluster.stop()?;
                sqlite(context, folder.path())?
            }
        };
        let measured = measure(context, &setup)?;
        for (kind, beside) in KINDS.into_iter().zip(&measured.beside) {
            let alone = measured.alone.as_slice();
            note(context, &mut table, (&setup, store, kind), (alone, beside));
        }
    }
    context.report.tables.push(table);
    context.cluster.restart()
}

fn postgres(context: &Context) -> Result<Setup, BenchError> {
    let orders = context.options.neighbour_orders();
    let filled = context.filled("neighbours", orders)?;
    let server = context.limited_service(&filled.database).serve()?;
    let orders = crate::statements::hot_orders(orders);
    Ok(Setup {
        name: "PostgreSQL",
        server,
        busy: filled.hot,
        other: filled.cold,
        orders,
    })
}

/// A file with as many orders of the busy store as the other database has, made by the service
/// itself.
fn sqlite(context: &Context, folder: &std::path::Path) -> Result<Setup, BenchError> {
    let orders = crate::statements::hot_orders(context.options.neighbour_orders());
    let file = folder.join("neighbours.db");
    let service = context.service_at(&format!("sqlite://{}", file.display()));
    service.prepare(context.catalog())?;
    let (busy, other) = (
        service.create_store("Hot", "HOT")?,
        service.create_store("Cold", "COLD")?,
    );
    let server = service.serve()?;
    say(&format!("neighbours: {orders} orders in SQLite"));
    const CHUNK: u64 = 10_000;
    for chunk in 0..orders.div_ceil(CHUNK) {
        let series = format!("{SERIES}{chunk}-");
        let requests = context.creates(&busy.account, &series, CHUNK.min(orders))?;
        let time = Duration::from_secs(600);
        Load::once(server.address, FILL_CONNECTIONS, time, &requests)
            .run()?
            .all(OK)?;
    }
    Ok(Setup {
        name: "SQLite",
        server,
        busy,
        other,
        orders,
    })
}

fn measure(context: &Context, setup: &Setup) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    for round in context.rounds(&format!("neighbours, {}", setup.name)) {
        let alone = context
            .repeats
            .measure(|again| alone(context, setup, &format!("{}{round}{again}-", setup.name)))?;
        measured.alone.push(alone);
        for (kind, beside) in KINDS.into_iter().zip(&mut measured.beside) {
            measure_beside(context, setup, (kind, round), beside)?;
        }
    }
    Ok(measured)
}

/// Returns the p99 of the store alone.
fn alone(context: &Context, setup: &Setup, series: &str) -> Result<f64, BenchError> {
    let duration = context.options.scale().neighbours;
    let account = &setup.other.account;
    let victim = victim(context, account, &format!("A{series}"), duration)?;
    let alone = victim.run(setup.server.address, duration)?.all(OK)?;
    Ok(alone.of(OK).percentile(99))
}

/// Measures the store next to the other one. Calls that are refused count: they are a part of what
/// the other store does to it.
fn measure_beside(
    context: &Context,
    setup: &Setup,
    (kind, round): (Kind, usize),
    measured: &mut Beside,
) -> Result<(), BenchError> {
    let duration = context.options.scale().neighbours;
    let address = setup.server.address;
    let name = |what: &str| format!("{what}{}{kind:?}{round}-", setup.name);
    let victim = victim(context, &setup.other.account, &name("B"), duration)?;
    let expensive = expensive(context, setup, kind, &name("X"))?;
    let (beside, busy) = thread::scope(|scope| {
        let busy = scope.spawn(|| expensive.run(address, duration));
        // The expensive calls are under way when the clock begins to run.
        thread::sleep(Duration::from_millis(500));
        let beside = victim.run(address, duration.saturating_sub(Duration::from_secs(1)));
        let busy = busy.join();
        (
            beside,
            busy.map_err(|_| "the thread of the expensive calls panicked"),
        )
    });
    let (beside, busy) = (beside?, busy??);
    say(&format!("  {kind:?}: {:?}", busy.statuses()));
    measured.p99.push(beside.of(OK).percentile(99));
    measured.served.push(busy.share_of(OK));
    measured.others_served.push(beside.share_of(OK));
    Ok(())
}

/// Fifty calls a second: creates, and the newest page.
fn victim(
    context: &Context,
    account: &Account,
    series: &str,
    time: Duration,
) -> Result<Calls, BenchError> {
    let count = in_time(100, time);
    let mut requests = Vec::new();
    for number in 0..count {
        let request = match number % 2 {
            0 => account.request(
                CREATE,
                &serde_json::to_string(&context.samples.order(series, number))?,
            ),
            _ => account.request(SEARCH, &json!({ "size": PAGE }).to_string()),
        };
        requests.push(request);
    }
    Ok(Calls {
        requests,
        connections: 4,
        rate: Some(50.0),
    })
}

fn expensive(
    context: &Context,
    setup: &Setup,
    kind: Kind,
    series: &str,
) -> Result<Calls, BenchError> {
    let account = &setup.busy.account;
    match kind {
        Kind::Searches => {
            let page = (setup.orders / 2 / PAGE).max(1);
            let request = |key: &&str| {
                account.request(
                    SEARCH,
                    &json!({ "searchKey": key, "page": page, "size": PAGE }).to_string(),
                )
            };
            let requests = COMMON.iter().map(request).collect();
            Ok(Calls {
                requests,
                connections: 20,
                rate: Some(10.0),
            })
        }
        Kind::Orders => {
            let orders = Orders {
                items: MOST_ITEMS,
                ..Orders::of_store(&context.samples, account)
            };
            let Scale {
                neighbours,
                large_orders,
                ..
            } = *context.options.scale();
            let count = in_time(LARGE_ORDERS, neighbours);
            let requests = orders.requests(series, count)?;
            Ok(Calls {
                requests,
                connections: large_orders,
                rate: None,
            })
        }
    }
}

/// More orders of a hundred items each second than the service takes; sent again, they are replays.
const LARGE_ORDERS: u64 = 200;

fn note(
    context: &mut Context,
    table: &mut Table,
    (setup, store, kind): (&Setup, StoreKind, Kind),
    (alone, measured): (&[f64], &Beside),
) {
    let ratio = Spread::of_ratios(&measured.p99, alone);
    let served = Spread::of(measured.served.iter().copied());
    let p99 = |values: &[f64]| median(Spread::of(values.iter().copied()));
    let what = match kind {
        Kind::Searches => "ten deep searches for common words a second",
        Kind::Orders => "orders of 100 items, 64 at a time",
    };
    table.rows.push(vec![
        format!("{}, {what}", setup.name),
        p99(alone),
        p99(&measured.p99),
        spread(ratio),
        spread(served),
    ]);
    let goal = match (store, kind) {
        (StoreKind::Postgres, Kind::Searches) => Goal::NeighbourSearches,
        (StoreKind::Postgres, Kind::Orders) => Goal::NeighbourOrders,
        (StoreKind::Sqlite, Kind::Searches) => Goal::NeighbourSearchesSqlite,
        (StoreKind::Sqlite, Kind::Orders) => Goal::NeighbourOrdersSqlite,
    };
    let note = format!(
        "{} orders; {} of the expensive calls were served, {} of the other store's",
        setup.orders,
        spread(served),
        spread(Spread::of(measured.others_served.iter().copied()))
    );
    context.report.find(goal, ratio, note);
}
