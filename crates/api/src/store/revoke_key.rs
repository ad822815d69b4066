//! Revoke a secret key.

use super::log::log_change;
use super::request::StoreKeyRequest;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Revoke a secret key of a store
    ///
    /// Takes effect within 5 seconds.
    operator "revokeStoreKey" at "/admin/v1/stores/keys/revoke";
    tag "stores", span "api.store.revoke_key";
    errors [StoreNotFound, KeyNotFound];
    request StoreKeyRequest;
    response StoreResponse: "The store as it is then.";
    example "A key": "examples/revoke_key" request response;
}

async fn handle(call: ByOperator, request: Request<StoreKeyRequest>) -> Response {
    let stores = call.stores();
    let found = stores.revoke_key(&request.draft).await;
    if let Ok(record) = &found {
        // The record does not contain the revoked key any more.
        let key = request.draft.key_id.text().and_then(|id| id.parse().ok());
        log_change(&call, record.store.id, key);
    }
    respond(found, request.unknown, response::store)
}
