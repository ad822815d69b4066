//! The transaction that writes orders.

use std::collections::HashSet;

use diesel::QueryResult;
use diesel::result::Error::RollbackTransaction;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{NewRows, OrderJob, Row as _, Sql, Values};

use super::change::{self, Entry, INSERT_EVENTS};
use super::counters::Counters;
use crate::error::Failure;
use crate::insert::{Insert, values_of};
use crate::sql::{load, run};
use crate::words;

static INSERT_ORDERS: Insert = Insert::new(include_str!("sql/insert_orders.sql"));
static INSERT_ITEMS: Insert = Insert::new(include_str!("sql/insert_items.sql"));
static INSERT_STATES: Insert = Insert::new(include_str!("sql/insert_states.sql"));
static STORED_AFTER: Sql = Sql::new("SELECT row_id FROM orders WHERE row_id > :last");
static INSERT_WORDS: Sql =
    Sql::new("INSERT INTO order_words (rowid, words) VALUES (:row_id, :words)");
static UPDATE_WORDS: Sql = Sql::new("UPDATE order_words SET words = :words WHERE rowid = :row_id");
/// A command to the word index, inserted like a row.
static MERGE_WORDS: Sql =
    Sql::new("INSERT INTO order_words (order_words, rank) VALUES ('merge', :pages)");

type WriteResult = Result<Order, RepositoryError>;

/// An order written by a transaction that is not committed yet.
struct WrittenOrder {
    number: ServiceOrderId,
    sequence: i64,
}

/// Returns a result for each job. An order priced with another version of the catalog is refused.
/// If no order is stored, the transaction is rolled back, so that no number is used up.
pub(crate) fn write(
    connection: &mut SqliteConnection,
    jobs: &mut [OrderJob],
    orders_of_chunk: i64,
) -> Result<Vec<WriteResult>, Failure> {
    let mut results = Vec::with_capacity(jobs.len());
    let written = connection.immediate_transaction(|connection| {
        let mut counters = Counters::take(connection, jobs)?;
        let (mut creates, mut reindexed) = (Vec::with_capacity(jobs.len()), Vec::new());
        for (place, job) in jobs.iter_mut().enumerate() {
            let is_outdated = counters.have_another_catalog_than(job);
            let counter = counters.of(job.store_id());
            results.push(match (job, counter) {
                _ if is_outdated => Err(RepositoryError::CatalogChanged),
                (OrderJob::Create(rows), Some(counter)) => match counter.number(rows) {
                    Ok(number) => {
                        creates.push(Create {
                            place,
                            chunk: counter.chunk.or_earlier(connection, &rows.order)?,
                            number: number.clone(),
                            rows,
                        });
                        // Replaced by `enter`, after duplicates are known.
                        let sequence = 0;
                        Ok(WrittenOrder { number, sequence })
                    }
                    Err(error) => Err(error),
                },
                (OrderJob::Create(rows), None) => Err(no_store(&rows.order.store_id)),
                (OrderJob::Change(rows), Some(counter)) => {
                    match change::write(connection, rows, counter)? {
                        Some((sequence, entry)) => {
                            reindexed.extend(entry);
                            let number = rows.order.service_order_id.clone();
                            Ok(WrittenOrder { number, sequence })
                        }
                        None => Err(RepositoryError::Stale),
                    }
                }
                (OrderJob::Change(_), None) => Err(RepositoryError::Stale),
            });
        }
        let added = add(connection, creates, &mut counters)?;
        enter(added.outcomes, &mut results);
        if results.iter().all(Result::is_err) {
            return Err(Failure::Database(RollbackTransaction));
        }
        for (store_id, counter) in counters.stores() {
            let (numbers, latest) = (counter.numbers(), &counter.chunk);
            latest.end_after(connection, store_id, numbers, orders_of_chunk)?;
        }
        counters.give_back(connection)?;
        Ok(index(connection, added.entries, reindexed)?)
    });
    match written {
        Ok(()) | Err(Failure::Database(RollbackTransaction)) => {}
        Err(failure) => return Err(failure),
    }
    Ok(jobs
        .iter_mut()
        .zip(results)
        .map(|(job, result)| stored(job, result?))
        .collect())
}

fn no_store(store_id: &str) -> RepositoryError {
    RepositoryError::Refused(format!("there is no store {store_id}").into())
}

/// Each outcome has the order's index in `results` and its event's sequence; `None` is a duplicate.
fn enter(
    outcomes: Vec<(usize, Option<i64>)>,
    results: &mut [Result<WrittenOrder, RepositoryError>],
) {
    for (place, outcome) in outcomes {
        match (outcome, results.get_mut(place)) {
            (Some(sequence), Some(Ok(of_job))) => of_job.sequence = sequence,
            (None, Some(of_job @ Ok(_))) => {
                *of_job = Err(RepositoryError::Duplicate("an order with this id"));
            }
            (_, Some(Err(_)) | None) => {}
        }
    }
}

