//! Destination country of an order.

use pressline_domain::order::Order;

pub(crate) fn country(order: &Order) -> String {
    let address = order.content.shipping_address.as_ref();
    let code = address.and_then(|address| address.country_code.clone());
    code.unwrap_or_default()
}
