//! The statements that write orders. Their number does not depend on how many orders or items they write.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Text};
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::{NewOrder, Order};
use pressline_domain::ports::RepositoryError;
use pressline_store_rows::schema::{store_counters, stores};
use pressline_store_rows::{ItemRow, OrderRow};

use crate::columns::{ItemColumns, OrderColumns, push_assignments, push_names};
use crate::error::Failure;
use crate::words;

/// What an update leaves as it is: it names the row and its number.
const IDENTITY: [&str; 4] = ["store_id", "id", "prefix", "number"];

/// Adds orders of one store, in one transaction; `None` in the place of one whose order id exists.
///
/// The first statement locks the store's counter until the end of the transaction. Two transactions of one store
/// therefore follow each other, and as each locks one counter and then only rows of its own, they cannot deadlock.
/// Where no order is new everything is undone, and no number is used up.
pub(crate) fn create(
    connection: &mut PgConnection,
    store_id: &str,
    new: Vec<NewOrder>,
) -> Result<Vec<Option<Order>>, Failure> {
    connection.transaction(|connection| {
        let orders = numbered(connection, store_id, new)?;
        let rows = orders.iter().map(OrderRow::of).collect::<Result<Vec<_>, _>>()?;
        let items = orders.iter().map(ItemRow::of).collect::<Result<Vec<_>, _>>()?;
        let added: Vec<String> = CreateOrders {
            orders: OrderColumns::of(&rows),
            words: orders.iter().map(words::lexemes).collect(),
            items: ItemColumns::of(items.iter().flatten()),
        }
        .load(connection)?;
        if added.is_empty() {
            return Err(RepositoryError::Duplicate("an order with this id").into());
        }
        let is_added = |row: &OrderRow| added.contains(&row.id);
        Ok(orders.into_iter().zip(&rows).map(|(order, row)| is_added(row).then_some(order)).collect())
    })
}

/// Gives the orders the next numbers of their store, and locks its counter.
fn numbered(
    connection: &mut PgConnection,
    store_id: &str,
    new: Vec<NewOrder>,
) -> Result<Vec<Order>, Failure> {
    let count = i64::try_from(new.len()).unwrap_or(i64::MAX);
    let counter = diesel::update(store_counters::table.find(store_id))
        .set(store_counters::last_number.eq(store_counters::last_number + count))
        .returning((
            store_counters::last_number,
            // The prefix never changes, so that a plain look at it is enough.
            stores::table.find(store_id).select(stores::prefix).single_value().assume_not_null(),
        ))
        .get_result::<(i64, String)>(connection)
        .optional()?;
    let Some((last, prefix)) = counter else {
        return Err(RepositoryError::Refused(format!("there is no store {store_id}").into()).into());
    };
    let prefix = prefix.parse().map_err(|error| RepositoryError::Corrupt {
        table: "stores",
        column: "prefix",
        row: store_id.to_owned(),
        source: Box::new(error) as _,
    });
    let prefix: pressline_domain::id::Prefix = prefix?;
    let first = last.saturating_sub(count).saturating_add(1);
    let number = |number| ServiceOrderId { prefix: prefix.clone(), number };
    Ok((first..).zip(new).map(|(next, order)| order.numbered(number(next))).collect())
}

/// Replaces an order with all its items where it has the expected version; answers whether it had. One statement, and
/// so a transaction of its own.
pub(crate) fn update(connection: &mut PgConnection, order: &Order, expected: u32) -> Result<bool, Failure> {
    let row = OrderRow::of(order)?;
    let items = ItemRow::of(order)?;
    let statement = UpdateOrder {
        row: &row,
        columns: OrderColumns::of([&row]),
        words: vec![words::lexemes(order)],
        items: ItemColumns::of(&items),
        item_count: i64::try_from(items.len()).unwrap_or(i64::MAX),
        expected: i64::from(expected),
    };
    let changed: Vec<String> = statement.load(connection)?;
    Ok(!changed.is_empty())
}

/// Inserts orders with their words and items, and answers the ids of those that were not there.
struct CreateOrders<'a> {
    orders: OrderColumns<'a>,
    words: Vec<String>,
    items: ItemColumns<'a>,
}

