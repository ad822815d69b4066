//! New orders of many stores on Citus with three nodes, against one PostgreSQL on the same machine.

use std::rc::Rc;

use pressline_testkit::{Citus, Postgres};

use crate::BenchError;
use crate::contest::Contest;
use crate::context::Context;
use crate::figures::{Round, ratios};
use crate::progress::say;
use crate::report::{Table, judged};
use crate::request::Orders;
use crate::service::Service;

use super::create::{cpu_of_server, orders};

/// Fewer than in `create`: the orders of a group are written store by store, and each waits for those before
/// it.
const CONNECTIONS: usize = 16;
const WORKERS: usize = 2;
/// The database on one PostgreSQL.
const PLAIN: &str = "create_plain";

/// Measures where Citus is installed, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    // A line says that it is skipped.
    let Some(cluster) = Citus::start_durable(WORKERS)? else {
        return Ok(());
    };
    let stores = context.options.scale().compared_stores;
    say(&format!("create: {stores} stores, Citus"));
    let database = cluster.create_database()?;
    let distributed = context.service_at(database.url()).without_bounds();
    distributed.prepare(context.catalog())?;
    distributed.distribute()?;
    context.cluster.create(PLAIN, None)?;
    let plain = context.service(PLAIN);
    plain.prepare(context.catalog())?;

    let names = ["one PostgreSQL", "Citus"].map(|name| format!("{name}, {stores} stores"));
    let [plain_name, distributed_name] = &names;
    let nodes = cluster.nodes().iter().filter_map(Postgres::process_id);
    let mut contest = Contest::default();
    add(context, &mut contest, plain_name, &plain, Vec::new())?;
    let nodes = nodes.collect();
    add(context, &mut contest, distributed_name, &distributed, nodes)?;
    contest.measure(context, "create, Citus")?;
    let table = contest.table("create, one PostgreSQL and Citus");
    context.report.tables.push(table);
    if let Some(ratios) = ratios_of(&contest, distributed_name, plain_name) {
        context.report.tables.push(ratios);
    }
    Ok(())
}

/// Adds a server whose stores send orders.
fn add(
    context: &Context,
    contest: &mut Contest,
    name: &str,
    service: &Service,
    nodes: Vec<u32>,
) -> Result<(), BenchError> {
    let accounts = service.create_stores(context.options.scale().compared_stores)?;
    let first = accounts.first().ok_or("there is no store")?;
    let mixed = Orders {
        accounts: accounts.clone(),
        ..Orders::of_store(&context.samples, first)
    };
    let server = Rc::new(service.serve()?.on_nodes(nodes));
    let connections = context.options.connections(CONNECTIONS);
    contest.add(name, orders(&server, &mixed, connections));
    Ok(())
}

/// The ratios of one candidate to another, round by round.
fn ratios_of(contest: &Contest, ours: &str, theirs: &str) -> Option<Table> {
    let (ours, theirs) = (contest.rounds_of(ours)?, contest.rounds_of(theirs)?);
    let cell =
        |figure: fn(&Round) -> f64| judged(&ratios(&ours.each(figure), &theirs.each(figure)));
    let mut table = Table::new(
        "create, Citus with three nodes : one PostgreSQL, ratios of the same round",
        [
            "",
            "CPU of service and database (min to max)",
            "a second",
            "p99",
        ],
    );
    table.rows.push(vec![
        "create, many stores".to_owned(),
        cell(cpu_of_server),
        cell(|round| round.rate),
        cell(|round| round.p99.unwrap_or_default()),
    ]);
    Some(table)
}
