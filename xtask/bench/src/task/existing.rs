//! Existing orders: reading, updates, and status moves.

use std::rc::Rc;

use fastrand::Rng;
use serde_json::json;

use crate::contest::{Contest, Run, calls, pgbench};
use crate::context::Context;
use crate::error::BenchError;
use crate::figures::{Figure, in_time};
use crate::load::{Load, OK};
use crate::options::Backend;
use crate::request::{Account, GET, HOLD, RELEASE, UPDATE};
use crate::sample::{ITEMS, order_id};
use crate::service::{Server, UNBOUNDED};
use crate::statements::Statements;
use crate::world::{SERIES, World};

use super::COMPARED;

const CONNECTIONS: usize = 32;
/// Upper bound on moves per second; sets how many requests are prepared.
const FASTEST: f64 = 16_000.0;
/// Every second order is moved and never updated, so that the version in a move request is known.
const MOVED: u64 = 2;

pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let backends: Vec<Backend> = context.options.backends().collect();
    for backend in backends {
        context.enter(backend)?;
        let world = context.world(backend)?;
        let server = world.serve(UNBOUNDED)?;
        let mut contest = Contest::default();
        for (operation, run) in operations(context, &world, &server)? {
            let name = format!("{operation}, {}", backend.name());
            match backend {
                Backend::Postgres => contest.add_counted(name, &world.name, run),
                Backend::Sqlite => contest.add(name, run),
            }
        }
        if backend == Backend::Postgres {
            add_pgbench(context, &mut contest)?;
        }
        let title = format!("Existing orders, {}", backend.name());
        contest.measure(context, &title, COMPARED)?;
    }
    Ok(())
}

fn add_pgbench(context: &Context, contest: &mut Contest) -> Result<(), BenchError> {
    if context.pgbench.is_none() {
        return Ok(());
    }
    let (world, clients) = (
        context.world(Backend::Postgres)?,
        context.options.scale().clients,
    );
    let statements = Statements::new(context, &context.samples, &world)?;
    let database = world.name.as_str();
    let run = pgbench(context, (statements.get(), database), clients)?;
    contest.add("get, pgbench", run);
    let run = pgbench(context, (statements.update(), database), clients)?;
    contest.add_counted("update, pgbench", database, run);
    Ok(())
}

/// Returns the measured operations on the hot store's orders, by name.
pub(crate) fn operations(
    context: &Context,
    world: &World,
    server: &Rc<Server>,
) -> Result<[(&'static str, Run); 3], BenchError> {
    let connections = context.options.allowed(CONNECTIONS);
    let account = world.account(0)?.clone();
    let orders = world.orders_of(0);
    let moves = moved(server, connections, account.clone(), orders);
    let (numbers, reader) = (0..orders, account.clone());
    let get = move |_: &str, count| {
        let mut random = Rng::with_seed(count);
        let request = |_| {
            let order_id = order_id(SERIES, random.u64(numbers.clone()));
            reader.request(GET, &json!({ "order_id": order_id }).to_string())
        };
        Ok((0..count).map(request).collect())
    };
    let (samples, numbers) = (context.samples.clone(), 0..orders);
    let update = move |series: &str, count| {
        let mut random = Rng::with_seed(count);
        let request = |number| {
            let chosen = random.u64(numbers.clone());
            let chosen = chosen + u64::from(chosen.is_multiple_of(MOVED));
            let other = samples.order(series, number, ITEMS);
            let body = other.update_of(&order_id(SERIES, chosen));
            account.request(UPDATE, &body)
        };
        Ok((0..count).map(request).collect())
    };
    Ok([
        ("get", calls(server, connections, get)),
        ("update", calls(server, connections, update)),
        ("move", moves),
    ])
}

/// Puts orders of `account` on hold and releases them alternately. Each request changes its order
/// and contains its current version. Between two requests for the same order are requests for all
/// other moved orders. They must be many: if the system pauses a thread of the server for 50 ms,
/// the connections of the other thread send some 300 requests.
fn moved(server: &Rc<Server>, connections: usize, account: Account, orders: u64) -> Run {
    let server = Rc::clone(server);
    let mut moves = Moves {
        account,
        orders,
        class: 0,
        done: 0,
    };
    Box::new(move |context, _| {
        let requests = moves.requests(in_time(FASTEST, context.window()));
        let load = Load::once(server.address, connections, context.window(), &requests);
        let result = context.measure(&server, &load, OK);
        match result
            .as_ref()
            .ok()
            .and_then(|round| round.get(Figure::Operations))
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count of responses"
            )]
            Some(count) => moves.done += count as u64,
            // Some requests succeeded, others were refused: the orders' versions are unknown, so
            // other orders are used.
            None => (moves.class, moves.done) = (moves.class + MOVED, 0),
        }
        result
    })
}

struct Moves {
    account: Account,
    orders: u64,
    /// Remainder of the numbers of the moved orders, modulo [`Self::CLASSES`].
    class: u64,
    done: u64,
}

impl Moves {
    const CLASSES: u64 = 2 * MOVED;

    fn requests(&self, count: u64) -> Vec<Vec<u8>> {
        let moved = (self.orders / Self::CLASSES).max(1);
        let request = |number: u64| {
            let order = number % moved * Self::CLASSES + self.class;
            // A new order has version 1 and is not on hold.
            let turn = number / moved;
            let path = if turn.is_multiple_of(2) {
                HOLD
            } else {
                RELEASE
            };
            let body = json!({ "order_id": order_id(SERIES, order), "version": turn + 1 });
            self.account.request(path, &body.to_string())
        };
        (self.done..self.done + count).map(request).collect()
    }
}
