//! Destination country of an order.

use pressline_domain::order::Order;

/// Returns the country code of the order's shipping address; empty without a country code.
pub(crate) fn country(order: &Order) -> String {
    let address = order.content.shipping_address.as_ref();
    let code = address.and_then(|address| address.country_code.clone());
    code.unwrap_or_default()
}
