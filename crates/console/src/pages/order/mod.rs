//! Orders: their list, the page of an order, and operators' actions on it.

mod action;
mod address;
mod cost;
mod form;
mod import;
pub(crate) mod item;
mod list;
mod load;
mod neighbours;
mod page;
mod pending;
mod shipment;
mod timeline;

use pressline_backoffice::operator::OperatorRole::Operator;

use crate::shell::access::Access;
use crate::shell::import::import_routes;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
pub(crate) use action::name as action_name;
pub(crate) use form::{meanwhile, moves};
use import::IMPORTER;
use page::show;
pub(crate) use pending::{NeedRow, PendingRow, needs, requested};
pub(crate) use timeline::EventRow;

pub(crate) const ROUTES: &[Route] = &Section::Orders.routes([
    Route::search(
        "/console/orders",
        "Orders",
        Access::Call("orders/search"),
        signed!(list::show),
    ),
    Route::search(
        "/console/orders/export.csv",
        "Export CSV of the orders",
        Access::Call("orders/search"),
        signed!(list::export),
    ),
    Route::page(
        "/console/orders/{number}",
        "Order",
        Access::Call("orders/get"),
        signed!(show),
    ),
]);

macro_rules! forms {
    ($($path:literal, $name:literal, $call:literal, $form:ident;)+) => {
        [$(
            Route::page(
                concat!("/console/orders/{number}/", $path),
                $name,
                Access::Call($call),
                signed!(form::first, form::$form::form),
            ),
            Route::action(
                concat!("/console/orders/{number}/", $path),
                $name,
                Access::Call($call),
                signed!(form::$form::submit),
            ),
        )+]
    };
}

/// The page and the action of each form, by path.
pub(crate) const FORMS: &[Route] = &Section::Orders.routes(forms! {
    "decide", "Approve, Refuse, Ask about the request", "orders/decide", decide;
    "fee-lines", "Add fee line", "orders/fee-lines", fee_line;
    "move", "Hold, Release, Start, Put back, Ask the store, Resolve, Cancel items", "orders/move", moves;
    "notes", "Add note", "orders/notes", note;
    "replace", "Replace items", "orders/replace", replace;
    "shipments", "Add shipment", "shipments/create", ship;
    "shipments/track", "Mark delivered, Mark returned", "shipments/track", track;
    "shipments/void", "Void shipment", "shipments/void", void;
    "update", "Edit order", "orders/update", update;
});

/// These must precede [`ROUTES`], where `import` would be an order number.
pub(crate) const IMPORT: &[Route] = &Section::Orders.routes(import_routes!(
    "/console/orders/import",
    Access::Role(Operator),
    IMPORTER
));
