//! The key by which an order of a store is looked up, and the orders that it finds.

use crate::order::Order;
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

/// Orders of a store that a [`Lookup`] finds: usually one, and never more than two, because a name
/// that is a number is not a UUID.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundOrder {
    /// Order with the order id of the lookup, else with its number or id.
    pub order: Order,
    /// Another order, which has the number or the id of the lookup. `None` if there is none, or if
    /// `order` has no matching order id.
    pub other: Option<Box<Order>>,
}

impl FoundOrder {
    /// Sorts the `orders` that match `lookup`. Returns `None` without orders.
    pub fn new(lookup: &Lookup, orders: impl IntoIterator<Item = Order>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for order in orders {
            found = Some(match found {
                None => Self { order, other: None },
                Some(first) if order.content.order_id == lookup.order_id => Self {
                    order,
                    other: Some(Box::new(first.order)),
                },
                Some(first) => Self {
                    other: Some(Box::new(order)),
                    ..first
                },
            });
        }
        found
    }
}

impl From<FoundOrder> for Order {
    /// Ignores the other order: for callers whose lookup can find only one.
    fn from(found: FoundOrder) -> Self {
        found.order
    }
}
