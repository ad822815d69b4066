//! The routes of the system.

use pressline_domain::operator::OperatorRole::Admin;

use crate::frame::Section;
use crate::route::{Access, Route, signed};

/// Every route, by path.
pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/system",
        "System",
        Access::AllStores(Admin),
        signed!(super::page::show),
    )
    .below(Section::System),
    Route::page(
        "/console/system/audit.csv",
        "Export CSV of the audit",
        Access::AllStores(Admin),
        signed!(super::audit::export),
    )
    .below(Section::System),
    Route::page(
        "/console/system/operators",
        "Operators",
        Access::AllStores(Admin),
        signed!(super::operators::show),
    )
    .below(Section::System),
    Route::action(
        "/console/system/operators",
        "Invite operator",
        Access::AllStores(Admin),
        signed!(super::invite::invite),
    )
    .below(Section::System)
    .confirmed(),
    Route::action(
        "/console/system/operators/link",
        "Make sign-in link",
        Access::AllStores(Admin),
        signed!(super::invite::link),
    )
    .below(Section::System)
    .confirmed(),
    Route::action(
        "/console/system/operators/revoke",
        "Revoke",
        Access::AllStores(Admin),
        signed!(super::operators::revoke),
    )
    .below(Section::System)
    .confirmed(),
];
