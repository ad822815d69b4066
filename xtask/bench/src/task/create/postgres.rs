//! Orders of one store in PostgreSQL.

use std::rc::Rc;

use super::{
    CONNECTIONS, MOST_ITEMS, best_clients, cpu_of_pgbench, cpu_of_server, fastify, orders, script,
};
use crate::BenchError;
use crate::contest::Contest;
use crate::context::{Context, Filled};
use crate::figures::{Round, Spread};
use crate::goals::Goal;
use crate::process::{self, megabytes};
use crate::progress::say;
use crate::request::Orders;
use crate::sample::ITEMS;
use crate::service::Server;
use crate::statements::{self, Numbers, Statements};

/// The database that pgbench works on: a copy, so that it starts from the same state.
const PGBENCH: &str = "create_pgbench";
/// Connections besides those of the goals.
const FURTHER: [usize; 4] = [4, 8, 16, 256];
/// Connections of orders of 100 items.
const LARGE_CONNECTIONS: usize = 16;
const FASTIFY: &str = "Fastify + pg, 2 processes, no search words";
const FASTIFY_WORDS: &str = "Fastify + pg, 2 processes, search words in a GIN index";

/// Measures, and adds the figures to the report.
pub(super) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("create: PostgreSQL, one store");
    let filled = context.filled("create_service", context.options.other_orders())?;
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let server = Rc::new(context.service(&filled.database).serve()?);
    let connections = context.options.connections(CONNECTIONS);
    let names = Names::new(connections);
    let mut contest = Contest::default().counting();
    add_service(context, &mut contest, &server, &filled, &names);
    let clients = add_pgbench(context, &mut contest, &filled, &names)?;
    fastify::add(context, &mut contest, &filled.hot.account, &names)?;
    contest.measure(context, "create")?;
    let title = "create, PostgreSQL, one store";
    context.report.tables.push(contest.table(title));
    let title = "create, PostgreSQL, what an order adds";
    let table = contest.rows_table(title, [&names.service, &names.pgbench]);
    context.report.tables.push(table);
    report_goals(context, &contest, &names, clients);
    let peak = megabytes(process::memory(server.pid())?.peak);
    let note = "the most during `create`";
    context
        .report
        .find(Goal::MemoryLoad, Spread::of([peak]), note);
    let title = "create, PostgreSQL, one store, steady state";
    let steady = [names.service.as_str(), &names.pgbench, &names.fastify];
    let table = contest.steady(context, title, &steady)?;
    context.report.tables.push(table);
    Ok(())
}

/// The names of the candidates that goals are about.
pub(super) struct Names {
    pub(super) connections: usize,
    service: String,
    service_alone: String,
    pgbench: String,
    pgbench_alone: String,
    pub(super) fastify: String,
    pub(super) fastify_words: String,
}

impl Names {
    fn new(connections: usize) -> Self {
        let many = |name| format!("{name}, {connections} connections");
        Self {
            connections,
            service: many("pressline"),
            service_alone: "pressline, 1 connection".to_owned(),
            pgbench: "pgbench, one CTE an order, its best client count".to_owned(),
            pgbench_alone: "pgbench, one CTE an order, 1 client".to_owned(),
            fastify: many(FASTIFY),
            fastify_words: many(FASTIFY_WORDS),
        }
    }
}

fn add_service(
    context: &Context,
    contest: &mut Contest,
    server: &Rc<Server>,
    filled: &Filled,
    names: &Names,
) {
    let small = Orders::of_store(&context.samples, &filled.hot.account);
    let large = Orders {
        items: MOST_ITEMS,
        ..small.clone()
    };
    contest.add(&names.service, orders(server, &small, names.connections));
    contest.add(&names.service_alone, orders(server, &small, 1));
    let further = FURTHER.map(|connections| context.options.allowed(connections));
    for connections in further {
        let name = format!("pressline, {connections} connections, further");
        contest.add(name, orders(server, &small, connections));
    }
    let connections = context.options.allowed(LARGE_CONNECTIONS);
    let name = format!("pressline, {connections} connections, orders of {MOST_ITEMS} items");
    contest.add(name, orders(server, &large, connections));
}

/// Adds pgbench's candidates; returns its best client count.
fn add_pgbench(
    context: &Context,
    contest: &mut Contest,
    filled: &Filled,
    names: &Names,
) -> Result<usize, BenchError> {
    let store = filled.hot.reference();
    let statements = Statements::new(&context.samples, &store)?;
    let create = Rc::new(statements.create(ITEMS, Numbers::Sequence)?);
    let clients = best_clients(context, PGBENCH, &create)?;
    contest.add(&names.pgbench, script(&create, PGBENCH, clients));
    contest.add(&names.pgbench_alone, script(&create, PGBENCH, 1));
    let counter = Rc::new(statements.create(ITEMS, Numbers::Counter)?);
    let name = "pgbench, numbers from the store's counter";
    contest.add(name, script(&counter, PGBENCH, clients));
    let large = Rc::new(statements.create(MOST_ITEMS, Numbers::Sequence)?);
    let name = format!("pgbench, orders of {MOST_ITEMS} items");
    contest.add(name, script(&large, PGBENCH, clients));
    Ok(clients)
}

/// Adds the figures of the goals to the report.
fn report_goals(context: &mut Context, contest: &Contest, names: &Names, clients: usize) {
    let report = &mut context.report;
    let find = |name: &str| contest.rounds_of(name);
    let (Some(service), Some(pgbench)) = (find(&names.service), find(&names.pgbench)) else {
        return;
    };
    let rate = |round: &Round| round.rate;
    let note = format!("{clients} clients");
    report.find(
        Goal::CreateAgainstPgbench,
        service.ratio(pgbench, rate),
        note,
    );
    let (ours, theirs) = (service.each(cpu_of_server), pgbench.each(cpu_of_pgbench));
    report.find(Goal::CreateCpu, Spread::of_ratios(&ours, &theirs), "");
    let wal = |round: &Round| round.added.map_or(0.0, |added| added.wal_bytes);
    let note = "without page images";
    report.find(Goal::CreateWal, service.ratio(pgbench, wal), note);
    let alone = find(&names.service_alone).zip(find(&names.pgbench_alone));
    let alone = alone.and_then(|(ours, theirs)| ours.ratio(theirs, rate));
    report.find(Goal::CreateOneConnection, alone, "");
    if let Some(fastify) = find(&names.fastify) {
        let against = service.ratio(fastify, rate);
        report.find(Goal::CreateAgainstFastify, against, "");
        let tail = service.ratio(fastify, |round| round.p99.unwrap_or_default());
        report.find(Goal::CreateTailAgainstFastify, tail, "");
    }
    if let Some(fastify) = find(&names.fastify_words) {
        let against = service.ratio(fastify, rate);
        report.find(Goal::CreateAgainstFastifyWords, against, "");
    }
}
