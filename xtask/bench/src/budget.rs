//! How long a run will take, estimated from its scale before it begins.
//!
//! The report shows the estimate next to the real time, so that an estimate that has become wrong
//! is noticed.

use std::time::Duration;

use clap::ValueEnum;

use crate::context::in_time;
use crate::options::{Options, StoreKind, Task};
use crate::scale::Scale;
use crate::task::webhooks::{POLLS, SENT, wait};

/// Seconds before each window: a checkpoint, and the connections.
const CHECKPOINT: f64 = 0.7;
/// Seconds for making and signing the requests of one second of a window.
const REQUESTS: f64 = 0.15;
/// Seconds for migrating a database, importing its catalog and making its stores.
const DATABASE: f64 = 2.0;
/// Seconds for filling in an order, with its part of the indexes.
const ORDER: f64 = 0.000_3;
/// Seconds for one call of the command line, which makes one store.
const STORE: f64 = 0.05;
/// Seconds for starting a Citus cluster and distributing the tables, and for the longer calls of the
/// command line.
const CITUS: f64 = 40.0;
/// Seconds for importing a product, with orders at the same time.
const PRODUCT: f64 = 0.000_2;
/// Seconds for a search, of every kind and size on average.
const SEARCH: f64 = 0.003;

/// Candidates of `webhooks`: new orders with endpoints, with calls that wait, and with neither.
const OBSERVED: f64 = 3.0;
/// Events that are sent each second at least.
const EVENTS: f64 = 1_000.0;

/// Candidates of `create` with one store: the service seven times, pgbench four times, Fastify
/// twice. Three of them are measured in steady state.
const ONE_STORE: f64 = 13.0;
/// Candidates with many stores: the service and pgbench with each of two numbers of stores, and the
/// service with two other numbers of writers.
const MANY_STORES: f64 = 6.0;
/// Candidates with SQLite. Two of them are measured in one long run.
const SQLITE: f64 = 3.0;
/// Kinds of searches in two stores each, and the number of databases that they are measured in.
const SEARCHES: f64 = 60.0;
/// Pages by offset and by cursor, and searches for each of them.
const PAGES: f64 = 9.0 * 100.0;
/// Requests of a round for pages of the console.
const PAGES_OF_CONSOLE: f64 = 15.0 * 100.0;
/// Seconds for a page of the console on average.
const PAGE: f64 = 0.01;
/// Operations that two revisions are compared by, on each database.
const COMPARED: f64 = 18.0;

/// Returns how long everything that the options ask for will take.
pub(crate) fn expected(options: &Options) -> Duration {
    let budget = Budget::of(options);
    let seconds: f64 = if options.baseline.is_some() {
        let stores = number(budget.scale.compared_stores as u64);
        let setup = 2.0 * (stores * STORE + DATABASE);
        options.stores() * (COMPARED * budget.rounds * budget.window + setup)
    } else {
        let tasks = Task::value_variants().iter();
        tasks.map(|task| expected_of(options, *task)).sum()
    };
    Duration::from_secs_f64(seconds)
}

/// Returns how long a task will take, in seconds; 0 if it is not asked for.
pub(crate) fn expected_of(options: &Options, task: Task) -> f64 {
    if task == Task::All || !options.wants(task) {
        return 0.0;
    }
    Budget::of(options).seconds(task)
}

/// What the estimate of each task is made of, in seconds.
struct Budget<'a> {
    options: &'a Options,
    scale: &'a Scale,
    rounds: f64,
    /// A window with what comes before it.
    window: f64,
}

impl<'a> Budget<'a> {
    fn of(options: &'a Options) -> Self {
        let scale = options.scale();
        Self {
            options,
            scale,
            rounds: number(options.rounds() as u64),
            window: with_preparation(scale.window),
        }
    }

