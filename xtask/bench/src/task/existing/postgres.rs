//! Orders that exist in PostgreSQL, against pgbench.

use std::rc::Rc;

use super::{add_service, hot_index, report_move, with_history};
use crate::BenchError;
use crate::calls::{Calls, Kind};
use crate::contest::Contest;
use crate::context::Context;
use crate::fill::SERIES;
use crate::goals::Goal;
use crate::progress::say;
use crate::sample::order_id;
use crate::statements::{self, Statements, hot_orders};
use crate::task::create::{best_clients, script};

const PGBENCH: &str = "existing_pgbench";

/// Measures, and adds the figures to the report.
pub(super) fn run(context: &mut Context) -> Result<(), BenchError> {
    say("existing orders: PostgreSQL");
    let filled = context.filled("existing", context.options.other_orders())?;
    let service = context.service(&filled.database);
    let account = &filled.hot.account;
    let hot = 0..hot_orders(filled.orders);
    let order_ids: Vec<String> = hot.map(|j| order_id(SERIES, hot_index(j))).collect();
    // The server ends with this statement, so that its database can be copied.
    let moves = with_history(&service.serve()?, account, &order_ids)?;
    context.cluster.create(PGBENCH, Some(&filled.database))?;
    context.cluster.run(PGBENCH, statements::SEQUENCE)?;
    let calls = Rc::new(Calls::new(&context.samples, account, order_ids, moves));
    let server = Rc::new(service.serve()?);
    let mut contest = Contest::default().counting();
    let names = add_service(context, &mut contest, &server, &calls);
    let reference = filled.hot.reference();
    let statements = Statements::new(&context.samples, &reference)?;
    let mut peers = Vec::new();
    for (kind, _) in &names {
        let statement = Rc::new(statements.existing(*kind, filled.orders)?);
        let clients = best_clients(context, PGBENCH, &statement)?;
        let name = format!("{}, pgbench, one CTE, {clients} clients", kind.name());
        contest.add(&name, script(&statement, PGBENCH, clients));
        peers.push(name);
    }
    contest.measure(context, "existing orders")?;
    let title = format!("existing orders, PostgreSQL, {} orders", filled.orders);
    context.report.tables.push(contest.table(&title));
    for ((kind, ours), theirs) in names.iter().zip(&peers) {
        if matches!(kind, Kind::Update | Kind::Move) {
            let title = format!("{}, PostgreSQL, what it adds", kind.name());
            let table = contest.rows_table(title, [ours, theirs]);
            context.report.tables.push(table);
        }
        report_rate(context, &contest, *kind, [ours, theirs]);
    }
    report_move(context, &contest, &names, Goal::Move);
    Ok(())
}

/// The throughput of a kind of calls, divided by pgbench's, where a goal is about it.
fn report_rate(context: &mut Context, contest: &Contest, kind: Kind, names: [&str; 2]) {
    let goal = match kind {
        Kind::Get => Goal::Get,
        Kind::Update => Goal::Update,
        Kind::History | Kind::Move => return,
    };
    let [ours, theirs] = names.map(|name| contest.rounds_of(name));
    let ratio = ours
        .zip(theirs)
        .and_then(|(ours, theirs)| ours.ratio(theirs, |round| round.rate));
    context.report.find(goal, ratio, "");
}
