//! The orders that a lookup finds.

use crate::order::{Lookup, Order};

/// Orders of a store that a [`Lookup`] finds: usually one, and never more than two, because a name
/// that is a number is not a UUID.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderMatch {
    /// Order with the order id of the lookup, else with its number or id.
    pub order: Order,
    /// Another order, which has the number or the id of the lookup. `None` if there is none, or if
    /// `order` has no matching order id.
    pub other: Option<Box<Order>>,
}

impl OrderMatch {
    /// Sorts the `orders` that match `lookup`. Returns `None` without orders.
    pub fn new(lookup: &Lookup, orders: impl IntoIterator<Item = Order>) -> Option<Self> {
        let mut order_match: Option<Self> = None;
        for order in orders {
            order_match = Some(match order_match {
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
        order_match
    }
}

impl From<OrderMatch> for Order {
    /// Ignores the other order: for callers whose lookup can find only one.
    fn from(order_match: OrderMatch) -> Self {
        order_match.order
    }
}
