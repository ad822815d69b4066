//! New orders in PostgreSQL: the service, Fastify and pgbench, in turns.

use std::time::Duration;

use crate::Failure;
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
const FASTEST: u64 = 16_000;
/// The same for one connection.
const FASTEST_ALONE: u64 = 5_000;
/// What the goals are about.
const CONNECTIONS: usize = 64;
/// Stores whose orders are mixed, to see what that costs.
const STORES: usize = 16;
/// The database that pgbench works on.
const PGBENCH: &str = "create_pgbench";

/// A server that takes orders, and what it did.
struct Candidate {
    name: &'static str,
    server: Server,
    many: Rounds,
    alone: Rounds,
}

const SERVICE: &str = "pressline";
const FASTIFY: &str = "Fastify + pg, 2 processes";

/// Measures, and notes what was found.
pub(crate) fn run(context: &mut Context) -> Result<(), Failure> {
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
    let (mut pgbench, mut pgbench_alone, mut apart) =
        (Rounds::default(), Rounds::default(), Rounds::default());
    for round in 0..context.options.rounds() {
        say(&format!(
            "create: round {} of {}",
            round + 1,
            context.options.rounds()
        ));
        let seconds = context.options.seconds();
        for (connections, fastest, many) in
            [(connections, FASTEST, true), (1, FASTEST_ALONE, false)]
        {
            let requests = context.creates(
                account,
                &format!("R{round}C{connections}-"),
                fastest * seconds,
            )?;
            // Who begins changes from round to round.
            let count = candidates.len();
            for turn in 0..count {
                let Some(candidate) = candidates.get_mut((round + turn) % count) else {
                    continue;
                };
                let done = measure(context, &candidate.server, &requests, connections)?;
                if many {
                    candidate.many.0.push(done)
                } else {
                    candidate.alone.0.push(done)
                }
            }
            context.cluster.settle()?;
            let place = (&context.cluster, PGBENCH);
            let used = if many { clients } else { 1 };
            let done = context
                .pgbench
                .run(&script, place, used, context.duration())?;
            if many {
                pgbench.0.push(done)
            } else {
                pgbench_alone.0.push(done)
            }
        }
        if let Some(service) = candidates.first() {
            let requests =
                context.creates(&many_stores, &format!("R{round}S-"), FASTEST * seconds)?;
            apart
                .0
                .push(measure(context, &service.server, &requests, connections)?);
        }
    }
    let name = format!("{SERVICE}, {connections} connections, orders of {STORES} stores");
    note(
        context,
        &candidates,
        (&pgbench, &pgbench_alone),
        (connections, clients),
        (name, &apart),
    )
}

/// Copies of the same filled database, so that each candidate starts from the same state.
fn candidates(context: &Context, filled: &Filled) -> Result<Vec<Candidate>, Failure> {
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let candidate = |name, server| Candidate {
        name,
        server,
        many: Rounds::default(),
        alone: Rounds::default(),
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
fn stores(context: &Context, filled: &Filled) -> Result<Vec<Account>, Failure> {
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
) -> Result<Round, Failure> {
    context.cluster.settle()?;
    let load = Load {
        address: server.address,
        connections,
        duration: context.duration(),
        requests,
        repeat: false,
    };
    context.measure(server, &load, CREATED)
}

fn warm_up(
    context: &Context,
    candidates: &[Candidate],
    account: &[Account],
    connections: usize,
) -> Result<(), Failure> {
    let requests = context.creates(account, "WARM", FASTEST)?;
    for candidate in candidates {
        let duration = Duration::from_secs(1);
        let address = candidate.server.address;
        Load {
            address,
            connections,
            duration,
            requests: &requests,
            repeat: false,
        }
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
) -> Result<usize, Failure> {
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

fn note(
    context: &mut Context,
    candidates: &[Candidate],
    (pgbench, pgbench_alone): (&Rounds, &Rounds),
    (connections, clients): (usize, usize),
    apart: (String, &Rounds),
) -> Result<(), Failure> {
    let report = &mut context.report;
    let pgbench_name = |clients| format!("pgbench, one CTE an order, {clients} clients");
    let mut rows: Vec<(String, &Rounds)> = candidates
        .iter()
        .map(|c| (format!("{}, {connections} connections", c.name), &c.many))
        .collect();
    rows.push(apart);
    rows.push((pgbench_name(clients), pgbench));
    rows.extend(
        candidates
            .iter()
            .map(|c| (format!("{}, 1 connection", c.name), &c.alone)),
    );
    rows.push((pgbench_name(1), pgbench_alone));
    report
        .tables
        .push(Table::of_rounds("create, PostgreSQL", rows));
    let find = |name| candidates.iter().find(|candidate| candidate.name == name);
    let Some(service) = find(SERVICE) else {
        return Ok(());
    };
    let rate = |round: &Round| round.rate;
    report.find(
        Goal::CreateAgainstPgbench,
        service.many.ratio(pgbench, rate),
        format!("{clients} clients"),
    );
    report.find(
        Goal::CreateOneConnection,
        service.alone.ratio(pgbench_alone, rate),
        "",
    );
    let ours = service
        .many
        .each(|round| round.service_cpu + round.database_cpu);
    let theirs = pgbench.each(|round| round.client_cpu + round.database_cpu);
    report.find(Goal::CreateCpu, Spread::of_ratios(&ours, &theirs), "");
    if let Some(fastify) = find(FASTIFY) {
        report.find(
            Goal::CreateAgainstFastify,
            service.many.ratio(&fastify.many, rate),
            "",
        );
        let tail = service
            .many
            .ratio(&fastify.many, |round| round.p99.unwrap_or_default());
        report.find(Goal::CreateTailAgainstFastify, tail, "");
    }
    let memory = process::memory(service.server.pid())?;
    report.find(
        Goal::MemoryLoad,
        Spread::of([megabytes(memory.peak)]),
        "the most during `create`",
    );
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
