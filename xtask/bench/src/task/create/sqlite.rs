//! New orders in SQLite: the service, and a transaction an order.

use std::fs;
use std::rc::Rc;

use super::orders;
use crate::BenchError;
use crate::contest::{Contest, Work};
use crate::context::Context;
use crate::goals::Goal;
use crate::progress::say;
use crate::request::Orders;

/// What the goal is about.
const CONNECTIONS: usize = 32;
const PLAIN: &str = "a transaction an order, in one process";

/// Measures while PostgreSQL is stopped, and adds the figures to the report.
pub(super) fn run(context: &mut Context) -> Result<(), BenchError> {
    context.cluster.stop()?;
    measure(context)?;
    context.cluster.restart()
}

fn measure(context: &mut Context) -> Result<(), BenchError> {
    say("create: SQLite");
    // Next to the report and not in the folder for temporary files, which may be in memory.
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let (ours, theirs) = (
        folder.path().join("service.db"),
        folder.path().join("plain.db"),
    );
    let service = context
        .service_at(&format!("sqlite://{}", ours.display()))
        .without_bounds();
    service.prepare(context.catalog())?;
    let store = service.create_store("Hot", "HOT")?;
    fs::copy(&ours, &theirs)?;
    let server = Rc::new(service.serve()?);
    let connections = context.options.connections(CONNECTIONS);
    let name = format!("pressline, {connections} connections");
    let samples = Orders::of_store(&context.samples, &store.account);
    let mut contest = Contest::default();
    contest.add(&name, orders(&server, &samples, connections));
    contest.add("pressline, 1 connection", orders(&server, &samples, 1));
    let plain = Work::Transactions {
        file: theirs,
        store: store.reference(),
    };
    contest.add(PLAIN, plain);
    contest.measure(context, "create, SQLite")?;
    context.report.tables.push(contest.table("create, SQLite"));
    let ratio = contest
        .rounds_of(&name)
        .zip(contest.rounds_of(PLAIN))
        .and_then(|(ours, theirs)| ours.ratio(theirs, |round| round.rate));
    context.report.find(Goal::CreateSqlite, ratio, "");
    let table = contest.steady(context, "create, SQLite, one long run", &[&name, PLAIN])?;
    context.report.tables.push(table);
    Ok(())
}
