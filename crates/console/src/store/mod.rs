//! Stores: their settings, their keys, and what each needs before its orders can be made and paid.

mod checklist;
mod create;
mod draft;
mod keys;
mod list;
mod page;

use pressline_domain::id::StoreId;
use pressline_domain::operator::OperatorRole::Admin;
use pressline_domain::operator::OperatorStores;
use pressline_domain::store::{StoreIdDraft, StoreRecord};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::frame::Section;
use crate::route::{Access, Route, signed};
use crate::visit::Visit;

pub(crate) const STORES: &str = "/console/stores";

pub(crate) fn path(id: StoreId) -> String {
    format!("{STORES}/{id}")
}

fn administered(visit: &Visit) -> OperatorStores<'_> {
    let admin = &visit.services().stores;
    OperatorStores::new(admin, visit.operator(), Some(visit.request_id()))
}

/// `store_not_found` for other texts.
fn id(visit: &Visit) -> Result<StoreId, RequestError> {
    let id = visit.parameter("id").parse();
    id.map_err(|_| RequestError::new(Code::StoreNotFound, "no store has this address"))
}

fn which(id: StoreId) -> StoreIdDraft {
    StoreIdDraft {
        store_id: id.to_string().into(),
        ..StoreIdDraft::default()
    }
}

/// `store_not_found` also if the operator does not reach the store.
async fn load(visit: &Visit) -> Result<StoreRecord, RequestError> {
    Ok(administered(visit).show(&which(id(visit)?)).await?)
}

/// Fixed names come before ids.
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