    fn seconds(&self, task: Task) -> f64 {
        let (rounds, scale) = (self.rounds, self.scale);
        let length = scale.window.as_secs_f64();
        let pgbench = number(scale.clients.len() as u64) * self.window;
        match task {
            Task::Start => 2.0 * rounds * 0.2 + 3.0 * 2.2 + DATABASE,
            // Its requests are sent again and again, and made once.
            Task::Auth => 3.0 * rounds * length + DATABASE,
            Task::Create => self.create(),
            Task::Update | Task::Get | Task::Move | Task::History => {
                let turns = rounds + 1.0;
                let with_pgbench = 2.0 * turns * self.window + pgbench + DATABASE;
                let parts = [
                    (StoreKind::Postgres, with_pgbench),
                    (StoreKind::Sqlite, turns * self.window + DATABASE),
                ];
                self.of_stores(parts)
            }
            Task::Load => 4.0 * rounds * self.window + DATABASE,
            Task::Memory => 10.0 + DATABASE,
            Task::Import => {
                self.options.stores() * (number(scale.skus as u64) * PRODUCT + DATABASE)
            }
            Task::Webhooks => {
                let events = number(in_time(SENT, scale.window)) / EVENTS;
                let polls = wait(self.options.allowed(POLLS), scale.window).as_secs_f64();
                let round = OBSERVED * self.window + polls + events;
                self.options.stores() * ((rounds + 1.0) * round + DATABASE)
            }
            Task::Search => self.search(),
            Task::Pages => {
                // The database of the searches serves both.
                let shared = self.options.wants(Task::Search);
                let orders = number(self.options.search_orders());
                let fill = if shared {
                    0.0
                } else {
                    orders * ORDER + DATABASE
                };
                fill + rounds * PAGES_OF_CONSOLE * PAGE
            }
            Task::Neighbours => {
                // Alone, and next to either of two kinds of expensive calls.
                let windows = 3.0 * rounds * scale.neighbours.as_secs_f64();
                let fill = number(self.options.neighbour_orders()) * ORDER;
                self.options.stores() * (windows + fill + DATABASE)
            }
            Task::Citus => {
                let stores = number(scale.compared_stores as u64);
                CITUS + 2.0 * ((rounds + 1.0) * self.window + stores * STORE + DATABASE)
            }
            Task::All => 0.0,
        }
    }

    fn create(&self) -> f64 {
        let (scale, turns) = (self.scale, self.rounds + 1.0);
        let steady = with_preparation(scale.steady);
        let pgbench = number(scale.clients.len() as u64) * self.window;
        // Two variants of the peer, each of whose pools is measured after a window that warms up.
        let fastify = number(scale.pools.len() as u64) * 4.0 * self.window;
        let one_store = ONE_STORE * turns * self.window + pgbench + fastify + 3.0 * steady;
        let most_stores = number(scale.stores.into_iter().max().unwrap_or_default() as u64);
        let setup = most_stores * STORE + number(scale.skus as u64) * PRODUCT;
        let many_stores = MANY_STORES * turns * self.window + 2.0 * pgbench + setup;
        let sqlite = SQLITE * turns * self.window + 2.0 * steady;
        let parts = [
            (
                StoreKind::Postgres,
                one_store + many_stores + 2.0 * DATABASE,
            ),
            (StoreKind::Sqlite, sqlite + DATABASE),
        ];
        self.of_stores(parts)
    }

    /// The sum of the parts on those databases that are asked for.
    fn of_stores(&self, parts: [(StoreKind, f64); 2]) -> f64 {
        let wanted = parts
            .into_iter()
            .filter(|(kind, _)| self.options.wants_store(*kind));
        wanted.map(|(_, seconds)| seconds).sum()
    }

    fn search(&self) -> f64 {
        let each = number(self.scale.searches) * SEARCH;
        let fill = number(self.options.search_orders()) * 1.1 * ORDER;
        // New orders in the largest and the smallest database.
        let creates = 2.0 * (self.rounds + 1.0) * self.window;
        let pages = self.rounds * PAGES * SEARCH;
        fill + SEARCHES * (self.rounds + 1.0) * each + pages + creates + 3.0 * DATABASE
    }
}

/// Seconds of a window of this length with what comes before it.
fn with_preparation(window: Duration) -> f64 {
    CHECKPOINT + window.as_secs_f64() * (1.0 + REQUESTS)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the numbers of a scale are far below 2^52"
)]
fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::parse;

    fn minutes(line: &str) -> f64 {
        expected(&parse(line)).as_secs_f64() / 60.0
    }

    #[test]
    fn everything_takes_little_more_than_an_hour() {
        assert!((40.0..80.0).contains(&minutes("all")), "{}", minutes("all"));
        assert!(minutes("all --quick") < 15.0);
    }

    #[test]
    fn only_what_is_measured_takes_time() {
        assert!(minutes("create --store sqlite") < minutes("create"));
        assert!(minutes("create") < minutes("create update"));
        assert!(minutes("auth --rounds 14") > 1.5 * minutes("auth"));
        assert!(minutes("all --baseline x") < minutes("all"));
    }
}
