//! Pages to print: packing slips, the pick list, tickets, and the links to prepared labels.

mod chosen;
mod labels;
mod picklist;
mod routes;
mod sheets;
mod slip;
mod slips;
mod ticket;

pub(crate) use routes::ROUTES;

use crate::form::Fields;

/// The path of packing slips.
pub(crate) const SLIPS: &str = "/console/print/slips";
/// The path of the pick list.
pub(crate) const PICKLIST: &str = "/console/print/picklist";
/// The path of tickets.
pub(crate) const TICKET: &str = "/console/print/ticket";
/// The path of the links to prepared labels.
pub(crate) const LABELS: &str = "/console/print/labels";

/// The field of an order, by its number. It can occur several times.
const ORDER: &str = "order";
/// The field of a batch.
const BATCH: &str = "batch";
/// The field of the parcel that a slip is for.
const SHIPMENT: &str = "shipment";

/// Returns the address of the packing slip of an order: of one of its parcels, or of what is still to be
/// sent.
pub(crate) fn slip_of(order: &str, shipment: Option<&str>) -> String {
    let fields = Fields::of([(ORDER, order), (SHIPMENT, shipment.unwrap_or_default())]);
    fields.without(&[]).address(SLIPS)
}

/// Returns the address of the ticket of a batch.
pub(crate) fn ticket_of(batch: &str) -> String {
    Fields::of([(BATCH, batch)]).address(TICKET)
}

/// Returns the pages that print one order, with their addresses.
pub(crate) fn pages_of(order: &str) -> [(&'static str, String); 2] {
    let ticket = Fields::of([(ORDER, order)]).address(TICKET);
    [("Packing slip", slip_of(order, None)), ("Ticket", ticket)]
}

/// Returns the pages that print what filters of the queue find, with their addresses.
pub(crate) fn pages_of_filter(filters: &Fields) -> [(&'static str, String); 4] {
    let pages = [
        ("Packing slips", SLIPS),
        ("Pick list", PICKLIST),
        ("Ticket", TICKET),
        ("Prepared labels", LABELS),
    ];
    pages.map(|(name, path)| (name, filters.address(path)))
}

/// Returns the address of the packing slips of orders.
pub(crate) fn slips_of<'a>(orders: impl Iterator<Item = &'a str>) -> String {
    Fields::of(orders.map(|number| (ORDER, number))).address(SLIPS)
}
