//! New orders: the service, pgbench and Fastify on PostgreSQL; the service and one transaction per
//! order on SQLite.

use std::rc::Rc;

use crate::contest::{Contest, best, creates, pgbench};
use crate::context::Context;
use crate::error::{BenchError, say};
use crate::figures::{Figure, Round};
use crate::options::Backend;
use crate::peer::Peer;
use crate::process::resident;
use crate::request::Orders;
use crate::service::UNBOUNDED;
use crate::sqlite;
use crate::statements::Statements;
use crate::world::{World, copy_file, file_of};

use super::COMPARED;

const CONNECTIONS: usize = 64;
const SQLITE_CONNECTIONS: usize = 32;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let backends: Vec<Backend> = context.options.backends().collect();
    for backend in backends {
        context.enter(backend)?;
        let world = context.world(backend)?;
        match backend {
            Backend::Postgres => postgres(context, &world)?,
            Backend::Sqlite => in_sqlite(context, &world)?,
        }
    }
    Ok(())
}

fn postgres(context: &mut Context, world: &World) -> Result<(), BenchError> {
    let mut contest = Contest::default();
    let server = world.serve(UNBOUNDED)?;
    let connections = context.options.allowed(CONNECTIONS);
    let orders = world.hot_orders();
    let many = creates(&server, orders.clone(), connections);
    contest.add_counted("create, 64 connections", &world.name, many);
    let one = creates(&server, orders.clone(), 1);
    contest.add("create, 1 connection", one);
    let mixed = Orders {
        samples: context.varied.clone(),
        ..world.orders_of_stores(world.accounts.len())
    };
    contest.add("create, 200 stores", creates(&server, mixed, connections));
    add_pgbench(context, &mut contest)?;
    add_fastify(context, &mut contest, &orders)?;
    contest.measure(context, "Create, PostgreSQL", COMPARED)?;
    // The peak of the process, after the full load.
    let peak = Round::new(Figure::Memory, resident(server.pid())?.peak);
    let candidate = ("full load".to_owned(), vec![peak]);
    let title = "Memory after creating";
    context
        .report
        .add(title, &[Figure::Memory], vec![candidate]);
    Ok(())
}

fn add_pgbench(context: &Context, contest: &mut Contest) -> Result<(), BenchError> {
    if context.pgbench.is_none() {
        return Ok(());
    }
    let (world, scale) = (context.world(Backend::Postgres)?, context.options.scale());
    let database = world.name.as_str();
    let create = Statements::new(context, &context.samples, &world)?.create();
    let run = pgbench(context, (create.clone(), database), scale.clients)?;
    contest.add_counted("create, pgbench", database, run);
    let run = pgbench(context, (create, database), &[1])?;
    contest.add("create, pgbench, 1 client", run);
    // A fresh copy, so that both scripts find the same number of orders.
    let world = context.world(Backend::Postgres)?;
    let statements = Statements::new(context, &context.varied, &world)?;
    let mixed = statements.create_for_stores(scale.stores);
    let run = pgbench(context, (mixed, &world.name), scale.clients)?;
    contest.add("create, pgbench, 200 stores", run);
    Ok(())
}

/// Adds the peer without and with search words, if it can be installed.
fn add_fastify(
    context: &Context,
    contest: &mut Contest,
    orders: &Orders,
) -> Result<(), BenchError> {
    // The smallest scale runs in tests, which use no network.
    let Some(peer) = Peer::install(&context.options.output, context.options.tiny)? else {
        return Ok(());
    };
    let connections = context.options.allowed(CONNECTIONS);
    for (words, name) in [
        (false, "create, Fastify"),
        (true, "create, Fastify, search words"),
    ] {
        let serve = |pool| {
            let server = peer.serve(context, orders, words, pool);
            server.map(|server| creates(&Rc::new(server), orders.clone(), connections))
        };
        let pool = best(context, context.options.scale().clients, |pool| {
            let mut run = serve(*pool)?;
            // The first window warms up the JIT compiler of the JavaScript engine.
            run(context, &format!("WARM{pool}-"))?;
            run(context, &format!("POOL{pool}-"))
        })?;
        say(&format!("{name}: pools of {pool}"));
        contest.add(name, serve(pool)?);
    }
    Ok(())
}

fn in_sqlite(context: &mut Context, world: &World) -> Result<(), BenchError> {
    let file = file_of(&world.service.database);
    let copy = context.folder().join("plain.db");
    copy_file(&file, &copy)?;
    let server = world.serve(UNBOUNDED)?;
    let connections = context.options.allowed(SQLITE_CONNECTIONS);
    let mut contest = Contest::default();
    let run = creates(&server, world.hot_orders(), connections);
    contest.add("create, SQLite", run);
    // Copies orders that the service has written before.
    let run = move |context: &Context, _: &str| {
        sqlite::transaction_per_order(&file, &copy, context.window())
    };
    contest.add("one transaction per order", Box::new(run));
    contest.measure(context, "Create, SQLite", COMPARED)
}