fn stored(job: &mut OrderJob, written_order: WrittenOrder) -> WriteResult {
    match job {
        OrderJob::Create(rows) => rows.stored(written_order.number, written_order.sequence),
        OrderJob::Change(rows) => Ok(rows.stored(written_order.sequence)),
    }
}

struct Create<'a> {
    place: usize,
    chunk: i64,
    number: ServiceOrderId,
    rows: &'a mut NewRows,
}

/// Number of index pages to merge after each write; another page is merged for each
/// [`BYTES_PER_MERGED_PAGE`] bytes of words. These merges keep the number of index segments
/// bounded, as measured with 130,000 orders, in groups of 1 and of 20.
const MERGED_PAGES: usize = 4;
const BYTES_PER_MERGED_PAGE: usize = 1024;

/// Writes row by row: the index buffers words in memory, and flushes them before any statement of
/// several rows. Flushing few words is expensive, so this must be the last call in the transaction.
fn index(
    connection: &mut SqliteConnection,
    new: Vec<Entry>,
    changed: Vec<Entry>,
) -> QueryResult<()> {
    let entries = || new.iter().chain(&changed);
    let bytes: usize = entries().map(|entry| entry.tokens.len()).sum();
    if bytes == 0 {
        return Ok(());
    }
    for (text, entries) in [(&INSERT_WORDS, &new), (&UPDATE_WORDS, &changed)] {
        for Entry { row_id, tokens } in entries {
            let values = [("row_id", row_id.into()), ("words", tokens.into())];
            run(connection, text, &values)?;
        }
    }
    merge(connection, MERGED_PAGES + bytes / BYTES_PER_MERGED_PAGE)
}

/// Merges segments of the word index until about `pages` pages are written. Does nothing if there
/// are few segments. Each transaction adds a segment, and a search reads all segments.
fn merge(connection: &mut SqliteConnection, pages: usize) -> QueryResult<()> {
    let pages = i64::try_from(pages).unwrap_or(i64::MAX);
    run(connection, &MERGE_WORDS, &[("pages", pages.into())])?;
    Ok(())
}

/// Inserts the orders of `creates` with their row ids, which follow the stored row id `last`.
/// Removes the duplicates from `creates`, and returns the positions of their jobs.
fn insert_orders(
    connection: &mut SqliteConnection,
    creates: &mut Vec<(i64, Create<'_>)>,
    last: i64,
) -> QueryResult<Vec<usize>> {
    let mut values = Values::new();
    for (row_id, Create { rows, .. }) in &*creates {
        values.push(("row_id", row_id.into()));
        values.extend(rows.order.parameters());
    }
    if INSERT_ORDERS.run(connection, &values)? == creates.len() {
        return Ok(Vec::new());
    }
    // Duplicates were not inserted: the stored row ids tell them apart.
    let row_ids: Vec<i64> = load(connection, &STORED_AFTER, &[("last", last.into())])?;
    let stored: HashSet<i64> = row_ids.into_iter().collect();
    let duplicates = creates.extract_if(.., |(row_id, _)| !stored.contains(row_id));
    Ok(duplicates.map(|(_, create)| create.place).collect())
}

struct Added {
    /// For each new order, the position of its job and the sequence of its event; `None` if the
    /// order id exists.
    outcomes: Vec<(usize, Option<i64>)>,
    entries: Vec<Entry>,
}

/// Assigns the row ids itself, because no other transaction writes meanwhile: an order's words can
/// then be inserted without reading the row id.
fn add(
    connection: &mut SqliteConnection,
    creates: Vec<Create<'_>>,
    counters: &mut Counters,
) -> QueryResult<Added> {
    let mut added = Added {
        outcomes: Vec::with_capacity(creates.len()),
        entries: Vec::with_capacity(creates.len()),
    };
    if creates.is_empty() {
        return Ok(added);
    }
    let last = counters.last_row;
    let mut creates: Vec<(i64, Create<'_>)> = (last + 1..).zip(creates).collect();
    let duplicates = insert_orders(connection, &mut creates, last)?
        .into_iter()
        .map(|place| (place, None));
    added.outcomes.extend(duplicates);
    for (row_id, create) in &mut creates {
        let rows = &mut *create.rows;
        let Some(counter) = counters.of(&rows.order.store_id) else {
            continue;
        };
        let sequence = counter.sequence();
        counter.use_sequence();
        rows.state.last_sequence = sequence;
        rows.event.sequence = sequence;
        added.outcomes.push((create.place, Some(sequence)));
        added.entries.push(Entry {
            row_id: *row_id,
            tokens: words::tokens(&rows.words, create.chunk, &create.number),
        });
    }
    let new = || creates.iter().map(|(_, create)| &*create.rows);
    let items = values_of(new().flat_map(|rows| &rows.items));
    INSERT_ITEMS.run(connection, &items)?;
    INSERT_STATES.run(connection, &values_of(new().map(|rows| &rows.state)))?;
    INSERT_EVENTS.run(connection, &values_of(new().map(|rows| &rows.event)))?;
    Ok(added)
}
