//! Create another secret key.

use super::log::log_change;
use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Create another secret key of a store
    ///
    /// Returns the store with the new key, which only this response shows. A store has at most two
    /// keys: if it already has two, the older key is removed.
    operator "rotateStoreKey" at "/admin/v1/stores/keys/rotate";
    tag "stores", span "api.store.rotate_key";
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store with the new key.";
    example "Another key": "examples/rotate_key" request response;
}

async fn handle(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let stores = call.stores();
    let found = stores.rotate_key(&request.draft).await;
    if let Ok(made) = &found {
        log_change(&call, made.record.store.id, Some(made.key_id));
    }
    respond(found, request.unknown, response::store)
}
