//! The country that an order is sent to.

use pressline_domain::order::Order;

/// Country code of the shipping address; empty if unknown.
pub(crate) fn country(order: &Order) -> String {
    let address = order.content.shipping_address.as_ref();
    let code = address.and_then(|address| address.country_code.clone());
    code.unwrap_or_default()
}
