//! New orders in SQLite: the service, and a transaction an order.

use std::fs;

use crate::BenchError;
use crate::context::Context;
use crate::figures::Rounds;
use crate::goals::Goal;
use crate::load::Load;
use crate::progress::say;
use crate::report::Table;
use crate::service::Service;
use crate::sqlite;

use super::create::CREATED;

/// What the goal is about.
const CONNECTIONS: usize = 32;
/// More orders a second than the service takes.
const MAX_RATE: u64 = 16_000;

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("create: SQLite");
    // Next to the report and not in the folder for temporary files, which may be in memory.
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let (ours, theirs) = (
        folder.path().join("service.db"),
        folder.path().join("plain.db"),
    );
    let service = Service::new(
        &context.options.server,
        &format!("sqlite://{}", ours.display()),
    );
    service.prepare(context.catalog())?;
    let store = service.create_store("Hot", "HOT")?;
    fs::copy(&ours, &theirs)?;
    let server = service.serve()?;
    let connections = context.options.connections(CONNECTIONS);
    let (mut served, mut plain, mut next) = (Rounds::default(), Rounds::default(), 1);
    for round in context.rounds("create, SQLite") {
        let count = MAX_RATE * context.options.seconds();
        let requests = context.creates(
            std::slice::from_ref(&store.account),
            &format!("R{round}-"),
            count,
        )?;
        let duration = context.duration();
        let load = Load::once(server.address, connections, duration, &requests);
        served.0.push(context.measure(&server, &load, CREATED)?);
        drop(requests);
        let reference = store.reference();
        plain.0.push(sqlite::transaction_an_order(
            &theirs,
            &context.samples,
            &reference,
            &mut next,
            duration,
        )?);
    }
    let rows = [
        (format!("pressline, {connections} connections"), &served),
        ("a transaction an order, in one process".to_owned(), &plain),
    ];
    context
        .report
        .tables
        .push(Table::of_rounds("create, SQLite", rows));
    context.report.find(
        Goal::CreateSqlite,
        served.ratio(&plain, |round| round.rate),
        "",
    );
    Ok(())
}
