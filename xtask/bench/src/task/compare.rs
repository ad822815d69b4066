//! This revision against another one, operation by operation.
//!
//! Each server fills a database of its own through its own API, so that the two need not share a
//! schema. They take turns, and the ratios are taken round by round: other load on the
//! machine affects both alike.

use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

use crate::BenchError;
use crate::calls::{Calls, Kind};
use crate::context::{Context, in_time};
use crate::figures::{Round, Rounds, ratios};
use crate::http;
use crate::load::Load;
use crate::moves::Moves;
use crate::options::{StoreKind, Task};
use crate::progress::say;
use crate::report::{Table, judged};
use crate::request::{Account, CREATE, Orders, SEARCH};
use crate::sample::order_id;
use crate::service::{Server, Service, Store};
use fastrand::Rng;

/// The series of the orders that exist before anything is measured.
const SERIES: &str = "F";
/// Connections of the operations that are measured under load.
const CONNECTIONS: usize = 32;
/// Requests prepared for each second of a measurement: more than either server handles.
const MAX_RATE: u64 = 16_000;
/// How long the orders that exist beforehand may take to be created.
const FILL_TIME: Duration = Duration::from_secs(600);
const OK: u16 = 200;

/// What is measured: the name of its table, the task that asks for it, and its connections.
const OPERATIONS: [(&str, Task, Operation, usize); 9] = [
    (
        "create, 64 connections",
        Task::Create,
        Operation::Create,
        64,
    ),
    (
        "create, 64 connections, many stores",
        Task::Create,
        Operation::CreateOfStores,
        64,
    ),
    ("create, 1 connection", Task::Create, Operation::Create, 1),
    (
        "update",
        Task::Update,
        Operation::Existing(Kind::Update),
        CONNECTIONS,
    ),
    (
        "get",
        Task::Get,
        Operation::Existing(Kind::Get),
        CONNECTIONS,
    ),
    (
        "history",
        Task::History,
        Operation::Existing(Kind::History),
        CONNECTIONS,
    ),
    (
        "move",
        Task::Move,
        Operation::Existing(Kind::Move),
        CONNECTIONS,
    ),
    (
        "search, newest page",
        Task::Search,
        Operation::NewestPage,
        CONNECTIONS,
    ),
    ("search, name", Task::Search, Operation::Name, CONNECTIONS),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Create,
    /// Orders of [`Scale::compared_stores`](crate::scale::Scale::compared_stores) stores.
    CreateOfStores,
    Existing(Kind),
    NewestPage,
    Name,
}

/// A running server of one revision.
struct Candidate {
    name: &'static str,
    store: Store,
    /// The stores whose orders are mixed.
    stores: Vec<Account>,
    calls: Calls,
    server: Server,
    /// One entry for each of the operations.
    rounds: Vec<Rounds>,
}

/// Measures both revisions on each database that is asked for.
pub(crate) fn run(context: &mut Context, baseline: &Path) -> Result<(), BenchError> {
    for (kind, name) in [
        (StoreKind::Postgres, "PostgreSQL"),
        (StoreKind::Sqlite, "SQLite"),
    ] {
        if !context.options.wants_store(kind) {
            continue;
        }
        if kind == StoreKind::Sqlite {
            context.cluster.stop()?;
        }
        compare(context, baseline, kind, name)?;
    }
    Ok(())
}

fn compare(
    context: &mut Context,
    baseline: &Path,
    kind: StoreKind,
    name: &str,
) -> Result<(), BenchError> {
    say(&format!("compare: {name}"));
    // Not in the folder for temporary files, which may be in memory.
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let this = context.options.server.clone();
    let binaries = [
        ("this revision", this.as_path()),
        ("the other revision", baseline),
    ];
    // Both have the bounds, or neither: with them, searches wait for one another.
    let all_know_bounds = binaries
        .iter()
        .all(|(_, binary)| knows_bounds(binary, folder.path()));
    let mut candidates = Vec::new();
    for (candidate, binary) in binaries {
        let database = format!("compare_{}", candidates.len());
        let url = match kind {
            StoreKind::Postgres => {
                context.cluster.create(&database, None)?;
                context.cluster.url(&database)
            }
            StoreKind::Sqlite => format!("sqlite://{}", folder.path().join(database).display()),
        };
        let service = Service::new(binary, &url);
        // All calls here are of one store.
        let service = match all_know_bounds {
            true => service.without_bounds(),
            false => service,
        };
        candidates.push(start(context, candidate, &service)?);
    }
    for round in context.rounds(&format!("compare, {name}")) {
        // The first to be measured changes from round to round.
        let first = round % candidates.len();
        candidates.rotate_left(first);
        for (index, (_, task, operation, connections)) in OPERATIONS.into_iter().enumerate() {
            if !context.options.wants(task) {
                continue;
            }
            for candidate in &mut candidates {
                let done = context.repeats.measure(|again| {
                    let window = (round, again);
                    measure(context, candidate, operation, connections, window)
                })?;
                candidate
                    .rounds
                    .get_mut(index)
                    .ok_or("an operation has no rounds")?
                    .0
                    .push(done);
            }
        }
        candidates.rotate_right(first);
    }
    report(context, &candidates, name);
    Ok(())
}

/// Whether a revision knows the variable without which a store is bounded. One that does not refuses
/// every command.
fn knows_bounds(binary: &Path, folder: &Path) -> bool {
    let url = format!("sqlite://{}", folder.join("knows_bounds").display());
    let migrated = Service::new(binary, &url).without_bounds().migrate();
    migrated.is_ok()
}

