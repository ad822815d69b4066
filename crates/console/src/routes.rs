//! The table of routes: every page of the console and every action of its forms. Routing, the
//! navigation, the matrix of roles and a test of every route with every role read it.

use pressline_domain::operator::OperatorRole::{Admin, Viewer};

use crate::frame::Section;
use crate::route::{Access, Method, Route, open, signed};
use crate::{account, find, order, queue, session, system, today};

/// Every route, by path.
pub(crate) const TABLE: &[Route] = &[
    Route::page(
        "/console",
        "Today",
        Access::Call("queue/counts"),
        signed!(today::show),
    )
    .below(Section::Today),
    Route::page(
        "/console/account",
        "Account",
        Access::SignedIn,
        signed!(account::show),
    ),
    Route::action(
        "/console/account",
        "Save",
        Access::SignedIn,
        signed!(account::save),
    ),
    Route::action(
        "/console/account/password",
        "Change password",
        Access::SignedIn,
        signed!(account::set_password),
    ),
    Route::action(
        "/console/account/sessions/revoke",
        "End session",
        Access::SignedIn,
        signed!(account::revoke_session),
    )
    .confirmed(),
    Route::action(
        "/console/confirm",
        "Confirm",
        Access::SignedIn,
        signed!(session::confirm),
    ),
    Route::page(
        "/console/find",
        "Find order",
        Access::Role(Viewer),
        signed!(find::find),
    )
    .searching(),
    Route::page(
        "/console/orders",
        "Orders",
        Access::Call("orders/search"),
        signed!(order::list::show),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        "/console/orders/export.csv",
        "Export CSV of the orders",
        Access::Call("orders/search"),
        signed!(order::list::export),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        "/console/orders/{number}",
        "Order",
        Access::Call("orders/get"),
        signed!(order::show),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/decide",
        "Approve, Refuse, Ask about the request",
        Access::Call("orders/decide"),
        signed!(order::decide::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/decide",
        "Approve, Refuse, Ask about the request",
        Access::Call("orders/decide"),
        signed!(order::decide::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/fee-lines",
        "Add fee line",
        Access::Call("orders/fee-lines"),
        signed!(order::fee_line::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/fee-lines",
        "Add fee line",
        Access::Call("orders/fee-lines"),
        signed!(order::fee_line::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/move",
        "Hold, Release, Start, Put back, Ask the store, Resolve, Cancel items",
        Access::Call("orders/move"),
        signed!(order::moves::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/move",
        "Hold, Release, Start, Put back, Ask the store, Resolve, Cancel items",
        Access::Call("orders/move"),
        signed!(order::moves::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/notes",
        "Add note",
        Access::Call("orders/notes"),
        signed!(order::note::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/notes",
        "Add note",
        Access::Call("orders/notes"),
        signed!(order::note::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/replace",
        "Replace items",
        Access::Call("orders/replace"),
        signed!(order::replace::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/replace",
        "Replace items",
        Access::Call("orders/replace"),
        signed!(order::replace::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments",
        "Add shipment",
        Access::Call("shipments/create"),
        signed!(order::ship::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments",
        "Add shipment",
        Access::Call("shipments/create"),
        signed!(order::ship::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments/track",
        "Mark delivered, Mark returned",
        Access::Call("shipments/track"),
        signed!(order::track::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments/track",
        "Mark delivered, Mark returned",
        Access::Call("shipments/track"),
        signed!(order::track::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments/void",
        "Void shipment",
        Access::Call("shipments/void"),
        signed!(order::void::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments/void",
        "Void shipment",
        Access::Call("shipments/void"),
        signed!(order::void::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/update",
        "Edit order",
        Access::Call("orders/update"),
        signed!(order::update::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/update",
        "Edit order",
        Access::Call("orders/update"),
        signed!(order::update::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/queue",
        "Queue",
        Access::Call("queue/search"),
        signed!(queue::show),
    )
    .below(Section::Queue)
    .searching(),
    Route::action(
        "/console/queue",
        "Start, Put back, Hold, Ask the store",
        Access::Call("orders/move"),
        signed!(queue::submit),
    )
    .below(Section::Queue),
    Route::page(
        "/console/queue/export.csv",
        "Export CSV of the queue",
        Access::Call("queue/search"),
        signed!(queue::export),
    )
    .below(Section::Queue)
    .searching(),
    Route::page(
        "/console/sign-in",
        "Sign in",
        Access::Open,
        open!(session::show),
    ),
    Route::action(
        "/console/sign-in",
        "Sign in",
        Access::Open,
        open!(session::sign_in),
    ),
    Route::action(
        "/console/sign-out",
        "Sign out",
        Access::SignedIn,
        signed!(session::sign_out),
    ),
    Route::page(
        "/console/system",
        "System",
        Access::AllStores(Admin),
        signed!(system::show),
    )
    .below(Section::System),
    Route::page(
        "/console/system/audit.csv",
        "Export CSV of the audit",
        Access::AllStores(Admin),
        signed!(system::export),
    )
    .below(Section::System),
];

/// Returns the page at a path.
pub(crate) fn page(path: &str) -> Option<&'static Route> {
    let mut pages = TABLE.iter().filter(|route| route.method == Method::Get);
    pages.find(|route| route.path == path)
}
