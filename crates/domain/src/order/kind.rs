//! The kinds of orders, and where orders come from.

use std::borrow::Cow;

use crate::id::ServiceOrderId;
use crate::pricing::fees::FeeType;

pressline_kit::named! {
    /// The two kinds of order, by their `type` in responses.
    #[derive(PartialOrd, Ord)]
    pub enum OrderKind {
        /// Shipped by the service.
        Manual = "manual",
        /// Shipped with a label that the store prepared.
        Label = "label",
    }
}

impl OrderKind {
    /// Returns the fees without which the total of an order is not its whole price.
    pub fn needed_fees(self) -> &'static [FeeType] {
        match self {
            Self::Manual => &[FeeType::Product, FeeType::Shipping, FeeType::Surcharge],
            Self::Label => &[FeeType::Handling],
        }
    }
}

pressline_kit::named! {
    /// How an order came in, by its `source` in responses.
    #[non_exhaustive]
    pub enum Source {
        /// By the signed API.
        Store = "store",
        /// Entered by hand or imported.
        App = "app",
    }
}

/// Returns the order id by which callers know an order: the service order id if no store has sent
/// it.
pub fn shown_order_id<'a>(
    source: Source,
    order_id: &'a str,
    service_order_id: &ServiceOrderId,
) -> Cow<'a, str> {
    match source {
        Source::Store => Cow::Borrowed(order_id),
        Source::App => Cow::Owned(service_order_id.to_string()),
    }
}
