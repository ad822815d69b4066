//! New orders of many stores on a three-node Citus cluster, compared with a single PostgreSQL
//! server on the same machine.

use pressline_testkit::{Citus, Postgres};

use crate::contest::{Contest, creates};
use crate::context::Context;
use crate::error::BenchError;
use crate::service::UNBOUNDED;

use super::THROUGHPUT;

/// Fewer than in `create`: a group is written store by store, and each order waits for the orders
/// before it.
const CONNECTIONS: usize = 16;
const WORKERS: usize = 2;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    // `start_durable` prints that the task is skipped.
    let Some(cluster) = Citus::start_durable(WORKERS)? else {
        return Ok(());
    };
    let database = cluster.create_database()?;
    context.cluster.create("plain", None)?;
    let nodes = cluster.nodes().iter().filter_map(Postgres::process_id);
    let stores = context.options.scale().stores;
    let mut contest = Contest::default();
    for (name, url, nodes) in [
        (
            "create, one PostgreSQL",
            context.cluster.url("plain"),
            Vec::new(),
        ),
        ("create, Citus", database.url().to_owned(), nodes.collect()),
    ] {
        let service = context.service(url);
        service.prepare(context.catalog())?;
        if !nodes.is_empty() {
            service.distribute()?;
        }
        let orders = crate::request::Orders {
            samples: context.samples.clone(),
            accounts: service.create_stores(stores)?,
            items: crate::sample::ITEMS,
        };
        let mut server = service.serve(UNBOUNDED)?;
        server.nodes = nodes;
        let connections = context.options.allowed(CONNECTIONS);
        contest.add(name, creates(&server.into(), orders, connections));
    }
    let title = format!("Citus, {stores} stores");
    contest.measure(context, &title, THROUGHPUT)
}
