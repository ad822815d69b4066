//! The transactions that write orders.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::id::{Prefix, ServiceOrderId};
use pressline_domain::order::Order;
use pressline_domain::ports::{OrderChange, OrderWrite, RepositoryError};
use pressline_store_rows::schema::{line_items, orders, store_counters};
use pressline_store_rows::{ItemRow, NewRows, OrderRow};

use crate::catalog;
use crate::error::Failure;
use crate::words::{self, order_words};

diesel::define_sql_function! {
    /// The `row_id` of the row that this connection inserted last.
    fn last_insert_rowid() -> BigInt;
}

diesel::table! {
    /// What this store alone keeps of stores.
    #[sql_name = "stores"]
    store_numbers (store_id) {
        /// The store.
        store_id -> Text,
        /// Stands before its search words.
        row_id -> BigInt,
        /// The prefix of its order numbers.
        prefix -> Text,
    }
}

diesel::table! {
    /// What this store alone keeps of orders.
    #[sql_name = "orders"]
    order_numbers (store_id, id) {
        /// The order's store.
        store_id -> Text,
        /// The order.
        id -> Text,
        /// The row of its search words.
        row_id -> BigInt,
    }
}

/// The `row_id` of a store, where there is one.
pub(crate) fn store_row(connection: &mut SqliteConnection, store_id: &str) -> QueryResult<Option<i64>> {
    store_numbers::table.find(store_id).select(store_numbers::row_id).first(connection).optional()
}

/// What is written for one caller, as rows where they can be made before.
#[derive(Debug)]
pub(crate) enum Job {
    /// An order that must not exist yet.
    Create(Box<NewRows>),
    /// An order that must exist with the expected version.
    Update(Box<Change>),
}

/// An order as it shall be.
#[derive(Debug)]
pub(crate) struct Change {
    order: Order,
    expected: u32,
    row: OrderRow,
    items: Vec<ItemRow>,
    words: Vec<String>,
    priced_with: Option<i64>,
}

impl Job {
    pub(crate) fn of(write: OrderWrite) -> Result<Self, RepositoryError> {
        Ok(match write.change {
            OrderChange::Create(new) => Self::Create(Box::new(NewRows::of(*new, write.priced_with)?)),
            OrderChange::Update { order, expected } => {
                let (row, items) = (OrderRow::of(&order)?, ItemRow::of(&order)?);
                let words = order.parts().words();
                let priced_with = write.priced_with.map(|version| version.0);
                Self::Update(Box::new(Change { order: *order, expected, row, items, words, priced_with }))
            }
        })
    }

    pub(crate) fn store_id(&self) -> &str {
        match self {
            Self::Create(new) => &new.order.store_id,
            Self::Update(change) => &change.row.store_id,
        }
    }

    fn priced_with(&self) -> Option<i64> {
        match self {
            Self::Create(new) => new.priced_with,
            Self::Update(change) => change.priced_with,
        }
    }

    /// The order as it is stored, with its number, once it is.
    fn stored(&mut self, number: ServiceOrderId) -> Written {
        match self {
            Self::Create(new) => new.numbered(number),
            Self::Update(change) => Ok(change.order.clone()),
        }
    }
}

/// What came of one order.
type Written = Result<Order, RepositoryError>;

/// What a transaction that is still to be committed did for one order, which has this number.
type Done = Result<ServiceOrderId, RepositoryError>;

