//! The transactions that write orders.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::id::{Prefix, ServiceOrderId};
use pressline_domain::order::{NewOrder, Order};
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::schema::{line_items, orders, store_counters};
use pressline_store_rows::{ItemRow, OrderRow};

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

/// Adds orders of one store, in one transaction; `None` in the place of one whose order id exists.
///
/// Where no order is new everything is undone, and no number is used up.
pub(crate) fn create(
    connection: &mut SqliteConnection,
    store_id: &str,
    new: &[NewOrder],
) -> Result<Vec<Option<Order>>, Failure> {
    connection.immediate_transaction(|connection| {
        let (store_row, prefix) = store_numbers::table
            .find(store_id)
            .select((store_numbers::row_id, store_numbers::prefix))
            .first::<(i64, String)>(connection)
            .optional()?
            .ok_or_else(|| RepositoryError::Refused(format!("there is no store {store_id}").into()))?;
        let prefix: Prefix = prefix.parse().map_err(|error| RepositoryError::Corrupt {
            table: "stores",
            column: "prefix",
            row: store_id.to_owned(),
            source: Box::new(error),
        })?;
        let count = i64::try_from(new.len()).unwrap_or(i64::MAX);
        let last: i64 = diesel::update(store_counters::table.find(store_id))
            .set(store_counters::last_number.eq(store_counters::last_number + count))
            .returning(store_counters::last_number)
            .get_result(connection)?;
        let mut created = Vec::with_capacity(new.len());
        for (number, order) in (last.saturating_sub(count).saturating_add(1)..).zip(new) {
            let number = ServiceOrderId { prefix: prefix.clone(), number };
            let order = order.clone().numbered(number);
            created.push(if add(connection, store_row, &order)? { Some(order) } else { None });
        }
        if created.iter().all(Option::is_none) {
            return Err(RepositoryError::Duplicate("an order with this id").into());
        }
        Ok(created)
    })
}

/// False where the order id exists.
fn add(connection: &mut SqliteConnection, store_row: i64, order: &Order) -> Result<bool, Failure> {
    let added = diesel::insert_into(orders::table)
        .values(&OrderRow::of(order)?)
        .on_conflict((orders::store_id, orders::order_id))
        .do_nothing()
        .execute(connection)?;
    if added == 0 {
        return Ok(false);
    }
    let row_id: i64 = diesel::select(last_insert_rowid()).get_result(connection)?;
    diesel::insert_into(order_words::table)
        .values((order_words::rowid.eq(row_id), order_words::words.eq(words::tokens(store_row, order))))
        .execute(connection)?;
    add_items(connection, order)?;
    Ok(true)
}

/// One small statement an item, which each connection has prepared: nothing travels, so that nothing is gained by one.
fn add_items(connection: &mut SqliteConnection, order: &Order) -> Result<(), Failure> {
    for row in &ItemRow::of(order)? {
        diesel::insert_into(line_items::table).values(row).execute(connection)?;
    }
    Ok(())
}

/// Replaces an order with all its items and words.
///
/// # Errors
/// [`RepositoryError::Stale`] where it does not have the expected version.
pub(crate) fn update(connection: &mut SqliteConnection, order: &Order, expected: u32) -> Result<(), Failure> {
    connection.immediate_transaction(|connection| {
        let row = OrderRow::of(order)?;
        let changed = diesel::update(orders::table.find((&row.store_id, &row.id)))
            .filter(orders::version.eq(i64::from(expected)))
            .set(&row)
            .execute(connection)?;
        if changed == 0 {
            return Err(RepositoryError::Stale.into());
        }
        let row_id: i64 = order_numbers::table
            .find((&row.store_id, &row.id))
            .select(order_numbers::row_id)
            .first(connection)?;
        let store_row: i64 =
            store_numbers::table.find(&row.store_id).select(store_numbers::row_id).first(connection)?;
        diesel::update(order_words::table.find(row_id))
            .set(order_words::words.eq(words::tokens(store_row, order)))
            .execute(connection)?;
        let own_items = line_items::store_id.eq(&row.store_id).and(line_items::order_uuid.eq(&row.id));
        diesel::delete(line_items::table.filter(own_items)).execute(connection)?;
        add_items(connection, order)
    })
}
