//! Orders that exist in SQLite.

use std::rc::Rc;
use std::time::Duration;

use super::{CONNECTIONS, OK, add_service, report_move, with_history};
use crate::BenchError;
use crate::calls::Calls;
use crate::contest::Contest;
use crate::context::Context;
use crate::fill::SERIES;
use crate::goals::Goal;
use crate::load::Load;
use crate::progress::say;
use crate::sample::order_id;
use crate::statements::hot_orders;

/// How long the orders may take to be created.
const FILL_TIME: Duration = Duration::from_secs(600);

/// Measures while PostgreSQL is stopped, and adds the figures to the report.
pub(super) fn run(context: &mut Context) -> Result<(), BenchError> {
    context.cluster.stop()?;
    measure(context)?;
    context.cluster.restart()
}

fn measure(context: &mut Context) -> Result<(), BenchError> {
    say("existing orders: SQLite");
    // Next to the report and not in the folder for temporary files, which may be in memory.
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let url = format!("sqlite://{}", folder.path().join("existing.db").display());
    let service = context.service_at(&url).without_bounds();
    service.prepare(context.catalog())?;
    let account = service.create_store("Hot", "HOT")?.account;
    let server = Rc::new(service.serve()?);
    // As many as the store has in PostgreSQL.
    let orders = hot_orders(context.options.other_orders());
    let requests = context.creates(&account, SERIES, orders)?;
    let fill = Load::once(server.address, CONNECTIONS, FILL_TIME, &requests);
    let created = fill.run()?.all(OK)?.responses() as u64;
    let order_ids: Vec<String> = (0..created).map(|j| order_id(SERIES, j)).collect();
    let moves = with_history(&server, &account, &order_ids)?;
    let calls = Rc::new(Calls::new(&context.samples, &account, order_ids, moves));
    let mut contest = Contest::default();
    let names = add_service(context, &mut contest, &server, &calls);
    contest.measure(context, "existing orders, SQLite")?;
    let title = format!("existing orders, SQLite, {created} orders");
    context.report.tables.push(contest.table(&title));
    report_move(context, &contest, &names, Goal::MoveSqlite);
    Ok(())
}
