//! Orders: their list, the page of an order, and operators' actions on it.

mod action;
mod address;
mod bill;
mod cost;
mod form;
mod import;
pub(crate) mod item;
mod list;
mod neighbours;
mod page;
mod pending;
mod shipment;
mod timeline;

use pressline_backoffice::operator::OperatorRole::Operator;

use crate::shell::access::Access::Call;
use crate::shell::import::import_routes;
use crate::shell::{Access, Route, Section, routes};
pub(crate) use form::{decide, meanwhile, moves};
use import::IMPORTER;
use page::show;
pub(crate) use pending::{NeedRow, PendingRow, needs, requested};
pub(crate) use timeline::EventRow;

pub(crate) const ROUTES: &[Route] = &Section::Orders.routes(routes! {
    page.searching: "/console/orders", "Orders", Call("orders/search") => list::show;
    page.searching: "/console/orders/export.csv", "Export CSV of the orders", Call("orders/search")
        => list::export;
    page: "/console/orders/{number}", "Order", Call("orders/get") => show;
});

macro_rules! forms {
    ($($path:literal, $name:literal $(, labels $labels:path)?, $call:literal, $form:ident;)+) => {
        routes! {$(
            page $(.labelled($labels))?: concat!("/console/orders/{number}/", $path), $name, Call($call)
                => form::first, form::$form::form;
            action $(.labelled($labels))?: concat!("/console/orders/{number}/", $path), $name, Call($call)
                => form::$form::submit;
        )+}
    };
}

pub(crate) const FORMS: &[Route] = &Section::Orders.routes(forms! {
    "decide", "Approve, Refuse, Ask about the request", "orders/decide", decide;
    "fee-lines", "Add fee line", "orders/fee-lines", fee_line;
    "move", "Move items", labels moves::labels, "orders/move", moves;
    "notes", "Add note", "orders/notes", note;
    "replace", "Replace items", "orders/replace", replace;
    "shipments", "Add shipment", "shipments/create", ship;
    "shipments/track", "Mark delivered, Mark returned", "shipments/track", track;
    "shipments/void", "Void shipment", "shipments/void", void;
    "update", "Edit order", "orders/update", update;
});

/// Must precede [`ROUTES`], where `import` would be taken as an order number.
pub(crate) const IMPORT: &[Route] = &Section::Orders.routes(import_routes!(
    "/console/orders/import",
    Access::Role(Operator),
    IMPORTER
));
