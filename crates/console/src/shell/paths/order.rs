//! Addresses of the pages of orders.

use crate::shell::form::{Fields, encoded};

pub(crate) const ORDERS: &str = "/console/orders";

/// Field of an order's address: the address of the list that the order was opened from.
pub(crate) const LIST: &str = "list";

pub(crate) fn path(number: &str) -> String {
    format!("{ORDERS}/{}", encoded(number))
}

/// Path of an order that is opened from `list`, which is an address with filters, or empty.
pub(crate) fn path_in(list: &str, number: &str) -> String {
    let path = path(number);
    match list.is_empty() {
        true => path,
        false => Fields::new([(LIST, list)]).address(&path),
    }
}