/// Why a transaction is undone.
enum Undone {
    /// It would have stored nothing.
    Nothing(Vec<Done>),
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Undone {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Writes orders of any stores, in one transaction. A new one whose order id exists is a duplicate, a changed one that
/// does not have the expected version is stale, and one that was priced with another catalog is refused; none of them
/// harms the others.
///
/// Where nothing is stored everything is undone, and no number is used up.
pub(crate) fn write(connection: &mut SqliteConnection, jobs: &mut [Job]) -> Result<Vec<Written>, Failure> {
    let done = connection.immediate_transaction(|connection| {
        let catalog = catalog::version(connection)?;
        let mut counters = count_up(connection, jobs)?;
        let mut done = Vec::with_capacity(jobs.len());
        for job in jobs.iter_mut() {
            done.push(match job {
                job if job.priced_with().is_some_and(|version| version != catalog) => {
                    Err(RepositoryError::CatalogChanged)
                }
                Job::Create(new) => create(connection, new, &mut counters)?,
                Job::Update(change) => match update(connection, change)? {
                    true => Ok(change.order.service_order_id().clone()),
                    false => Err(RepositoryError::Stale),
                },
            });
        }
        if done.iter().all(Result::is_err) { Err(Undone::Nothing(done)) } else { Ok(done) }
    });
    match done {
        Ok(done) | Err(Undone::Nothing(done)) => {
            Ok(jobs.iter_mut().zip(done).map(|(job, done)| job.stored(done?)).collect())
        }
        Err(Undone::Failed(failure)) => Err(failure),
    }
}

/// What a transaction needs of a store for its new orders.
struct Counter {
    /// Stands before the search words.
    store_row: i64,
    prefix: String,
    /// The next number.
    next: i64,
}

/// Takes a number for each new order from the counter of its store. A store that is not there has none.
fn count_up(connection: &mut SqliteConnection, jobs: &[Job]) -> QueryResult<HashMap<String, Counter>> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for job in jobs {
        if let Job::Create(new) = job {
            *counts.entry(&new.order.store_id).or_default() += 1;
        }
    }
    let mut counters = HashMap::with_capacity(counts.len());
    for (store_id, count) in counts {
        let store: Option<(i64, String)> = store_numbers::table
            .find(store_id)
            .select((store_numbers::row_id, store_numbers::prefix))
            .first(connection)
            .optional()?;
        let Some((store_row, prefix)) = store else { continue };
        let last: i64 = diesel::update(store_counters::table.find(store_id))
            .set(store_counters::last_number.eq(store_counters::last_number + count))
            .returning(store_counters::last_number)
            .get_result(connection)?;
        let next = last.saturating_sub(count).saturating_add(1);
        counters.insert(store_id.to_owned(), Counter { store_row, prefix, next });
    }
    Ok(counters)
}

fn create(
    connection: &mut SqliteConnection,
    new: &mut NewRows,
    counters: &mut HashMap<String, Counter>,
) -> Result<Done, Failure> {
    let store_id = new.order.store_id.as_str();
    let Some(counter) = counters.get_mut(store_id) else {
        return Ok(Err(RepositoryError::Refused(format!("there is no store {store_id}").into())));
    };
    let prefix: Prefix = match counter.prefix.parse() {
        Ok(prefix) => prefix,
        Err(error) => {
            let (table, column, row) = ("stores", "prefix", store_id.to_owned());
            return Ok(Err(RepositoryError::Corrupt { table, column, row, source: Box::new(error) }));
        }
    };
    let number = ServiceOrderId { prefix, number: counter.next };
    counter.next = counter.next.saturating_add(1);
    let added = add(connection, counter.store_row, new, &number)?;
    Ok(if added { Ok(number) } else { Err(RepositoryError::Duplicate("an order with this id")) })
}

/// False where the order id exists.
fn add(
    connection: &mut SqliteConnection,
    store_row: i64,
    rows: &mut NewRows,
    number: &ServiceOrderId,
) -> QueryResult<bool> {
    rows.order.set_number(number);
    let added = diesel::insert_into(orders::table)
        .values(&rows.order)
        .on_conflict((orders::store_id, orders::order_id))
        .do_nothing()
        .execute(connection)?;
    if added == 0 {
        return Ok(false);
    }
    let row_id: i64 = diesel::select(last_insert_rowid()).get_result(connection)?;
    diesel::insert_into(order_words::table)
        .values((
            order_words::rowid.eq(row_id),
            order_words::words.eq(words::tokens(store_row, &rows.words, number)),
        ))
        .execute(connection)?;
    add_items(connection, &rows.items)?;
    Ok(true)
}

/// One small statement an item, which each connection has prepared: nothing travels, so that nothing is gained by one.
fn add_items(connection: &mut SqliteConnection, items: &[ItemRow]) -> QueryResult<()> {
    for row in items {
        diesel::insert_into(line_items::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Replaces an order with all its items and words; false where it does not have the expected version.
fn update(connection: &mut SqliteConnection, change: &Change) -> QueryResult<bool> {
    let row = &change.row;
    let changed = diesel::update(orders::table.find((&row.store_id, &row.id)))
        .filter(orders::version.eq(i64::from(change.expected)))
        .set(row)
        .execute(connection)?;
    if changed == 0 {
        return Ok(false);
    }
    let row_id: i64 = order_numbers::table
        .find((&row.store_id, &row.id))
        .select(order_numbers::row_id)
        .first(connection)?;
    let store_row: i64 =
        store_numbers::table.find(&row.store_id).select(store_numbers::row_id).first(connection)?;
    diesel::update(order_words::table.find(row_id))
        .set(order_words::words.eq(words::tokens(store_row, &change.words, change.order.service_order_id())))
        .execute(connection)?;
    let own_items = line_items::store_id.eq(&row.store_id).and(line_items::order_uuid.eq(&row.id));
    diesel::delete(line_items::table.filter(own_items)).execute(connection)?;
    add_items(connection, &change.items)?;
    Ok(true)
}