/// Starts a server on an empty database and creates the orders that the operations work on.
fn start(
    context: &Context,
    name: &'static str,
    service: &Service,
) -> Result<Candidate, BenchError> {
    service.prepare(context.catalog())?;
    let store = service.create_store("Hot", "HOT")?;
    let server = service.serve()?;
    let orders = context.options.other_orders();
    let requests = context.creates(&store.account, SERIES, orders)?;
    let fill = Load::once(server.address, CONNECTIONS, FILL_TIME, &requests);
    let created = fill.run()?.all(OK)?.responses();
    if created as u64 != orders {
        return Err(
            format!("{name}: only {created} of {orders} orders were created in time").into(),
        );
    }
    let rounds = OPERATIONS.iter().map(|_| Rounds::default()).collect();
    let order_ids: Vec<String> = (0..orders).map(|number| order_id(SERIES, number)).collect();
    let moves = Moves::of_new(&store.account, &order_ids);
    let candidate = Candidate {
        name,
        stores: more_stores(context, service)?,
        calls: Calls::new(&context.samples, &store.account, order_ids, moves),
        store,
        server,
        rounds,
    };
    require_results(context, &candidate)?;
    Ok(candidate)
}

/// Makes the stores whose orders are mixed.
fn more_stores(context: &Context, service: &Service) -> Result<Vec<Account>, BenchError> {
    if !context.options.wants(Task::Create) {
        return Ok(Vec::new());
    }
    service.create_stores(context.options.scale().compared_stores)
}

/// Checks that searches find something: an empty result would be measured as a fast one.
fn require_results(context: &Context, candidate: &Candidate) -> Result<(), BenchError> {
    for (name, _, operation, _) in OPERATIONS {
        if !matches!(operation, Operation::NewestPage | Operation::Name) {
            continue;
        }
        let body = body(context, operation, 0, 0)?;
        let request = candidate.store.account.request(SEARCH, &body);
        let found = http::call(candidate.server.address, &request)?
            .ok()?
            .json()?;
        if found
            .get("data")
            .and_then(Value::as_array)
            .is_none_or(Vec::is_empty)
        {
            return Err(format!("{}: `{name}` found nothing", candidate.name).into());
        }
    }
    Ok(())
}

fn measure(
    context: &Context,
    candidate: &Candidate,
    operation: Operation,
    connections: usize,
    (round, again): (usize, &str),
) -> Result<Round, BenchError> {
    let server = &candidate.server;
    if let Operation::Existing(kind) = operation {
        context.cluster.settle()?;
        let series = format!("U{round}{again}-");
        let calls = (series.as_str(), in_time(MAX_RATE, context.duration()));
        return candidate
            .calls
            .run(context, (server, kind), calls, connections);
    }
    let salt = ((again.len() as u64) << 24) + ((round as u64) << 8) + connections as u64;
    let requests = requests(context, candidate, operation, salt)?;
    context.cluster.settle()?;
    let load = Load::once(server.address, connections, context.duration(), &requests);
    context.measure(server, &load, OK)
}

/// The requests of a measurement.
fn requests(
    context: &Context,
    candidate: &Candidate,
    operation: Operation,
    salt: u64,
) -> Result<Vec<Vec<u8>>, BenchError> {
    let count = in_time(MAX_RATE, context.duration());
    let account = &candidate.store.account;
    let path = match operation {
        Operation::Create => CREATE,
        Operation::CreateOfStores => {
            let mixed = Orders {
                accounts: candidate.stores.clone(),
                ..Orders::of_store(&context.samples, account)
            };
            return mixed.requests(&format!("M{salt}-"), count);
        }
        _ => SEARCH,
    };
    (0..count)
        .map(|number| Ok(account.request(path, &body(context, operation, salt, number)?)))
        .collect()
}

/// The body of a request; both servers get the same ones.
fn body(
    context: &Context,
    operation: Operation,
    salt: u64,
    number: u64,
) -> Result<String, BenchError> {
    let mut random = Rng::with_seed((salt << 32) ^ number);
    let existing = random.u64(..context.options.other_orders());
    let sample = |series: &str, number| context.samples.order(series, number);
    Ok(match operation {
        Operation::NewestPage => json!({ "size": 20 }).to_string(),
        Operation::Name => {
            let address = sample(SERIES, existing).shipping_address;
            let name = format!("{} {}", address.first_name, address.last_name);
            json!({ "searchKey": name, "size": 20 }).to_string()
        }
        _ => serde_json::to_string(&sample(&format!("C{salt}"), number))?,
    })
}

fn report(context: &mut Context, candidates: &[Candidate], database: &str) {
    let [this, other] = candidates else { return };
    let orders = context.options.other_orders();
    let mut table = Table::new(
        format!("This revision : the other, {database}, {orders} orders, ratios of the same round"),
        [
            "",
            "CPU of service and database (min to max)",
            "a second",
            "p99",
        ],
    );
    for (index, (operation, ..)) in OPERATIONS.iter().enumerate() {
        let (Some(ours), Some(theirs)) = (this.rounds.get(index), other.rounds.get(index)) else {
            continue;
        };
        if ours.0.is_empty() {
            continue;
        }
        let cell =
            |figure: fn(&Round) -> f64| judged(&ratios(&ours.each(figure), &theirs.each(figure)));
        table.rows.push(vec![
            (*operation).to_owned(),
            cell(|round| round.service_cpu + round.database_cpu),
            cell(|round| round.rate),
            cell(|round| round.p99.unwrap_or_default()),
        ]);
        let rows = [
            (this.name.to_owned(), ours),
            (other.name.to_owned(), theirs),
        ];
        context
            .report
            .tables
            .push(Table::of_rounds(format!("{operation}, {database}"), rows));
    }
    context.report.tables.push(table);
}
