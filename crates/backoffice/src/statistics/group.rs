//! What figures are grouped by.

use super::days::Day;
use pressline_domain::id::{OrderId, StoreId};

pressline_kit::named! {
    /// What figures are grouped by.
    #[derive(Default)]
    pub enum GroupBy {
        /// One row for each store.
        #[default]
        Store = "store",
        /// One row for each SKU, and one for what belongs to no single item.
        Sku = "sku",
        /// One row for each day.
        Day = "day",
        /// One row for each order.
        Order = "order",
    }
}

/// What a row of figures is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The orders of a store.
    Store(StoreId),
    /// The items of a SKU; `None` for what belongs to no single item, such as shipping.
    Sku(Option<String>),
    /// The orders of a day.
    Day(Day),
    /// An order.
    Order {
        /// Its id.
        id: OrderId,
        /// Its store.
        store: StoreId,
        /// Its number.
        number: String,
        /// The order id by which callers know it.
        order_id: String,
    },
}
