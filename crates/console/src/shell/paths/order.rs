//! URLs of the pages of orders.

use crate::shell::form::{Fields, encoded};

pub(crate) const ORDERS: &str = "/console/orders";

/// Query field with the URL of the list that an order was opened from.
pub(crate) const LIST: &str = "list";

pub(crate) fn path(number: &str) -> String {
    format!("{ORDERS}/{}", encoded(number))
}

pub(crate) fn path_in(list: &str, number: &str) -> String {
    let path = path(number);
    match list.is_empty() {
        true => path,
        false => Fields::new([(LIST, list)]).address(&path),
    }
}
