//! URLs of the pages to print.

use pressline_domain::value::ServiceOrderId;

use crate::shell::form::Fields;

pub(crate) const SLIPS: &str = "/console/print/slips";
pub(crate) const PICKLIST: &str = "/console/print/picklist";
pub(crate) const TICKET: &str = "/console/print/ticket";
pub(crate) const LABELS: &str = "/console/print/labels";

/// Name of the query field with the number of an order; may occur several times.
pub(crate) const ORDER: &str = "order";
pub(crate) const BATCH: &str = "batch";
pub(crate) const SHIPMENT: &str = "shipment";

/// Leads to the slip of the units still to be sent if `shipment` is `None`.
pub(crate) fn slip_of(order: &str, shipment: Option<&str>) -> String {
    let fields = Fields::new([(ORDER, order), (SHIPMENT, shipment.unwrap_or_default())]);
    fields.without(&[]).address(SLIPS)
}

pub(crate) fn ticket_of(batch: &str) -> String {
    Fields::new([(BATCH, batch)]).address(TICKET)
}

pub(crate) fn ticket_of_order(order: &str) -> String {
    Fields::new([(ORDER, order)]).address(TICKET)
}

pub(crate) fn pages_of(order: &str) -> [(&'static str, String); 2] {
    [
        ("Packing slip", slip_of(order, None)),
        ("Ticket", ticket_of_order(order)),
    ]
}

pub(crate) fn pages_of_filter(filters: &Fields) -> [(&'static str, String); 4] {
    let pages = [
        ("Packing slips", SLIPS),
        ("Pick list", PICKLIST),
        ("Ticket", TICKET),
        ("Prepared labels", LABELS),
    ];
    pages.map(|(name, path)| (name, filters.address(path)))
}

pub(crate) fn slips_of<'a>(orders: impl Iterator<Item = &'a ServiceOrderId>) -> String {
    Fields::new(orders.map(|number| (ORDER, number.to_string()))).address(SLIPS)
}
