//! The ids and the currency of an order.

use super::new_order::Order;
use crate::value::{Currency, OrderId, ServiceOrderId};

/// Ids and currency of an order. They never change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIdentity {
    /// The service's id of the order.
    pub id: OrderId,
    /// Order number with its store's prefix, as people read it.
    pub service_order_id: ServiceOrderId,
    /// Order id that the store assigned, or the service order id if no store sent an order id.
    pub order_id: String,
    /// Currency of all amounts in the order.
    pub currency: Currency,
    /// `true` for an order of a test store.
    pub test: bool,
}

impl OrderIdentity {
    /// Returns the identity of `order`.
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
