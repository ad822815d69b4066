//! The statements that read whole orders, each from one snapshot of the database and with its items
//! in an array.

mod group;

use diesel::pg::{Pg, PgConnection};
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_store_kit::schema::{order_states, orders};
use pressline_store_kit::{OrderRow, SqlText, StateRow, StoredOrder, statement};

use crate::columns::{Item, ItemSql, item_row};
use crate::error::Failure;

pub(crate) use group::Finder;

pub(super) type Row = (OrderRow, StateRow, Documents);
type RowSql = (orders::SqlType, order_states::SqlType, DocumentsSql);

/// Items of an order, and JSON documents of its shipments and of the operators' fee lines.
pub(super) type Documents = (Vec<Item>, Vec<String>, Vec<String>);
pub(super) type DocumentsSql = (Array<ItemSql>, Array<Text>, Array<Text>);

pub(super) const PARTS: [(&str, &str); 5] = parts(":store_id");

/// Returns SQL parts for whole orders. `store` is the SQL expression of the orders' store id.
const fn parts(store: &'static str) -> [(&'static str, &'static str); 5] {
    [
        ("state", include_str!("../sql/state.sql")),
        ("items", include_str!("../sql/items.sql")),
        ("shipment_documents", include_str!("../sql/shipments.sql")),
        (
            "correction_documents",
            include_str!("../sql/corrections.sql"),
        ),
        ("store", store),
    ]
}

statement! {
    pub(crate) struct SelectById<'a> for Pg, returns RowSql,
    text SqlText::new(include_str!("../sql/by_id.sql"), &PARTS),
    {
        store_id: &'a str = Text,
        id: &'a str = Text,
    }
}

statement! {
    pub(crate) struct SelectByOrderId<'a> for Pg, returns RowSql,
    text SqlText::new(include_str!("../sql/by_order_id.sql"), &PARTS),
    {
        store_id: &'a str = Text,
        order_id: &'a str = Text,
    }
}

statement! {
    /// Returns up to two orders: by the order id, and by the number or the id.
    pub(crate) struct SelectByName<'a> for Pg, returns RowSql,
    text SqlText::new(include_str!("../sql/by_name.sql"), &PARTS),
    {
        store_id: &'a str = Text,
        order_id: &'a str = Text,
        number: Option<i64> = Nullable<BigInt>,
        id: Option<&'a str> = Nullable<Text>,
    }
}

statement! {
    /// Returns each order with its position in the parameter lists, from 1. Returns up to two
    /// orders for each position, like [`SelectByName`].
    pub(crate) struct SelectByNames<'a> for Pg, returns (BigInt, RowSql),
    text SqlText::new(include_str!("../sql/by_names.sql"), &parts("orders.store_id")),
    {
        stores: &'a [String] = Array<Text>,
        order_ids: &'a [String] = Array<Text>,
        numbers: &'a [Option<i64>] = Array<Nullable<BigInt>>,
        ids: &'a [Option<String>] = Array<Nullable<Text>>,
    }
}

statement! {
    /// Sorted as in `ids`: as many orders as fit into `bytes` bytes, but at least the first.
    pub(crate) struct SelectByIds<'a> for Pg, returns RowSql,
    text SqlText::new(include_str!("../sql/by_ids.sql"), &PARTS),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        bytes: i64 = BigInt,
    }
}

pub(crate) fn by_id(
    connection: &mut PgConnection,
    store_id: &str,
    id: &str,
) -> Result<Option<Order>, Failure> {
    Ok(load(SelectById { store_id, id }, connection)?.pop())
}

/// Looks for the order id, the number and the id of `lookup`, in one statement.
pub(crate) fn by_name(
    connection: &mut PgConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<OrderMatch>, Failure> {
    let order_id = lookup.order_id.as_str();
    let orders = match (lookup.number, lookup.id) {
        (None, None) => load(SelectByOrderId { store_id, order_id }, connection)?,
        (number, id) => {
            let id = id.map(|id| id.to_string());
            let statement = SelectByName {
                store_id,
                order_id,
                number,
                id: id.as_deref(),
            };
            load(statement, connection)?
        }
    };
    Ok(OrderMatch::new(lookup, orders))
}

pub(crate) fn load<'q>(
    statement: impl LoadQuery<'q, PgConnection, Row>,
    connection: &mut PgConnection,
) -> Result<Vec<Order>, Failure> {
    let rows: Vec<Row> = statement.load(connection)?;
    let orders: Result<Vec<Order>, RepositoryError> = rows
        .into_iter()
        .map(|(order, state, documents)| restore(order, state, documents))
        .collect();
    Ok(orders?)
}

pub(crate) fn restore(
    order: OrderRow,
    state: StateRow,
    (items, shipments, corrections): Documents,
) -> Result<Order, RepositoryError> {
    let items = items.into_iter().map(|item| item_row(&order, item));
    let stored = StoredOrder {
        items: items.collect(),
        order,
        state,
        shipments,
        corrections,
    };
    stored.restore()
}
