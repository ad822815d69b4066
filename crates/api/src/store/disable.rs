//! Disable a store.

use super::log::log_change;
use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Refuse the calls of a store
    ///
    /// Takes effect within 5 seconds.
    operator "disableStore" at "/admin/v1/stores/disable";
    tag "stores", span "api.store.disable";
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store as it is then.";
    example "A store": "examples/disable" request response;
}

async fn handle(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let stores = call.stores();
    let found = stores.set_enabled(&request.draft, false).await;
    if let Ok(record) = &found {
        log_change(&call, record.store.id, None);
    }
    respond(found, request.unknown, response::store)
}
