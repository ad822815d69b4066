//! Orders: their list, the page of one, and what operators do with it.

mod action;
mod address;
mod fact;
pub(crate) mod filter;
mod form;
mod item;
pub(crate) mod list;
mod page;
mod pending;
mod shipment;
mod timeline;
mod value;

pub(crate) use form::{decide, fee_line, moves, note, replace, ship, track, update, void};
pub(crate) use page::show;

use crate::form::encoded;

/// The path of the list.
pub(crate) const ORDERS: &str = "/console/orders";

/// Returns the path of the page of an order.
pub(crate) fn path(number: &str) -> String {
    format!("{ORDERS}/{}", encoded(number))
}
