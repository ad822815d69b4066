//! Orders that exist: reading one, its history, updates, and moves.

mod postgres;
mod sqlite;

use std::rc::Rc;
use std::time::Duration;

use crate::BenchError;
use crate::calls::{Calls, EVENTS, Kind};
use crate::contest::{Contest, Work};
use crate::context::Context;
use crate::figures::Spread;
use crate::fill::HOT_PERCENT;
use crate::goals::Goal;
use crate::load::Load;
use crate::moves::Moves;
use crate::options::{Options, StoreKind};
use crate::request::Account;
use crate::service::Server;

use super::create::cpu_of_server;

const CONNECTIONS: usize = 32;
/// More a second than the service takes.
const MAX_RATE: u64 = 16_000;
/// How long the moves may take that give each order a history.
const MOVES_TIME: Duration = Duration::from_secs(600);
const OK: u16 = 200;

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    if context.options.wants_store(StoreKind::Postgres) {
        postgres::run(context)?;
    }
    if context.options.wants_store(StoreKind::Sqlite) {
        sqlite::run(context)?;
    }
    Ok(())
}

/// What is measured. A move is compared with an update.
fn wanted(options: &Options) -> Vec<Kind> {
    let is_wanted = |kind: &Kind| {
        options.wants(kind.task()) || *kind == Kind::Update && options.wants(Kind::Move.task())
    };
    Kind::ALL.into_iter().filter(is_wanted).collect()
}

/// Moves each of these new orders as often as gives it a history of some events, and leaves it as it was.
fn with_history(
    server: &Server,
    account: &Account,
    order_ids: &[String],
) -> Result<Moves, BenchError> {
    let mut moves = Moves::of_new(account, order_ids);
    let count = order_ids.len() as u64 * (EVENTS - 1);
    let requests = moves.requests(count);
    let load = Load::once(server.address, CONNECTIONS, MOVES_TIME, &requests);
    let done = load.run()?.all(OK)?.responses() as u64;
    moves.done(done);
    if done < count {
        return Err(format!("only {done} of {count} moves were made in time").into());
    }
    Ok(moves)
}

/// Adds the service's candidates; returns their names.
fn add_service(
    context: &Context,
    contest: &mut Contest,
    server: &Rc<Server>,
    calls: &Rc<Calls>,
) -> Vec<(Kind, String)> {
    let connections = context.options.connections(CONNECTIONS);
    let add = |kind: Kind| {
        let name = format!("{}, pressline, {connections} connections", kind.name());
        let work = Work::Calls {
            server: Rc::clone(server),
            calls: Rc::clone(calls),
            kind,
            connections,
            fastest: MAX_RATE,
        };
        contest.add(&name, work);
        (kind, name)
    };
    wanted(&context.options).into_iter().map(add).collect()
}

/// The processor time of a move, of service and database, divided by that of an update.
fn report_move(context: &mut Context, contest: &Contest, names: &[(Kind, String)], goal: Goal) {
    let cpu_of = |kind: Kind| {
        let (_, name) = names.iter().find(|(named, _)| *named == kind)?;
        Some(contest.rounds_of(name)?.each(cpu_of_server))
    };
    let ratio = cpu_of(Kind::Move)
        .zip(cpu_of(Kind::Update))
        .and_then(|(moved, updated)| Spread::of_ratios(&moved, &updated));
    context.report.find(goal, ratio, "");
}

/// Which order of the fill is the hot store's order `j`, from 0.
pub(crate) fn hot_index(j: u64) -> u64 {
    j / HOT_PERCENT * 100 + j % HOT_PERCENT
}
