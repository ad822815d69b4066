//! Grouping of statistics.

use super::days::Day;
use pressline_domain::value::id::{OrderId, StoreId};

pressline_kit::named! {
    /// Grouping of the rows of a report.
    #[derive(Default)]
    pub enum GroupBy {
        /// A row for each store, with its orders in the range of days.
        #[default]
        Store = "store",
        /// A row for each SKU, and a row without SKU for amounts that belong to no single item.
        Sku = "sku",
        /// A row for each calendar day, with the orders placed on this day.
        Day = "day",
        /// A row for each order.
        Order = "order",
    }
}

/// Group of orders or items that a row of statistics counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// All orders of the store with this id.
    Store(StoreId),
    /// All items with this SKU; `None` for amounts that belong to no single item, such as shipping.
    Sku(Option<String>),
    /// All orders placed on this day.
    Day(Day),
    /// A single order.
    Order {
        /// Internal id of the order.
        id: OrderId,
        /// Store of the order.
        store: StoreId,
        /// Service order id, such as `DEMO-17`.
        number: String,
        /// Order id that the store assigned, or `number` if it assigned none.
        order_id: String,
    },
}
