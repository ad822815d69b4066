//! Stores: settings, keys, and a checklist of requirements for orders.

mod checklist;
mod create;
mod draft;
mod keys;
mod list;
mod page;
mod reached;

use pressline_backoffice::operator::OperatorRole::Admin;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;

/// Fixed paths come before paths with an id.
pub(crate) const ROUTES: &[Route] = &Section::Stores.routes([
    Route::page(
        "/console/stores",
        "Stores",
        Access::Call("stores/list"),
        signed!(list::show),
    ),
    Route::page(
        "/console/stores/new",
        "Create store",
        Access::AllStores(Admin),
        signed!(create::show),
    ),
    Route::confirmed(
        "/console/stores/new",
        "Create store",
        Access::AllStores(Admin),
        signed!(create::submit),
    ),
    Route::page(
        "/console/stores/{id}",
        "Store",
        Access::Call("stores/show"),
        signed!(page::show),
    ),
    Route::confirmed(
        "/console/stores/{id}",
        "Save settings",
        Access::Call("stores/set"),
        signed!(page::save),
    ),
    Route::confirmed(
        "/console/stores/{id}/disable",
        "Disable store",
        Access::Call("stores/disable"),
        signed!(page::set_enabled, false),
    ),
    Route::confirmed(
        "/console/stores/{id}/enable",
        "Enable store",
        Access::Call("stores/enable"),
        signed!(page::set_enabled, true),
    ),
    Route::confirmed(
        "/console/stores/{id}/keys",
        "Rotate key",
        Access::Call("stores/keys/rotate"),
        signed!(keys::rotate),
    ),
    Route::confirmed(
        "/console/stores/{id}/keys/revoke",
        "Revoke key",
        Access::Call("stores/keys/revoke"),
        signed!(keys::revoke),
    ),
]);
