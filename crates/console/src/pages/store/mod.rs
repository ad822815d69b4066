//! Stores: settings, keys, and a checklist of requirements for orders.

mod checklist;
mod create;
mod draft;
mod keys;
mod list;
mod page;
mod reached;

use pressline_backoffice::operator::OperatorRole::Admin;

use crate::shell::access::Access::{AllStores, Call};
use crate::shell::{Route, Section, routes};

/// Fixed paths must come before paths with an id.
pub(crate) const ROUTES: &[Route] = &Section::Stores.routes(routes! {
    page: "/console/stores", "Stores", Call("stores/list") => list::show;
    page: "/console/stores/new", "Create store", AllStores(Admin) => create::show;
    action.confirmed: "/console/stores/new", "Create store", AllStores(Admin) => create::submit;
    page: "/console/stores/{id}", "Store", Call("stores/show") => page::show;
    action.confirmed: "/console/stores/{id}", "Save settings", Call("stores/set") => page::save;
    action.confirmed: "/console/stores/{id}/disable", "Disable store", Call("stores/disable")
        => page::set_enabled, false;
    action.confirmed: "/console/stores/{id}/enable", "Enable store", Call("stores/enable")
        => page::set_enabled, true;
    action.confirmed: "/console/stores/{id}/keys", "Rotate key", Call("stores/keys/rotate")
        => keys::rotate;
    action.confirmed: "/console/stores/{id}/keys/revoke", "Revoke key", Call("stores/keys/revoke")
        => keys::revoke;
});
