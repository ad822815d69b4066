//! System: the program and its database, the operators, and the audit log.

mod audit;
mod facts;
mod invite;
mod operators;
mod page;

use pressline_backoffice::operator::OperatorRole::Admin;

use crate::shell::access::Access::AllStores;
use crate::shell::{Route, Section, routes};

pub(crate) use audit::changes_of;

pub(crate) const ROUTES: &[Route] = &Section::System.routes(routes! {
    page: "/console/system", "System", AllStores(Admin) => page::show;
    page: "/console/system/audit.csv", "Export CSV of the audit", AllStores(Admin) => audit::export;
    page: "/console/system/operators", "Operators", AllStores(Admin) => operators::show;
    action.confirmed: "/console/system/operators", "Invite operator", AllStores(Admin)
        => invite::invite;
    action.confirmed: "/console/system/operators/link", "Make sign-in link", AllStores(Admin)
        => invite::link;
    action.confirmed: "/console/system/operators/revoke", "Revoke", AllStores(Admin)
        => operators::revoke;
});
