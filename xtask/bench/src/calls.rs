//! Calls about orders that exist.

use std::cell::RefCell;
use std::sync::Arc;

use fastrand::Rng;
use serde_json::json;

use crate::BenchError;
use crate::context::Context;
use crate::figures::Round;
use crate::load::Load;
use crate::moves::Moves;
use crate::options::Task;
use crate::request::{Account, GET, HISTORY, UPDATE};
use crate::sample::{Samples, seed_of};
use crate::service::Server;

/// The status of a call that was carried out.
const OK: u16 = 200;
/// Events that a call for a history asks for: at least so many the bench has made of each order.
pub(crate) const EVENTS: u64 = 5;

/// What is done with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Get,
    History,
    Update,
    Move,
}

impl Kind {
    /// All of them, in the order of the tables.
    pub(crate) const ALL: [Self; 4] = [Self::Get, Self::History, Self::Update, Self::Move];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::History => "history",
            Self::Update => "update",
            Self::Move => "move",
        }
    }

    /// The task that asks for it.
    pub(crate) fn task(self) -> Task {
        match self {
            Self::Get => Task::Get,
            Self::History => Task::History,
            Self::Update => Task::Update,
            Self::Move => Task::Move,
        }
    }
}

/// Each fifth order is moved and not updated, so that the version that a move names is known.
pub(crate) const MOVED: u64 = 5;

/// Whether the order at an index is one of those that are moved.
fn is_moved(index: usize) -> bool {
    (index as u64).is_multiple_of(MOVED)
}

/// Orders of one store that exist, and what is called about them.
pub(crate) struct Calls {
    samples: Arc<Samples>,
    account: Account,
    order_ids: Vec<String>,
    moves: RefCell<Moves>,
}

impl Calls {
    /// Calls about the orders that these moves have moved so far.
    pub(crate) fn new(
        samples: &Arc<Samples>,
        account: &Account,
        order_ids: Vec<String>,
        moves: Moves,
    ) -> Self {
        let moved: Vec<String> = of_index(&order_ids, is_moved);
        Self {
            samples: Arc::clone(samples),
            account: account.clone(),
            order_ids,
            moves: RefCell::new(moves.only(&moved)),
        }
    }

    /// Sends so many calls of a kind, as far as the time allows. The same series has the same calls.
    pub(crate) fn run(
        &self,
        context: &Context,
        (server, kind): (&Server, Kind),
        (series, count): (&str, u64),
        connections: usize,
    ) -> Result<Round, BenchError> {
        let requests = self.requests(kind, series, count)?;
        let load = Load::once(server.address, connections, context.duration(), &requests);
        let done = context.measure(server, &load, OK);
        if kind == Kind::Move {
            self.note(server, done.as_ref().ok())?;
        }
        done
    }

    /// Brings the versions of the moved orders up to date.
    fn note(&self, server: &Server, done: Option<&Round>) -> Result<(), BenchError> {
        let mut moves = self.moves.borrow_mut();
        match done {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count of responses"
            )]
            Some(round) => moves.done(round.operations as u64),
            // Some were carried out, and others refused.
            None => moves.read(server.address)?,
        }
        Ok(())
    }

    fn requests(&self, kind: Kind, series: &str, count: u64) -> Result<Vec<Vec<u8>>, BenchError> {
        if kind == Kind::Move {
            return Ok(self.moves.borrow().requests(count));
        }
        let mut random = Rng::with_seed(seed_of(series));
        let ids = match kind {
            Kind::Update => of_index(&self.order_ids, |index| !is_moved(index)),
            _ => self.order_ids.clone(),
        };
        let request = |number| {
            let order_id = random.choice(&ids).ok_or("there is no order")?;
            let (path, body) = match kind {
                Kind::Get => (GET, json!({ "order_id": order_id }).to_string()),
                Kind::History => {
                    let body = json!({ "order_id": order_id, "size": EVENTS });
                    (HISTORY, body.to_string())
                }
                _ => {
                    let other = self.samples.order(series, number);
                    (UPDATE, other.update_of(order_id))
                }
            };
            Ok(self.account.request(path, &body))
        };
        (0..count).map(request).collect()
    }
}

/// The ids at those indexes that a condition holds of.
fn of_index(order_ids: &[String], condition: fn(usize) -> bool) -> Vec<String> {
    let of_index = order_ids.iter().enumerate();
    let wanted = of_index.filter(|(index, _)| condition(*index));
    wanted.map(|(_, order_id)| order_id.clone()).collect()
}
