//! The statements that read whole orders, each from one snapshot of the database and with its items
//! in an array.

mod group;

use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_store_kit::{ItemRow, OrderRow, Row, Sql, StateRow, StoredOrder};

use crate::arrays::{self, Kind, List, Value, array};
use crate::error::Failure;

pub(crate) use group::Finder;
#[cfg(any(test, feature = "test-support"))]
pub(crate) use group::names;

/// A whole order, as the statements in this file return it.
#[derive(Row)]
#[row(read)]
pub(crate) struct WholeOrder {
    order: OrderRow,
    state: StateRow,
    documents: Documents,
}

/// Items of an order, and JSON documents of its shipments and of the operators' fee lines.
#[derive(Row)]
#[row(read)]
pub(crate) struct Documents {
    items: List<Item>,
    shipments: List<String>,
    corrections: List<String>,
}

/// Item of an order, without the order's key.
#[derive(Row)]
#[row(read)]
struct Item {
    position: i32,
    id: String,
    ref_id: Option<String>,
    name: Option<String>,
    name_given: bool,
    sku: String,
    quantity: i32,
    ship_class: Option<String>,
    unit_cost: Option<i64>,
}

pub(crate) static BY_ID: Sql = Sql::new(include_str!("../sql/by_id.sql"));
pub(crate) static BY_ORDER_ID: Sql = Sql::new(include_str!("../sql/by_order_id.sql"));
/// Returns up to two orders: by the order id, and by the number or the id.
pub(crate) static BY_NAME: Sql = Sql::new(include_str!("../sql/by_name.sql"));
/// Returns orders in the order of `ids`: as many as fit into `bytes` bytes, but at least the first.
pub(crate) static BY_IDS: Sql = Sql::new(include_str!("../sql/by_ids.sql"));

pub(crate) fn by_id(
    connection: &mut PgConnection,
    store_id: &str,
    id: &str,
) -> Result<Option<Order>, Failure> {
    let values = [("store_id", store_id.into()), ("id", id.into())];
    Ok(load(connection, &BY_ID, &values)?.pop())
}

/// Looks for the order id, the number and the id of `lookup`, in one statement.
pub(crate) fn by_name(
    connection: &mut PgConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<OrderMatch>, Failure> {
    let mut values: Vec<(&'static str, Value<'_>)> = vec![
        ("store_id", store_id.into()),
        ("order_id", (&lookup.order_id).into()),
    ];
    let text = match (lookup.number, lookup.id) {
        (None, None) => &BY_ORDER_ID,
        (number, id) => {
            let id = id.map(|id| id.to_string());
            values.extend([("number", number.into()), ("id", id.into())]);
            &BY_NAME
        }
    };
    let orders = load(connection, text, &values)?;
    Ok(OrderMatch::new(lookup, orders))
}

/// Returns the orders with `ids`, see [`BY_IDS`].
pub(crate) fn by_ids(
    connection: &mut PgConnection,
    store_id: &str,
    ids: &[String],
    bytes: i64,
) -> Result<Vec<Order>, Failure> {
    let values = [
        ("store_id", store_id.into()),
        ("ids", array(Kind::Text, ids)),
        ("bytes", bytes.into()),
    ];
    load(connection, &BY_IDS, &values)
}

fn load<'s>(
    connection: &mut PgConnection,
    text: &'s Sql,
    values: &'s [(&'static str, Value<'s>)],
) -> Result<Vec<Order>, Failure> {
    let rows: Vec<WholeOrder> = arrays::load(connection, text, values)?;
    let orders: Result<Vec<Order>, RepositoryError> =
        rows.into_iter().map(WholeOrder::restore).collect();
    Ok(orders?)
}

impl WholeOrder {
    fn restore(self) -> Result<Order, RepositoryError> {
        restore(self.order, self.state, self.documents)
    }
}

pub(crate) fn restore(
    order: OrderRow,
    state: StateRow,
    documents: Documents,
) -> Result<Order, RepositoryError> {
    let items = documents.items.into_iter().map(|item| ItemRow {
        store_id: order.store_id.clone(),
        order_uuid: order.id.clone(),
        position: item.position,
        id: item.id,
        ref_id: item.ref_id,
        name: item.name,
        name_given: item.name_given,
        sku: item.sku,
        quantity: item.quantity,
        ship_class: item.ship_class,
        unit_cost: item.unit_cost,
    });
    let stored = StoredOrder {
        items: items.collect(),
        order,
        state,
        shipments: documents.shipments.into(),
        corrections: documents.corrections.into(),
    };
    stored.restore()
}
