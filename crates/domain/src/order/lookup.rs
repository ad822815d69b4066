//! The key by which an order of a store is looked up.

use crate::store::Store;
use crate::value::{OrderId, ServiceOrderId};

/// Key for looking up an order of a store by a name: by everything that the name can be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookup {
    /// Order id that the caller assigned; empty for a lookup without it.
    pub order_id: String,
    /// Number of the order in its service order id; `None` for a lookup without it.
    pub number: Option<i64>,
    /// The service's id of the order; `None` for a lookup without it.
    pub id: Option<OrderId>,
}

impl Lookup {
    /// Creates the key for `name`: the order id, with the prefix of `store` the number, and for a
    /// UUID the id.
    pub fn named(name: &str, store: &Store) -> Self {
        Self {
            order_id: name.to_owned(),
            number: ServiceOrderId::number_in(name, &store.prefix),
            id: name.parse().ok(),
        }
    }

    /// Creates the key of the order with this `order_id`. An order with this number or id is not
    /// found.
    pub fn by_order_id(order_id: impl Into<String>) -> Self {
        Self {
            order_id: order_id.into(),
            ..Self::default()
        }
    }

    /// Creates the key of the order with this `number`.
    pub fn numbered(number: i64) -> Self {
        Self {
            // The empty order id matches nothing, because no order has it.
            number: Some(number),
            ..Self::default()
        }
    }
}
