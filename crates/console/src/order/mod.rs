//! Orders: their list, the page of one, and what operators do with it.

mod action;
mod address;
mod fact;
pub(crate) mod filter;
mod form;
mod import;
pub(crate) mod item;
pub(crate) mod list;
mod neighbours;
mod page;
mod pending;
mod routes;
mod shipment;
mod timeline;
mod value;

use form::{decide, fee_line, note, replace, ship, track, update, void};
pub(crate) use form::{meanwhile, moves};
pub(crate) use neighbours::path_in;
use page::show;
pub(crate) use pending::{NeedRow, PendingRow, needs, pending};
pub(crate) use routes::ROUTES;
pub(crate) use timeline::EventRow;

use crate::form::encoded;

pub(crate) const ORDERS: &str = "/console/orders";

pub(crate) fn path(number: &str) -> String {
    format!("{ORDERS}/{}", encoded(number))
}
