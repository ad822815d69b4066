//! The counters of stores, from which a transaction takes numbers for new orders and sequences for
//! events.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{Prefix, ServiceOrderId};
use pressline_store_kit::{NewRows, OrderJob, SqlText, statement};

use super::chunk::LatestChunk;

diesel::table! {
    store_counters (store_id) {
        store_id -> Text,
        last_sequence -> BigInt,
    }
}

statement! {
    struct CountUp<'a> for Sqlite, returns (BigInt, BigInt, Text, BigInt, Text, BigInt, BigInt),
    text SqlText::new(include_str!("sql/count_up.sql"), &[]),
    {
        store_id: &'a str = Text,
        numbers: i64 = BigInt,
        sequences: i64 = BigInt,
    }
}

/// Returns the sequence of a store's last event; 0 if the store has no event or does not exist.
pub(super) fn last_sequence(connection: &mut SqliteConnection, store_id: &str) -> QueryResult<u64> {
    let counter = store_counters::table.find(store_id);
    let last = counter.select(store_counters::last_sequence);
    let last: Option<i64> = last.get_result(connection).optional()?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
}

/// Columns of [`CountUp`]: last number, last sequence, store prefix, number and first id of the
/// latest chunk, catalog version, and highest `row_id` of all orders.
type CounterRow = (i64, i64, String, i64, String, i64, i64);

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
            let statement = CountUp {
                store_id,
                numbers,
                sequences,
            };
            let counted: Option<CounterRow> = statement.get_result(connection).optional()?;
            if let Some((number, sequence, prefix, chunk, from, catalog, last_row)) = counted {
                let first_number = number.saturating_sub(numbers).saturating_add(1);
                let counter = Counter {
                    prefix,
                    chunk: LatestChunk {
                        number: chunk,
                        from,
                    },
                    first_number,
                    next_number: first_number,
                    next_sequence: sequence.saturating_sub(sequences).saturating_add(1),
                    last_sequence: sequence,
                };
                counters.of_store.insert(store_id.to_owned(), counter);
                counters.catalog = Some(catalog);
                counters.last_row = last_row;
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
                diesel::update(store_counters::table.find(store_id))
                    .set(store_counters::last_sequence.eq(used))
                    .execute(connection)?;
            }
        }
        Ok(())
    }
}

impl Counter {
    /// Assigns the next number to the new order `rows`, and returns the number.
    pub(super) fn number(&mut self, rows: &mut NewRows) -> Result<ServiceOrderId, RepositoryError> {
        let prefix = self.prefix.parse::<Prefix>();
        let prefix = prefix.map_err(|error| RepositoryError::Corrupt {
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
