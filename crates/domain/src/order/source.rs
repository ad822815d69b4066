//! The sources of orders.

use std::borrow::Cow;

use crate::value::ServiceOrderId;

pressline_kit::named! {
    /// The way in which an order came in, `source` in responses.
    #[non_exhaustive]
    pub enum Source {
        /// Sent by the store to the signed API.
        Store = "store",
        /// Entered by hand, imported, or made as a replacement.
        App = "app",
    }
}

/// Returns the order id for responses: `order_id` if a store sent it, else `service_order_id`.
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
