//! Enable a store.

use super::log::log_change;
use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Serve a disabled store again
    ///
    /// Takes effect within 5 seconds.
    operator "enableStore" at "/admin/v1/stores/enable";
    tag "stores", span "api.store.enable";
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store as it is then.";
    example "A store": "examples/enable" request response;
}

async fn handle(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let stores = call.stores();
    let found = stores.set_enabled(&request.draft, true).await;
    if let Ok(record) = &found {
        log_change(&call, record.store.id, None);
    }
    respond(found, request.unknown, response::store)
}
