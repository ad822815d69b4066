//! System: the program and its database, the operators, and the audit log.

mod audit;
mod invite;
mod operators;
mod page;

use pressline_backoffice::operator::OperatorRole::Admin;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
pub(crate) use audit::changes_of;

pub(crate) const ROUTES: &[Route] = &Section::System.routes([
    Route::page(
        "/console/system",
        "System",
        Access::AllStores(Admin),
        signed!(page::show),
    ),
    Route::page(
        "/console/system/audit.csv",
        "Export CSV of the audit",
        Access::AllStores(Admin),
        signed!(audit::export),
    ),
    Route::page(
        "/console/system/operators",
        "Operators",
        Access::AllStores(Admin),
        signed!(operators::show),
    ),
    Route::confirmed(
        "/console/system/operators",
        "Invite operator",
        Access::AllStores(Admin),
        signed!(invite::invite),
    ),
    Route::confirmed(
        "/console/system/operators/link",
        "Make sign-in link",
        Access::AllStores(Admin),
        signed!(invite::link),
    ),
    Route::confirmed(
        "/console/system/operators/revoke",
        "Revoke",
        Access::AllStores(Admin),
        signed!(operators::revoke),
    ),
]);
