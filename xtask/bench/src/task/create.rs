//! New orders in PostgreSQL: the service, Fastify and pgbench, in turns.

use std::time::Duration;

use crate::BenchError;
use crate::context::{Context, Filled};
use crate::figures::{Round, Rounds, Spread};
use crate::goals::Goal;
use crate::load::Load;
use crate::peer::Peer;
use crate::pgbench::{CLIENTS, Script};
use crate::process;
use crate::progress::say;
use crate::report::Table;
use crate::request::Account;
use crate::service::Server;
use crate::statements::{self, Statements};

/// The status of an order that was created.
pub(crate) const CREATED: u16 = 200;
/// More orders a second than any candidate takes; so many are made ready.
const MAX_RATE: u64 = 16_000;
/// The same for one connection.
const MAX_RATE_ALONE: u64 = 5_000;
/// What the goals are about.
const CONNECTIONS: usize = 64;
/// Stores whose orders are mixed, to see what that costs.
const STORES: usize = 16;
/// The database that pgbench works on.
const PGBENCH: &str = "create_pgbench";

/// What a candidate did on many connections, and on one.
#[derive(Default)]
struct Measured {
    many: Rounds,
    alone: Rounds,
}

impl Measured {
    fn add(&mut self, concurrency: &Concurrency, round: Round) {
        let rounds = if concurrency.alone {
            &mut self.alone
        } else {
            &mut self.many
        };
        rounds.0.push(round);
    }
}

/// A server that takes orders.
struct Candidate {
    name: &'static str,
    server: Server,
    measured: Measured,
}

/// How many connections a measurement uses.
struct Concurrency {
    alone: bool,
    /// Connections to a service.
    connections: usize,
    /// Clients of pgbench.
    clients: usize,
    /// More orders a second than any candidate takes on these connections.
    fastest: u64,
}

impl Concurrency {
    fn many(connections: usize, clients: usize) -> Self {
        Self {
            alone: false,
            connections,
            clients,
            fastest: MAX_RATE,
        }
    }

    fn alone() -> Self {
        Self {
            alone: true,
            connections: 1,
            clients: 1,
            fastest: MAX_RATE_ALONE,
        }
    }
}

const SERVICE: &str = "pressline";
const FASTIFY: &str = "Fastify + pg, 2 processes";

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("create: PostgreSQL");
    let filled = context.filled("create_service", context.options.other_orders())?;
    let account = std::slice::from_ref(&filled.hot.account);
    let mut candidates = candidates(context, &filled)?;
    let many_stores = stores(context, &filled)?;
    let script = Statements {
        samples: &context.samples,
        store: &filled.hot.reference(),
    }
    .create()?;
    let clients = best_clients(context, PGBENCH, &script)?;
    let connections = context.options.connections(CONNECTIONS);
    warm_up(context, &candidates, account, connections)?;
    let mut pgbench = Measured::default();
    let mut apart = Rounds::default();
    for round in context.rounds("create") {
        for concurrency in [
            Concurrency::many(connections, clients),
            Concurrency::alone(),
        ] {
            measure_in_turns(context, &mut candidates, account, round, &concurrency)?;
            context.cluster.settle()?;
            let place = (&context.cluster, PGBENCH);
            let duration = context.duration();
            let done = context
                .pgbench
                .run(&script, place, concurrency.clients, duration)?;
            pgbench.add(&concurrency, done);
        }
        if let Some(service) = candidates.first() {
            let count = MAX_RATE * context.options.seconds();
            let requests = context.creates(&many_stores, &format!("R{round}S-"), count)?;
            let done = measure(context, &service.server, &requests, connections)?;
            apart.0.push(done);
        }
    }
    let table = table(&candidates, &pgbench, (connections, clients), &apart);
    context.report.tables.push(table);
    report_goals(context, &candidates, &pgbench, clients)
}

/// Sends the same requests to each candidate. Another one comes first in each round.
fn measure_in_turns(
    context: &Context,
    candidates: &mut [Candidate],
    account: &[Account],
    round: usize,
    concurrency: &Concurrency,
) -> Result<(), BenchError> {
    let connections = concurrency.connections;
    let count = concurrency.fastest * context.options.seconds();
    let requests = context.creates(account, &format!("R{round}C{connections}-"), count)?;
    for turn in 0..candidates.len() {
        // Each candidate comes first in some rounds, because the order may matter.
        let at = (round + turn) % candidates.len();
        let Some(candidate) = candidates.get_mut(at) else {
            continue;
        };
        let done = measure(context, &candidate.server, &requests, connections)?;
        candidate.measured.add(concurrency, done);
    }
    Ok(())
}

/// Copies of the same filled database, so that each candidate starts from the same state.
fn candidates(context: &Context, filled: &Filled) -> Result<Vec<Candidate>, BenchError> {
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let candidate = |name, server| Candidate {
        name,
        server,
        measured: Measured::default(),
    };
    let mut candidates = Vec::new();
    candidates.push(candidate(
        SERVICE,
        context.service(&filled.database).serve()?,
    ));
    if let Some(peer) = Peer::install(&context.options.output)? {
        candidates.push(candidate(
            FASTIFY,
            peer.serve(&context.cluster, &filled.hot.account)?,
        ));
    }
    Ok(candidates)
}

