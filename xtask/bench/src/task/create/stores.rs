//! Orders of many stores, of which few have most orders, with a large catalog.

use std::rc::Rc;
use std::sync::Arc;

use super::{CONNECTIONS, best_clients, orders, script};
use crate::BenchError;
use crate::catalog;
use crate::contest::Contest;
use crate::context::Context;
use crate::goals::Goal;
use crate::progress::say;
use crate::request::{Account, Orders};
use crate::sample::{ITEMS, Samples};
use crate::scale::Scale;
use crate::statements::{self, Statements};

const PGBENCH: &str = "stores_pgbench";
/// Numbers of writers besides the default, which is what the service is measured with elsewhere.
const WRITERS: [&str; 2] = ["1", "4"];

/// Measures, and adds the figures to the report.
pub(super) fn run(context: &mut Context) -> Result<(), BenchError> {
    let Scale { stores, skus, .. } = *context.options.scale();
    say(&format!("create: {stores:?} stores, {skus} SKUs"));
    let samples = Arc::new(Samples::new(catalog::products(skus)));
    let orders_before = context.options.other_orders();
    let filled = context.filled_of("stores_service", orders_before, &samples)?;
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let most = stores.iter().copied().max().unwrap_or_default();
    let service = context.service(&filled.database);
    let accounts = service.create_stores(most)?;
    let server = Rc::new(service.serve()?);
    let connections = context.options.connections(CONNECTIONS);
    let store = filled.hot.reference();
    let statements = Statements::new(&samples, &store)?;
    let mut contest = Contest::default().counting();
    for count in stores {
        let mixed = mixed(&samples, &accounts, count);
        contest.add(service_name(count), orders(&server, &mixed, connections));
        let create = Rc::new(statements.create_for_stores(count as u64)?);
        let clients = best_clients(context, PGBENCH, &create)?;
        contest.add(pgbench_name(count), script(&create, PGBENCH, clients));
    }
    let [first, _] = stores;
    let mixed = mixed(&samples, &accounts, first);
    for writers in WRITERS {
        let service = context.service(&filled.database).with_writers(writers);
        let server = Rc::new(service.serve()?);
        let name = format!("{}, database.writers = {writers}", service_name(first));
        contest.add(name, orders(&server, &mixed, connections));
    }
    contest.measure(context, "create, many stores")?;
    let title = format!("create, PostgreSQL, many stores, {skus} SKUs, {connections} connections");
    context.report.tables.push(contest.table(&title));
    let ours = contest.rounds_of(&service_name(first));
    let ratio = ours
        .zip(contest.rounds_of(&pgbench_name(first)))
        .and_then(|(ours, theirs)| ours.ratio(theirs, |round| round.rate));
    let note = format!("{first} stores");
    context.report.find(Goal::CreateManyStores, ratio, note);
    Ok(())
}

/// Orders of the first of these stores.
fn mixed(samples: &Arc<Samples>, accounts: &[Account], stores: usize) -> Orders {
    Orders {
        samples: Arc::clone(samples),
        accounts: accounts.iter().take(stores).cloned().collect(),
        items: ITEMS,
    }
}

fn service_name(stores: usize) -> String {
    format!("pressline, {stores} stores")
}

fn pgbench_name(stores: usize) -> String {
    format!("pgbench, {stores} stores")
}
