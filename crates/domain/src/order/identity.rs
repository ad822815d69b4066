//! What never changes of an order.

use super::new_order::Order;
use crate::id::{OrderId, ServiceOrderId};
use crate::money::Currency;

/// What never changes of an order: its ids and its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIdentity {
    /// Its id.
    pub id: OrderId,
    /// Its number.
    pub service_order_id: ServiceOrderId,
    /// The order id by which callers know the order.
    pub order_id: String,
    /// Its currency.
    pub currency: Currency,
    /// Whether its store is a test store.
    pub test: bool,
}

impl OrderIdentity {
    /// Returns that of an order.
    pub fn new(order: &Order) -> Self {
        Self {
            id: order.content.id,
            service_order_id: order.service_order_id.clone(),
            order_id: order.shown_order_id().into_owned(),
            currency: order.content.currency,
            test: order.content.test,
        }
    }
}
