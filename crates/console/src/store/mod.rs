//! Stores: their settings, their keys, and what each needs before its orders can be made and paid.

mod checklist;
mod create;
mod draft;
mod keys;
mod list;
mod page;
mod routes;
mod secret;
mod settings;

pub(crate) use routes::ROUTES;

use pressline_domain::id::StoreId;
use pressline_domain::operator::OperatorStores;
use pressline_domain::store::{StoreIdDraft, StoreRecord};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::visit::Visit;

/// The path of the list.
pub(crate) const STORES: &str = "/console/stores";

/// Returns the path of a store.
pub(crate) fn path(id: StoreId) -> String {
    format!("{STORES}/{id}")
}

/// Returns the stores that the operator administers.
fn administered(visit: &Visit) -> OperatorStores<'_> {
    let admin = &visit.services().stores;
    OperatorStores::new(admin, visit.operator(), Some(visit.request_id()))
}

/// Returns the id that the path names.
///
/// # Errors
/// `store_not_found` for another text.
fn id(visit: &Visit) -> Result<StoreId, RequestError> {
    let id = visit.parameter("id").parse();
    id.map_err(|_| RequestError::new(Code::StoreNotFound, "no store has this address"))
}

/// Returns what names a store to its use cases.
fn which(id: StoreId) -> StoreIdDraft {
    StoreIdDraft {
        store_id: id.to_string().into(),
        ..StoreIdDraft::default()
    }
}

/// Returns the store of the path.
///
/// # Errors
/// `store_not_found`, also for a store that the operator does not reach.
async fn load(visit: &Visit) -> Result<StoreRecord, RequestError> {
    Ok(administered(visit).show(&which(id(visit)?)).await?)
}
