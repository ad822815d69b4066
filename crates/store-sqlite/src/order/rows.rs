//! Rows of orders and items to insert.

use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;
use pressline_store_kit::schema::{
    fee_corrections, line_items, order_events, order_states, orders,
};
use pressline_store_kit::{CorrectionRow, EventRow, ItemRow, OrderRow, StateRow};

use crate::insert::Row;

/// Has an assigned `row_id`, so that the order's words can be written without reading it. The row
/// is skipped if the store already has an order with the same order id.
pub(crate) struct NewOrderRow<'a> {
    pub(crate) row_id: i64,
    pub(crate) order: &'a OrderRow,
}

impl Row for NewOrderRow<'_> {
    type Table = orders::table;
    const NAME: &'static str = "orders";
    const COLUMNS: &'static [&'static str] = OrderRow::COLUMNS;
    const OWN_COLUMN: &'static str = "row_id, ";
    const CONFLICT: &'static str = " ON CONFLICT (store_id, order_id) DO NOTHING";

    fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_bind_param::<BigInt, _>(&self.row_id)?;
        out.push_sql(", ");
        self.order.push_values(&mut out)
    }
}

/// Row of an item that replaces the order's stored item at the same position, if any.
pub(crate) struct ReplacedItem<'a>(pub(crate) &'a ItemRow);

impl Row for ReplacedItem<'_> {
    type Table = (line_items::table, ReplaceRows);
    const VERB: &'static str = "REPLACE INTO ";
    const NAME: &'static str = "line_items";
    const COLUMNS: &'static [&'static str] = ItemRow::COLUMNS;

    fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.0.push_values(&mut out)
    }
}

/// Part of a query id: tells statements that replace rows from statements that insert rows.
pub(crate) enum ReplaceRows {}

macro_rules! rows {
    ($($row:ident = $table:ident,)+) => {
        $(
            impl Row for &$row {
                type Table = $table::table;
                const NAME: &'static str = stringify!($table);
                const COLUMNS: &'static [&'static str] = $row::COLUMNS;

                fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                    self.push_values(&mut out)
                }
            }
        )+
    };
}

rows! {
    ItemRow = line_items,
    StateRow = order_states,
    EventRow = order_events,
    CorrectionRow = fee_corrections,
}