/// Further stores, whose orders come mixed: a group that is committed at once may hold orders of
/// one store alone.
fn stores(context: &Context, filled: &Filled) -> Result<Vec<Account>, BenchError> {
    let service = context.service(&filled.database);
    let store = |number| {
        Ok(service
            .create_store(&format!("Mixed {number}"), &format!("MIX{number}"))?
            .account)
    };
    (0..STORES).map(store).collect()
}

fn measure(
    context: &Context,
    server: &Server,
    requests: &[Vec<u8>],
    connections: usize,
) -> Result<Round, BenchError> {
    context.cluster.settle()?;
    let load = Load::once(server.address, connections, context.duration(), requests);
    context.measure(server, &load, CREATED)
}

fn warm_up(
    context: &Context,
    candidates: &[Candidate],
    account: &[Account],
    connections: usize,
) -> Result<(), BenchError> {
    let requests = context.creates(account, "WARM", MAX_RATE)?;
    for candidate in candidates {
        let address = candidate.server.address;
        Load::once(address, connections, Duration::from_secs(1), &requests)
            .run()?
            .all(CREATED)?;
    }
    Ok(())
}

/// The client count with which pgbench does most.
pub(crate) fn best_clients(
    context: &Context,
    database: &str,
    script: &Script,
) -> Result<usize, BenchError> {
    let mut best = (0, 0.0);
    // The first run warms up; what it does does not count.
    context.pgbench.run(
        script,
        (&context.cluster, database),
        8,
        Duration::from_secs(1),
    )?;
    for clients in CLIENTS {
        context.cluster.settle()?;
        let place = (&context.cluster, database);
        let rate = context
            .pgbench
            .run(script, place, clients, context.duration())?
            .rate;
        if rate > best.1 {
            best = (clients, rate);
        }
    }
    say(&format!(
        "pgbench does best with {} clients ({:.0} a second)",
        best.0, best.1
    ));
    Ok(best.0)
}

/// The table: each candidate and pgbench on many connections, then on one.
fn table(
    candidates: &[Candidate],
    pgbench: &Measured,
    (connections, clients): (usize, usize),
    apart: &Rounds,
) -> Table {
    let pgbench_name = |clients| format!("pgbench, one CTE an order, {clients} clients");
    let mut rows = Vec::new();
    for candidate in candidates {
        let name = format!("{}, {connections} connections", candidate.name);
        rows.push((name, &candidate.measured.many));
    }
    let mixed = format!("{SERVICE}, {connections} connections, orders of {STORES} stores");
    rows.push((mixed, apart));
    rows.push((pgbench_name(clients), &pgbench.many));
    for candidate in candidates {
        let name = format!("{}, 1 connection", candidate.name);
        rows.push((name, &candidate.measured.alone));
    }
    rows.push((pgbench_name(1), &pgbench.alone));
    Table::of_rounds("create, PostgreSQL", rows)
}

/// Adds the figures of the goals to the report.
fn report_goals(
    context: &mut Context,
    candidates: &[Candidate],
    pgbench: &Measured,
    clients: usize,
) -> Result<(), BenchError> {
    let find = |name| candidates.iter().find(|candidate| candidate.name == name);
    let Some(service) = find(SERVICE) else {
        return Ok(());
    };
    let report = &mut context.report;
    let rate = |round: &Round| round.rate;
    let (many, alone) = (&service.measured.many, &service.measured.alone);
    let against_pgbench = many.ratio(&pgbench.many, rate);
    let note = format!("{clients} clients");
    report.find(Goal::CreateAgainstPgbench, against_pgbench, note);
    let one_connection = alone.ratio(&pgbench.alone, rate);
    report.find(Goal::CreateOneConnection, one_connection, "");
    let ours = many.each(|round| round.service_cpu + round.database_cpu);
    let theirs = pgbench
        .many
        .each(|round| round.client_cpu + round.database_cpu);
    report.find(Goal::CreateCpu, Spread::of_ratios(&ours, &theirs), "");
    if let Some(fastify) = find(FASTIFY) {
        let theirs = &fastify.measured.many;
        report.find(Goal::CreateAgainstFastify, many.ratio(theirs, rate), "");
        let tail = many.ratio(theirs, |round| round.p99.unwrap_or_default());
        report.find(Goal::CreateTailAgainstFastify, tail, "");
    }
    let peak = megabytes(process::memory(service.server.pid())?.peak);
    let note = "the most during `create`";
    report.find(Goal::MemoryLoad, Spread::of([peak]), note);
    Ok(())
}

/// Bytes in megabytes.
#[expect(
    clippy::cast_precision_loss,
    reason = "a process has far less than 2^52 bytes"
)]
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
