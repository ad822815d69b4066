//! A store on the same server as another one that sends the most expensive calls it may: how much longer its own
//! calls take.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::BenchError;
use crate::context::Context;
use crate::figures::{Latencies, Spread};
use crate::fill::SERIES;
use crate::goals::Goal;
use crate::http;
use crate::load::Load;
use crate::options::StoreKind;
use crate::progress::say;
use crate::report::{Table, median, spread};
use crate::request::{Account, CREATE, SEARCH};
use crate::sample::order_id;
use crate::service::{Server, Service, Store};

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
/// Items of an order, as many as there may be.
const ITEMS: usize = 100;
/// Connections that fill SQLite.
const FILL_CONNECTIONS: usize = 32;
const OK: u16 = 200;

/// Calls that begin at fixed times, or as soon as a connection is free.
struct Calls {
    requests: Vec<Vec<u8>>,
    /// Calls at the same time at most.
    connections: usize,
    /// Between two calls; none for as many as the connections allow.
    interval: Duration,
}

/// The results of calls.
#[derive(Debug, Default)]
struct Responses {
    latencies: Latencies,
    statuses: BTreeMap<u16, u64>,
}

/// What the expensive store sends.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Ten a second, the default rate limit.
    Searches,
    /// As many as it can, 64 at a time.
    Orders,
}

/// What was measured with one database.
#[derive(Default)]
struct Measured {
    alone: Vec<f64>,
    beside: Vec<f64>,
    /// The part of the expensive store's calls that got 200.
    served: Vec<f64>,
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
        "p99 of a store beside another one, ms",
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
            StoreKind::Sqlite => sqlite(context, folder.path())?,
        };
        for kind in [Kind::Searches, Kind::Orders] {
            let measured = measure(context, &setup, kind)?;
            note(context, &mut table, (&setup, store, kind), &measured);
        }
    }
    context.report.tables.push(table);
    Ok(())
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
    let service = Service::new(
        &context.options.server,
        &format!("sqlite://{}", folder.join("neighbours.db").display()),
    );
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
        let requests = context.creates(
            std::slice::from_ref(&busy.account),
            &series,
            CHUNK.min(orders),
        )?;
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

fn measure(context: &Context, setup: &Setup, kind: Kind) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    let duration = Duration::from_secs(if context.options.quick { 6 } else { 20 });
    for round in 0..context.options.rounds() {
        say(&format!(
            "neighbours, {}, {kind:?}: round {}",
            setup.name,
            round + 1
        ));
        let address = setup.server.address;
        let name = |what: &str| format!("{what}{}{kind:?}{round}-", setup.name);
        let victim = victim(context, &setup.other.account, &name("A"), duration)?;
        let alone = victim.run(address, duration)?;
        let victim = self::victim(context, &setup.other.account, &name("B"), duration)?;
        let expensive = expensive(context, setup, kind, &name("X"))?;
        let (beside, busy) = thread::scope(|scope| {
            let busy = scope.spawn(|| expensive.run(address, duration));
            // The expensive calls are under way when the clock begins to run.
            thread::sleep(Duration::from_millis(500));
            let beside = victim.run(address, duration.saturating_sub(Duration::from_secs(1)));
            (
                beside,
                busy.join()
                    .map_err(|_| "the thread of the expensive calls panicked"),
            )
        });
        let (beside, busy) = (beside?, busy??);
        for responses in [&alone, &beside] {
            if responses.share_of(OK) < 1.0 {
                return Err(
                    format!("the other store was not served: {:?}", responses.statuses).into(),
                );
            }
        }
        say(&format!("  of the expensive calls: {:?}", busy.statuses));
        measured.alone.push(alone.latencies.percentile(99));
        measured.beside.push(beside.latencies.percentile(99));
        measured.served.push(busy.share_of(OK));
    }
    Ok(measured)
}

/// Fifty calls a second: creates, and the newest page.
fn victim(
    context: &Context,
    account: &Account,
    series: &str,
    time: Duration,
) -> Result<Calls, BenchError> {
    let count = 100 * (time.as_secs() + 1);
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
        interval: Duration::from_millis(20),
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
                interval: Duration::from_millis(100),
            })
        }
        Kind::Orders => {
            let request = |number| -> Result<Vec<u8>, BenchError> {
                let mut order = context.samples.order(series, number);
                order.line_items = order
                    .line_items
                    .iter()
                    .cycle()
                    .take(ITEMS)
                    .cloned()
                    .collect();
                order.order_id = order_id(series, number);
                Ok(account.request(CREATE, &serde_json::to_string(&order)?))
            };
            let requests = (0..LARGE_ORDERS).map(request).collect::<Result<_, _>>()?;
            Ok(Calls {
                requests,
                connections: 64,
                interval: Duration::ZERO,
            })
        }
    }
}

/// More orders of a hundred items than the service takes in a round; sent again, they are replays.
const LARGE_ORDERS: u64 = 4_000;

impl Calls {
    /// Makes calls for so long, beginning with the first request again after the last one.
    fn run(&self, address: SocketAddr, duration: Duration) -> Result<Responses, BenchError> {
        let (begin, next) = (Instant::now(), AtomicUsize::new(0));
        let caller = || self.caller(address, (begin, duration), &next);
        thread::scope(|scope| {
            let callers: Vec<_> = (0..self.connections).map(|_| scope.spawn(caller)).collect();
            let mut all = Responses::default();
            for caller in callers {
                all.add(
                    caller
                        .join()
                        .map_err(|_| "a thread that makes calls panicked")??,
                );
            }
            Ok(all)
        })
    }

    /// Makes one call after the other.
    fn caller(
        &self,
        address: SocketAddr,
        (begin, duration): (Instant, Duration),
        next: &AtomicUsize,
    ) -> Result<Responses, BenchError> {
        let mut responses = Responses::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let at = self.interval * u32::try_from(number).unwrap_or(u32::MAX);
            thread::sleep(at.saturating_sub(begin.elapsed()));
            if begin.elapsed() >= duration {
                return Ok(responses);
            }
            let request = self
                .requests
                .get(number % self.requests.len())
                .ok_or("there is no request")?;
            let since = Instant::now();
            let response = http::call(address, request)?;
            responses.latencies.push(since.elapsed());
            *responses.statuses.entry(response.status).or_default() += 1;
        }
    }
}

impl Responses {
    fn add(&mut self, other: Self) {
        self.latencies.append(other.latencies);
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
    }

    /// The part of the responses that had this status.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a count of responses is far below 2^52"
    )]
    fn share_of(&self, status: u16) -> f64 {
        let all: u64 = self.statuses.values().sum();
        self.statuses.get(&status).copied().unwrap_or_default() as f64 / all.max(1) as f64
    }
}

fn note(
    context: &mut Context,
    table: &mut Table,
    (setup, store, kind): (&Setup, StoreKind, Kind),
    measured: &Measured,
) {
    let ratio = Spread::of_ratios(&measured.beside, &measured.alone);
    let served = Spread::of(measured.served.iter().copied());
    let p99 = |values: &[f64]| median(Spread::of(values.iter().copied()));
    let what = match kind {
        Kind::Searches => "ten deep searches for common words a second",
        Kind::Orders => "orders of 100 items, 64 at a time",
    };
    table.rows.push(vec![
        format!("{}, {what}", setup.name),
        p99(&measured.alone),
        p99(&measured.beside),
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
        "{} orders; {} of the expensive calls were served",
        setup.orders,
        spread(served)
    );
    context.report.find(goal, ratio, note);
}
