//! The transaction that writes orders.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::result::Error::RollbackTransaction;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{ItemRow, NewRows, OrderJob};

use super::change::{self, Entry};
use super::counters::Counters;
use super::rows::NewOrderRow;
use crate::error::Failure;
use crate::insert::insert;
use crate::words::{self, order_words};

diesel::table! {
    #[sql_name = "orders"]
    order_numbers (store_id, id) {
        store_id -> Text,
        id -> Text,
        /// Row id of the order and of its search words.
        row_id -> BigInt,
    }
}

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
    let mut done = Vec::with_capacity(jobs.len());
    let written = connection.immediate_transaction(|connection| {
        let mut counters = Counters::take(connection, jobs)?;
        let (mut creates, mut reindexed) = (Vec::with_capacity(jobs.len()), Vec::new());
        for (place, job) in jobs.iter_mut().enumerate() {
            let is_outdated = counters.have_another_catalog_than(job);
            let counter = counters.of(job.store_id());
            done.push(match (job, counter) {
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
        enter(added.outcomes, &mut done);
        if done.iter().all(Result::is_err) {
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
    let done = jobs.iter_mut().zip(done);
    Ok(done.map(|(job, done)| stored(job, done?)).collect())
}

fn no_store(store_id: &str) -> RepositoryError {
    RepositoryError::Refused(format!("there is no store {store_id}").into())
}

/// Each outcome has the order's index in `done` and its event's sequence; `None` is a duplicate.
fn enter(outcomes: Vec<(usize, Option<i64>)>, done: &mut [Result<WrittenOrder, RepositoryError>]) {
    for (place, outcome) in outcomes {
        match (outcome, done.get_mut(place)) {
            (Some(sequence), Some(Ok(of_job))) => of_job.sequence = sequence,
            (None, Some(of_job @ Ok(_))) => {
                *of_job = Err(RepositoryError::Duplicate("an order with this id"));
            }
            (_, Some(Err(_)) | None) => {}
        }
    }
}

fn stored(job: &mut OrderJob, done: WrittenOrder) -> WriteResult {
    match job {
        OrderJob::Create(rows) => rows.stored(done.number, done.sequence),
        OrderJob::Change(rows) => Ok(rows.stored(done.sequence)),
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
    for Entry { row_id, tokens } in &new {
        let row = (order_words::rowid.eq(row_id), order_words::words.eq(tokens));
        diesel::insert_into(order_words::table)
            .values(row)
            .execute(connection)?;
    }
    for Entry { row_id, tokens } in &changed {
        let row = diesel::update(order_words::table.find(row_id));
        row.set(order_words::words.eq(tokens)).execute(connection)?;
    }
    merge(connection, MERGED_PAGES + bytes / BYTES_PER_MERGED_PAGE)
}

/// Merges segments of the word index until about `pages` pages are written. Does nothing if there
/// are few segments. Each transaction adds a segment, and a search reads all segments.
fn merge(connection: &mut SqliteConnection, pages: usize) -> QueryResult<()> {
    let pages = i64::try_from(pages).unwrap_or(i64::MAX);
    let command = (
        order_words::command.eq("merge"),
        order_words::rank.eq(pages),
    );
    diesel::insert_into(order_words::table)
        .values(command)
        .execute(connection)?;
    Ok(())
}

/// Inserts the orders of `creates` with their row ids, which follow the stored row id `last`.
/// Removes the duplicates from `creates`, and returns the positions of their jobs.
fn insert_orders(
    connection: &mut SqliteConnection,
    creates: &mut Vec<(i64, Create<'_>)>,
    last: i64,
) -> QueryResult<Vec<usize>> {
    let rows = creates
        .iter()
        .map(|(row_id, Create { rows, .. })| NewOrderRow {
            row_id: *row_id,
            order: &rows.order,
        });
    let rows: Vec<NewOrderRow<'_>> = rows.collect();
    if insert(connection, &rows)? == rows.len() {
        return Ok(Vec::new());
    }
    // Duplicates were not inserted: the stored row ids tell them apart.
    let stored: HashSet<i64> = order_numbers::table
        .filter(order_numbers::row_id.gt(last))
        .select(order_numbers::row_id)
        .load_iter(connection)?
        .collect::<QueryResult<_>>()?;
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
    let duplicates = insert_orders(connection, &mut creates, last)?;
    let duplicates = duplicates.into_iter().map(|place| (place, None));
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
    let items: Vec<&ItemRow> = new().flat_map(|rows| &rows.items).collect();
    insert(connection, &items)?;
    insert(
        connection,
        &new().map(|rows| &rows.state).collect::<Vec<_>>(),
    )?;
    insert(
        connection,
        &new().map(|rows| &rows.event).collect::<Vec<_>>(),
    )?;
    Ok(added)
}
