//! The counters of stores, from which a transaction takes numbers for new orders and sequences for
//! events.

use std::collections::{BTreeMap, HashMap};

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{Prefix, ServiceOrderId};
use pressline_store_kit::{NewRows, OrderJob, Row, Sql};

use super::chunk::LatestChunk;
use crate::sql::{load_first, run};

static COUNT_UP: Sql = Sql::new(include_str!("sql/count_up.sql"));
static LAST_SEQUENCE: Sql =
    Sql::new("SELECT last_sequence FROM store_counters WHERE store_id = :store_id");
static GIVE_BACK: Sql = Sql::new(
    "UPDATE store_counters
     SET last_sequence = :used
     WHERE store_id = :store_id",
);

/// Returns the sequence of a store's last event; 0 if the store has no event or does not exist.
pub(super) fn last_sequence(connection: &mut SqliteConnection, store_id: &str) -> QueryResult<u64> {
    let values = [("store_id", store_id.into())];
    let last: Option<i64> = load_first(connection, &LAST_SEQUENCE, &values)?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
}

/// Counters of a store after numbers and sequences were taken.
#[derive(Row)]
#[row(read)]
struct CounterRow {
    last_number: i64,
    last_sequence: i64,
    prefix: String,
    /// Number of the latest chunk.
    chunk: i64,
    /// Lower bound of the order ids in the latest chunk.
    chunk_from: String,
    /// Version of the catalog.
    catalog: i64,
    /// Highest `row_id` of all orders.
    last_row: i64,
}

pub(super) struct Counter {
    prefix: String,
    pub(super) chunk: LatestChunk,
    first_number: i64,
    next_number: i64,
    next_sequence: i64,
    last_sequence: i64,
}

/// Numbers and sequences that a transaction has taken. A rollback frees all of them.
pub(super) struct Counters {
    of_store: HashMap<String, Counter>,
    /// Version of the catalog; `None` if no store of the transaction exists.
    catalog: Option<i64>,
    /// Highest `row_id` of the orders stored before the transaction; 0 without orders.
    pub(super) last_row: i64,
}

impl Counters {
    /// An unknown store has no counters.
    pub(super) fn take(connection: &mut SqliteConnection, jobs: &[OrderJob]) -> QueryResult<Self> {
        let mut counts: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
        for job in jobs {
            let (numbers, sequences) = counts.entry(job.store_id()).or_default();
            *numbers += i64::from(matches!(job, OrderJob::Create(_)));
            *sequences += 1;
        }
        let mut counters = Self {
            of_store: HashMap::with_capacity(counts.len()),
            catalog: None,
            last_row: 0,
        };
        for (store_id, (numbers, sequences)) in counts {
            let values = [
                ("numbers", numbers.into()),
                ("sequences", sequences.into()),
                ("store_id", store_id.into()),
            ];
            if let Some(counted) = load_first::<CounterRow>(connection, &COUNT_UP, &values)? {
                counters.catalog = Some(counted.catalog);
                counters.last_row = counted.last_row;
                let counter = Counter::new(counted, numbers, sequences);
                counters.of_store.insert(store_id.to_owned(), counter);
            }
        }
        Ok(counters)
    }

    pub(super) fn have_another_catalog_than(&self, job: &OrderJob) -> bool {
        let priced_with = job.priced_with().zip(self.catalog);
        priced_with.is_some_and(|(priced_with, present)| priced_with != present)
    }

    pub(super) fn of(&mut self, store_id: &str) -> Option<&mut Counter> {
        self.of_store.get_mut(store_id)
    }

    pub(super) fn stores(&self) -> impl Iterator<Item = (&str, &Counter)> {
        let stores = self.of_store.iter();
        stores.map(|(store_id, counter)| (store_id.as_str(), counter))
    }

    /// Returns the sequences of duplicates and of refused changes to the stores' counters.
    pub(super) fn give_back(&self, connection: &mut SqliteConnection) -> QueryResult<()> {
        for (store_id, counter) in &self.of_store {
            if counter.next_sequence <= counter.last_sequence {
                let used = counter.next_sequence.saturating_sub(1);
                let values = [("used", used.into()), ("store_id", store_id.into())];
                run(connection, &GIVE_BACK, &values)?;
            }
        }
        Ok(())
    }
}

impl Counter {
    /// Creates the counter of `numbers` numbers and `sequences` sequences, the last of `counted`.
    fn new(counted: CounterRow, numbers: i64, sequences: i64) -> Self {
        let first_after = |last: i64, count: i64| last.saturating_sub(count).saturating_add(1);
        let first_number = first_after(counted.last_number, numbers);
        Self {
            prefix: counted.prefix,
            chunk: LatestChunk {
                number: counted.chunk,
                from: counted.chunk_from,
            },
            first_number,
            next_number: first_number,
            next_sequence: first_after(counted.last_sequence, sequences),
            last_sequence: counted.last_sequence,
        }
    }

    /// Assigns the next number to the new order `rows`, and returns the number.
    pub(super) fn number(&mut self, rows: &mut NewRows) -> Result<ServiceOrderId, RepositoryError> {
        let parsed = self.prefix.parse::<Prefix>();
        let prefix = parsed.map_err(|error| RepositoryError::Corrupt {
            kind: "stores",
            field: "prefix",
            key: rows.order.store_id.clone(),
            source: Box::new(error),
        })?;
        let number = ServiceOrderId {
            prefix,
            number: self.next_number,
        };
        self.next_number = self.next_number.saturating_add(1);
        rows.order.set_number(&number);
        Ok(number)
    }

    /// Returns the first and the last number; the last is below the first if none was assigned.
    pub(super) fn numbers(&self) -> (i64, i64) {
        (self.first_number, self.next_number.saturating_sub(1))
    }

    pub(super) fn sequence(&self) -> i64 {
        self.next_sequence
    }

    /// Must be called after an event has got the current sequence.
    pub(super) fn use_sequence(&mut self) {
        self.next_sequence = self.next_sequence.saturating_add(1);
    }
}
