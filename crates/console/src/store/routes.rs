//! The routes of stores.

use pressline_domain::operator::OperatorRole::Admin;

use crate::frame::Section;
use crate::route::{Access, Route, signed};

/// Fixed names come before ids.
pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/stores",
        "Stores",
        Access::Call("stores/list"),
        signed!(super::list::show),
    )
    .below(Section::Stores),
    Route::page(
        "/console/stores/new",
        "Create store",
        Access::AllStores(Admin),
        signed!(super::create::show),
    )
    .below(Section::Stores),
    Route::action(
        "/console/stores/new",
        "Create store",
        Access::AllStores(Admin),
        signed!(super::create::submit),
    )
    .below(Section::Stores)
    .confirmed(),
    Route::page(
        "/console/stores/{id}",
        "Store",
        Access::Call("stores/show"),
        signed!(super::page::show),
    )
    .below(Section::Stores),
    Route::action(
        "/console/stores/{id}",
        "Save settings",
        Access::Call("stores/set"),
        signed!(super::settings::save),
    )
    .below(Section::Stores)
    .confirmed(),
    Route::action(
        "/console/stores/{id}/disable",
        "Disable store",
        Access::Call("stores/disable"),
        signed!(super::settings::disable),
    )
    .below(Section::Stores)
    .confirmed(),
    Route::action(
        "/console/stores/{id}/enable",
        "Enable store",
        Access::Call("stores/enable"),
        signed!(super::settings::enable),
    )
    .below(Section::Stores)
    .confirmed(),
    Route::action(
        "/console/stores/{id}/keys",
        "Rotate key",
        Access::Call("stores/keys/rotate"),
        signed!(super::keys::rotate),
    )
    .below(Section::Stores)
    .confirmed(),
    Route::action(
        "/console/stores/{id}/keys/revoke",
        "Revoke key",
        Access::Call("stores/keys/revoke"),
        signed!(super::keys::revoke),
    )
    .below(Section::Stores)
    .confirmed(),
];
