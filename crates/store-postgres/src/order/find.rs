//! The statement that reads single orders: whole, each with its items in an array, as one state of
//! the database has them.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Record, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order};
use pressline_store_kit::schema::orders;
use pressline_store_kit::{ItemRow, OrderRow};

use crate::error::Failure;

/// Which orders of a store.
pub(crate) enum Which<'a> {
    /// The one with this id.
    Id(&'a str),
    /// The one with the caller's id, else the one with the number.
    Named(&'a Lookup),
    /// Those with these ids, in the order of the ids, up to so many bytes, but at least one.
    Ids { ids: &'a [String], bytes: i64 },
}

/// Reads orders of a store.
pub(crate) struct SelectOrders<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) which: Which<'a>,
}

/// An item without the ids of its store and order, as `ITEMS` lists it.
pub(crate) type Item = (
    i32,
    String,
    Option<String>,
    Option<String>,
    bool,
    String,
    i32,
    Option<String>,
    String,
    String,
    String,
    Option<String>,
    Option<i64>,
);
pub(crate) type ItemSql = Record<(
    Integer,
    Text,
    Nullable<Text>,
    Nullable<Text>,
    Bool,
    Text,
    Integer,
    Nullable<Text>,
    Text,
    Text,
    Text,
    Nullable<Text>,
    Nullable<BigInt>,
)>;

/// The items of the order of the row, as the last column of a statement.
pub(crate) const ITEMS: &str = ", ARRAY(SELECT ROW(position, id, ref_id, name, name_given, sku, quantity, ship_class, file_urls, \
     mockup_images, areas, status, unit_cost) FROM line_items WHERE line_items.store_id = orders.store_id \
     AND line_items.order_uuid = orders.id ORDER BY position) FROM ";

impl SelectOrders<'_> {
    /// Runs the statement.
    pub(crate) fn load(self, connection: &mut PgConnection) -> Result<Vec<Order>, Failure> {
        let rows: Vec<(OrderRow, Vec<Item>)> = RunQueryDsl::load(self, connection)?;
        Ok(rows
            .into_iter()
            .map(|(order, items)| restore(order, items))
            .collect::<Result<_, _>>()?)
    }

    /// Runs the statement for one order.
    pub(crate) fn first(self, connection: &mut PgConnection) -> Result<Option<Order>, Failure> {
        Ok(self.load(connection)?.pop())
    }

    fn push_store<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(" WHERE orders.store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)
    }
}

/// The order of a row with its items.
pub(crate) fn restore(order: OrderRow, items: Vec<Item>) -> Result<Order, RepositoryError> {
    let items = items
        .into_iter()
        .map(|item| item_row(&order, item))
        .collect();
    order.restore(items)
}

fn item_row(order: &OrderRow, item: Item) -> ItemRow {
    let (
        position,
        id,
        ref_id,
        name,
        name_given,
        sku,
        quantity,
        ship_class,
        file_urls,
        mockup_images,
        areas,
        status,
        unit_cost,
    ) = item;
    ItemRow {
        store_id: order.store_id.clone(),
        order_uuid: order.id.clone(),
        position,
        id,
        ref_id,
        name,
        name_given,
        sku,
        quantity,
        ship_class,
        file_urls,
        mockup_images,
        areas,
        status,
        unit_cost,
    }
}

impl QueryFragment<Pg> for SelectOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(ITEMS);
        match &self.which {
            Which::Id(id) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND id = ");
                out.push_bind_param::<Text, _>(*id)?;
            }
            Which::Named(Lookup {
                order_id,
                number: None,
            }) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND order_id = ");
                out.push_bind_param::<Text, _>(order_id)?;
            }
            // One after the other costs half of both at once, as nothing is left to sort.
            Which::Named(Lookup {
                order_id,
                number: Some(number),
            }) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND id = COALESCE((SELECT id FROM orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND order_id = ");
                out.push_bind_param::<Text, _>(order_id)?;
                out.push_sql("), (SELECT id FROM orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND number = ");
                out.push_bind_param::<BigInt, _>(number)?;
                out.push_sql("))");
            }
            // The sizes are added up before an order is read whole, as libpq keeps all that a
            // statement returns.
            Which::Ids { ids, bytes } => {
                out.push_sql(
                    "(SELECT place, id, size, sum(size) OVER (ORDER BY place) AS size_so_far FROM UNNEST(",
                );
                out.push_bind_param::<Array<Text>, _>(ids)?;
                out.push_sql(") WITH ORDINALITY AS given(id, place) JOIN orders USING (id)");
                self.push_store(&mut out)?;
                out.push_sql(") AS wanted JOIN orders ON orders.id = wanted.id");
                self.push_store(&mut out)?;
                out.push_sql(" AND (size_so_far <= ");
                out.push_bind_param::<BigInt, _>(bytes)?;
                out.push_sql(" OR size_so_far = wanted.size) ORDER BY place");
            }
        }
        Ok(())
    }
}

/// There are four texts in all, so that each connection prepares each of them once.
impl QueryId for SelectOrders<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectOrders<'_> {
    type SqlType = (orders::SqlType, Array<ItemSql>);
}

impl RunQueryDsl<PgConnection> for SelectOrders<'_> {}