/// The lexemes of one text, as [`words::lexemes`] made it.
const TO_TSVECTOR: &str = "array_to_tsvector(string_to_array(words, chr(1)))";

/// Writes `FROM UNNEST(…) AS given(…)` with the columns of orders and their words.
fn push_orders<'b>(
    out: &mut AstPass<'_, 'b, Pg>,
    orders: &'b OrderColumns<'_>,
    words: &'b Vec<String>,
) -> QueryResult<()> {
    out.push_sql(" FROM UNNEST(");
    orders.arguments(out.reborrow())?;
    out.push_sql(", ");
    out.push_bind_param::<Array<Text>, _>(words)?;
    out.push_sql(") AS given(");
    push_names(out, "", OrderColumns::NAMES);
    out.push_sql(", words)");
    Ok(())
}

/// Writes `INSERT INTO line_items (…) SELECT … FROM UNNEST(…)`.
fn push_items<'b>(out: &mut AstPass<'_, 'b, Pg>, items: &'b ItemColumns<'_>) -> QueryResult<()> {
    out.push_sql("INSERT INTO line_items (");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(") SELECT ");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(" FROM UNNEST(");
    items.arguments(out.reborrow())?;
    out.push_sql(") AS given(");
    push_names(out, "", ItemColumns::NAMES);
    out.push_sql(")");
    Ok(())
}

impl QueryFragment<Pg> for CreateOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH added AS (INSERT INTO orders (");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", words) SELECT ");
        push_names(&mut out, "", OrderColumns::NAMES);
        out.push_sql(", ");
        out.push_sql(TO_TSVECTOR);
        push_orders(&mut out, &self.orders, &self.words)?;
        out.push_sql(" ON CONFLICT (store_id, order_id) DO NOTHING RETURNING id), items AS (");
        push_items(&mut out, &self.items)?;
        out.push_sql(" WHERE order_uuid IN (SELECT id FROM added)) SELECT id FROM added");
        Ok(())
    }
}

/// Changes an order of the expected version and answers its id.
struct UpdateOrder<'a> {
    row: &'a OrderRow,
    columns: OrderColumns<'a>,
    words: Vec<String>,
    items: ItemColumns<'a>,
    item_count: i64,
    expected: i64,
}

impl QueryFragment<Pg> for UpdateOrder<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let changing = OrderColumns::NAMES.iter().filter(|name| !IDENTITY.contains(name));
        out.push_sql("WITH changed AS (UPDATE orders SET ");
        push_assignments(&mut out, "given.", changing);
        out.push_sql(", words = array_to_tsvector(string_to_array(given.words, chr(1)))");
        push_orders(&mut out, &self.columns, &self.words)?;
        out.push_sql(" WHERE orders.store_id = ");
        out.push_bind_param::<Text, _>(&self.row.store_id)?;
        out.push_sql(" AND orders.id = ");
        out.push_bind_param::<Text, _>(&self.row.id)?;
        out.push_sql(" AND orders.version = ");
        out.push_bind_param::<BigInt, _>(&self.expected)?;
        out.push_sql(" RETURNING orders.id), gone AS (DELETE FROM line_items WHERE store_id = ");
        out.push_bind_param::<Text, _>(&self.row.store_id)?;
        out.push_sql(" AND order_uuid IN (SELECT id FROM changed) AND position >= ");
        out.push_bind_param::<BigInt, _>(&self.item_count)?;
        out.push_sql("), kept AS (");
        push_items(&mut out, &self.items)?;
        out.push_sql(" WHERE order_uuid IN (SELECT id FROM changed)");
        out.push_sql(" ON CONFLICT (store_id, order_uuid, position) DO UPDATE SET ");
        push_assignments(&mut out, "excluded.", ItemColumns::NAMES.iter().skip(3));
        out.push_sql(") SELECT id FROM changed");
        Ok(())
    }
}

/// The text of these statements never changes, so that each connection prepares them once.
macro_rules! prepared_statement {
    ($($name:ident)*) => {$(
        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl Query for $name<'_> {
            type SqlType = Text;
        }

        impl RunQueryDsl<PgConnection> for $name<'_> {}
    )*};
}

prepared_statement!(CreateOrders UpdateOrder);
