//! Finds single orders in groups: calls that arrive while statements run share the next statement.
//!
//! A statement for eight orders costs little more than a statement for one: most of the cost is the
//! round trip to the database. Groups form under load, and a single call is not delayed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_domain::value::StoreId;
use pressline_kit::lock;
use pressline_store_kit::{Sql, StatementScope};
use tokio::sync::oneshot;

use super::{WholeOrder, by_name};
use crate::arrays::{Kind, Values, array, load};
use crate::error::Failure;
use crate::pool::Pool;

/// Maximum number of orders in a statement. An order can have 1 MiB, and libpq keeps all orders of
/// a statement in memory.
const GROUP: usize = 8;
/// Number of statements that may run concurrently even if few calls wait. A further statement
/// starts only if more than [`GROUP`] calls wait for each running statement, so that no call waits
/// for several slow reads.
const READERS: usize = 2;

type FoundOrderResult = Result<Option<OrderMatch>, RepositoryError>;

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
    caller: oneshot::Sender<FoundOrderResult>,
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

    pub(crate) async fn find(
        self: &Arc<Self>,
        store: StoreId,
        lookup: &Lookup,
    ) -> FoundOrderResult {
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
            // A task of its own, so that a caller that gives up does not stop the other calls.
            tokio::spawn(reader.run());
        }
        outcome
            .await
            .unwrap_or_else(|ended| Err(RepositoryError::Refused(ended.into())))
    }

    /// Returns `true` if the caller must start another reader.
    fn push(&self, waiting: Waiting) -> bool {
        let mut state = lock(&self.state);
        state.waiting.push_back(waiting);
        let is_needed = state.readers < READERS || state.waiting.len() > GROUP * state.readers;
        if is_needed {
            state.readers += 1;
        }
        is_needed
    }

    async fn read(&self, group: Vec<Waiting>) {
        let wanted: Vec<OrderKey> = group.iter().map(|waiting| waiting.wanted.clone()).collect();
        match self.load(wanted).await {
            Ok(orders) => {
                for (waiting, order) in group.into_iter().zip(orders) {
                    waiting.answer(Ok(order));
                }
            }
            // Affects all calls equally: repeating them one by one would take as long for each.
            Err(RepositoryError::Unavailable(source)) => {
                let shared_source: Arc<dyn std::error::Error + Send + Sync> = source.into();
                for waiting in group {
                    let source = Box::new(Arc::clone(&shared_source));
                    waiting.answer(Err(RepositoryError::Unavailable(source)));
                }
            }
            Err(error) => self.read_singly(error, group).await,
        }
    }

    /// Repeats the calls one by one, because a single order may be the cause of `error`.
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

    /// Returns an entry for each of `wanted`, in the same order.
    async fn load(
        &self,
        wanted: Vec<OrderKey>,
    ) -> Result<Vec<Option<OrderMatch>>, RepositoryError> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, _| {
                if wanted.len() > 1 && pool.nodes().scope() == StatementScope::AnyStores {
                    return by_names(connection, &wanted);
                }
                let each = wanted.iter();
                each.map(|wanted| by_name(connection, &wanted.store_id, &wanted.lookup))
                    .collect()
            })
            .await
    }
}

/// Task that reads groups of orders until no call waits.
struct Reader {
    finder: Arc<Finder>,
    /// `true` if [`State::readers`] no longer counts this reader.
    has_ended: bool,
}

impl Reader {
    async fn run(mut self) {
        while let Some(group) = self.take() {
            self.finder.read(group).await;
        }
    }

    /// Returns up to [`GROUP`] calls. If no call waits, ends the reader and returns `None`; the
    /// queue stays locked meanwhile, so that the next call starts another reader.
    fn take(&mut self) -> Option<Vec<Waiting>> {
        let mut state = lock(&self.finder.state);
        let mut group = Vec::new();
        while group.len() < GROUP
            && let Some(waiting) = state.waiting.pop_front()
        {
            // The caller has given up, so that its order need not be read.
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

/// A reader that ends early, for example at shutdown, must not be counted in `readers` for ever.
impl Drop for Reader {
    fn drop(&mut self) {
        if !self.has_ended {
            lock(&self.finder.state).readers -= 1;
        }
    }
}

impl Waiting {
    fn answer(self, outcome: FoundOrderResult) {
        // Fails if the caller has given up.
        drop(self.caller.send(outcome));
    }
}

fn late() -> RepositoryError {
    RepositoryError::Unavailable("all connections are in use".into())
}

/// Returns each order with its position in the arrays, from 1. Returns up to two orders for each
/// position, like [`BY_NAME`](super::BY_NAME).
static BY_NAMES: Sql = Sql::new(include_str!("../sql/by_names.sql"));

/// Returns [`BY_NAMES`] with the parameters. The slices have an element for each order.
pub(crate) fn names<'a>(
    stores: &'a [String],
    order_ids: &'a [String],
    numbers: &'a [Option<i64>],
    ids: &'a [Option<String>],
) -> (&'static Sql, Values<'a>) {
    let values = vec![
        ("stores", array(Kind::Text, stores)),
        ("order_ids", array(Kind::Text, order_ids)),
        ("numbers", array(Kind::BigInt, numbers)),
        ("ids", array(Kind::Text, ids)),
    ];
    (&BY_NAMES, values)
}

fn by_names(
    connection: &mut PgConnection,
    wanted: &[OrderKey],
) -> Result<Vec<Option<OrderMatch>>, Failure> {
    let stores = wanted.iter().map(|wanted| wanted.store_id.clone());
    let order_ids = wanted.iter().map(|wanted| wanted.lookup.order_id.clone());
    let numbers: Vec<Option<i64>> = wanted.iter().map(|wanted| wanted.lookup.number).collect();
    let ids: Vec<Option<String>> = wanted
        .iter()
        .map(|wanted| wanted.lookup.id)
        .map(|id| id.map(|id| id.to_string()))
        .collect();
    let (stores, order_ids) = (stores.collect::<Vec<_>>(), order_ids.collect::<Vec<_>>());
    let (text, values) = names(&stores, &order_ids, &numbers, &ids);
    let rows: Vec<(i64, WholeOrder)> = load(connection, text, &values)?;
    let mut matches_of_each: Vec<Vec<Order>> = wanted.iter().map(|_| Vec::new()).collect();
    for (place, order) in rows {
        // Positions in the arrays are counted from 1.
        let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
        if let Some(matches) = matches_of_each.get_mut(index) {
            matches.push(order.restore()?);
        }
    }
    let orders = wanted.iter().zip(matches_of_each);
    Ok(orders
        .map(|(wanted, orders)| OrderMatch::new(&wanted.lookup, orders))
        .collect())
}
