//! New orders: the service, pgbench and Fastify, in turns.

mod fastify;
mod postgres;
mod sqlite;
mod stores;

use std::rc::Rc;

use crate::BenchError;
use crate::contest::Work;
use crate::context::Context;
use crate::figures::Round;
use crate::options::StoreKind;
use crate::pgbench::Script;
use crate::progress::say;
use crate::request::Orders;
use crate::service::Server;

/// More orders a second than any candidate takes on many connections; so many are made ready.
pub(crate) const FASTEST: u64 = 16_000;
/// The same for each of a few connections.
const FASTEST_PER_CONNECTION: u64 = 5_000;
/// What the goals are about.
const CONNECTIONS: usize = 64;
/// Items of a large order, as many as there may be.
pub(crate) const MOST_ITEMS: usize = 100;

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    if context.options.wants_store(StoreKind::Postgres) {
        postgres::run(context)?;
        stores::run(context)?;
    }
    if context.options.wants_store(StoreKind::Sqlite) {
        sqlite::run(context)?;
    }
    Ok(())
}

/// The work of a server that gets these orders.
pub(crate) fn orders(server: &Rc<Server>, orders: &Orders, connections: usize) -> Work {
    let fastest = FASTEST_PER_CONNECTION * connections as u64;
    // A large order takes as much as its items.
    let smaller = (orders.items / crate::sample::ITEMS).max(1) as u64;
    Work::Orders {
        server: Rc::clone(server),
        orders: orders.clone(),
        connections,
        fastest: fastest.min(FASTEST) / smaller,
    }
}

/// The work of pgbench.
pub(crate) fn script(script: &Rc<Script>, database: &str, clients: usize) -> Work {
    Work::Script {
        script: Rc::clone(script),
        database: database.to_owned(),
        clients,
    }
}

/// The client count with which pgbench does most.
pub(crate) fn best_clients(
    context: &Context,
    database: &str,
    script: &Script,
) -> Result<usize, BenchError> {
    let place = (&context.cluster, database);
    let mut best = (0, 0.0);
    for clients in context.options.scale().clients.iter().copied() {
        context.cluster.settle()?;
        let duration = context.duration();
        let rate = context.pgbench.run(script, place, clients, duration)?.rate;
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

/// CPU seconds per 1000 operations of all that a candidate consists of. pgbench's client is a part of
/// it, in place of the service; the load generator of a server is not.
pub(crate) fn cpu_of_server(round: &Round) -> f64 {
    round.service_cpu + round.database_cpu
}

/// The same of pgbench.
fn cpu_of_pgbench(round: &Round) -> f64 {
    round.client_cpu + round.database_cpu
}
