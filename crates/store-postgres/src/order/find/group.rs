//! Finding orders in groups: the calls that come in while others read share the next statement.
//!
//! A statement for eight orders costs little more than one for a single order: most of the cost is the way to the
//! database and back. Groups form by themselves under load, and a single call is not delayed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::RunQueryDsl as _;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::order::{Lookup, Order};
use tokio::sync::oneshot;

use super::{Row, SelectByNames, by_name, restore};
use crate::error::Failure;
use crate::pool::Pool;

/// Maximum number of orders that a statement reads. Each can have 1 MiB, and libpq keeps all of them.
const GROUP: usize = 8;
/// Statements that run at once before calls wait for each other. More run as soon as each has a full
/// group to read, so that slow reads do not add up.
const READERS: usize = 2;

type Outcome = Result<Option<Order>, RepositoryError>;

pub(crate) struct Finder {
    pool: Arc<Pool>,
    wait: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    readers: usize,
}

struct Waiting {
    wanted: OrderKey,
    since: Instant,
    caller: oneshot::Sender<Outcome>,
}

#[derive(Debug, Clone)]
struct OrderKey {
    store_id: String,
    lookup: Lookup,
}

impl Finder {
    pub(crate) fn new(pool: Arc<Pool>, wait: Duration) -> Self {
        Self {
            pool,
            wait,
            state: Mutex::default(),
        }
    }

    pub(crate) async fn find(self: &Arc<Self>, store: StoreId, lookup: &Lookup) -> Outcome {
        let (caller, outcome) = oneshot::channel();
        let wanted = OrderKey {
            store_id: store.to_string(),
            lookup: lookup.clone(),
        };
        let needs_reader = self.push(Waiting {
            wanted,
            since: Instant::now(),
            caller,
        });
        if needs_reader {
            let reader = Reader {
                finder: Arc::clone(self),
                has_ended: false,
            };
            tokio::spawn(reader.run());
        }
        outcome
            .await
            .unwrap_or_else(|ended| Err(RepositoryError::Refused(ended.into())))
    }

    /// Adds a call to those that wait. Returns whether another reader must start.
    fn push(&self, waiting: Waiting) -> bool {
        let mut state = self.lock();
        state.waiting.push_back(waiting);
        let is_needed = state.readers < READERS || state.waiting.len() > GROUP * state.readers;
        if is_needed {
            state.readers += 1;
        }
        is_needed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the orders of a group, and answers its calls.
    async fn read(&self, group: Vec<Waiting>) {
        let wanted: Vec<OrderKey> = group.iter().map(|waiting| waiting.wanted.clone()).collect();
        match self.load(wanted).await {
            Ok(orders) => {
                for (waiting, order) in group.into_iter().zip(orders) {
                    waiting.answer(Ok(order));
                }
            }
            // It concerns all of them, and each would wait for as long as the first one.
            Err(RepositoryError::Unavailable(source)) => {
                let source: Arc<dyn std::error::Error + Send + Sync> = source.into();
                for waiting in group {
                    let source = Box::new(Arc::clone(&source));
                    waiting.answer(Err(RepositoryError::Unavailable(source)));
                }
            }
            Err(error) => self.read_singly(error, group).await,
        }
    }

    /// Reads the orders of a group that failed one by one, because only some of them may be the cause.
    async fn read_singly(&self, error: RepositoryError, mut group: Vec<Waiting>) {
        if group.len() == 1
            && let Some(waiting) = group.pop()
        {
            return waiting.answer(Err(error));
        }
        for waiting in group {
            let outcome = match waiting.since.elapsed() > self.wait {
                true => Err(late()),
                false => self.load(vec![waiting.wanted.clone()]).await,
            };
            waiting.answer(outcome.map(|mut orders| orders.pop().flatten()));
        }
    }

    /// Returns the orders in the places of their names.
    async fn load(&self, wanted: Vec<OrderKey>) -> Result<Vec<Option<Order>>, RepositoryError> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, _| {
                // Known now that there is a connection. The orders of a statement may be on different nodes.
                if wanted.len() > 1 && !pool.is_distributed() {
                    return by_names(connection, &wanted);
                }
                let each = wanted.iter();
                each.map(|wanted| by_name(connection, &wanted.store_id, &wanted.lookup))
                    .collect()
            })
            .await
    }
}

/// Reads group after group until no call waits.
struct Reader {
    finder: Arc<Finder>,
    /// It is not among [`State::readers`] any more.
    has_ended: bool,
}

impl Reader {
    async fn run(mut self) {
        while let Some(group) = self.take() {
            self.finder.read(group).await;
        }
    }

    /// Takes the calls that have waited longest. Returns `None` if there are none, and ends the reader at the same
    /// moment, so that the next call starts another one.
    fn take(&mut self) -> Option<Vec<Waiting>> {
        let mut state = self.finder.lock();
        let mut group = Vec::new();
        while group.len() < GROUP
            && let Some(waiting) = state.waiting.pop_front()
        {
            if waiting.caller.is_closed() {
                continue;
            }
            if waiting.since.elapsed() > self.finder.wait {
                waiting.answer(Err(late()));
            } else {
                group.push(waiting);
            }
        }
        if group.is_empty() {
            state.readers -= 1;
            self.has_ended = true;
            return None;
        }
        Some(group)
    }
}

/// A reader whose task ends early, such as at shutdown, must not be counted for ever.
impl Drop for Reader {
    fn drop(&mut self) {
        if !self.has_ended {
            self.finder.lock().readers -= 1;
        }
    }
}

impl Waiting {
    fn answer(self, outcome: Outcome) {
        // The caller may have given up.
        drop(self.caller.send(outcome));
    }
}

fn late() -> RepositoryError {
    RepositoryError::Unavailable("all connections are in use".into())
}

fn by_names(
    connection: &mut PgConnection,
    wanted: &[OrderKey],
) -> Result<Vec<Option<Order>>, Failure> {
    let stores: Vec<String> = wanted
        .iter()
        .map(|wanted| wanted.store_id.clone())
        .collect();
    let order_ids: Vec<String> = wanted
        .iter()
        .map(|wanted| wanted.lookup.order_id.clone())
        .collect();
    let numbers: Vec<Option<i64>> = wanted.iter().map(|wanted| wanted.lookup.number).collect();
    let statement = SelectByNames {
        stores: &stores,
        order_ids: &order_ids,
        numbers: &numbers,
    };
    let rows: Vec<(i64, Row)> = statement.load(connection)?;
    let mut orders: Vec<Option<Order>> = wanted.iter().map(|_| None).collect();
    for (place, (order, state, documents)) in rows {
        // Places are counted from 1.
        let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
        if let Some(found) = orders.get_mut(index) {
            *found = Some(restore(order, state, documents)?);
        }
    }
    Ok(orders)
}
