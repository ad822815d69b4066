//! Change a store.

use super::log::log_change;
use super::request::SetStore;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Change the settings of a store
    ///
    /// Absent fields remain unchanged. The changes take effect within 5 seconds.
    operator "setStore" at "/admin/v1/stores/set";
    tag "stores", span "api.store.set";
    errors [StoreNotFound, VersionConflict];
    request SetStore;
    response StoreResponse: "The store as it is then.";
    example "A strict catalog": "examples/set" request response;
}

async fn handle(call: ByOperator, request: Request<SetStore>) -> Response {
    let stores = call.stores();
    let (which, draft) = &request.draft;
    let found = stores.set(which, draft).await;
    if let Ok(record) = &found {
        log_change(&call, record.store.id, None);
    }
    respond(found, request.unknown, response::store)
}
