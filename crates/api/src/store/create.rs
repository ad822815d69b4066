//! Create a store.

use super::log::log_change;
use super::request::CreateStore;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Create a store
    ///
    /// Returns the store with its first secret key, which only this response shows. Operators with
    /// access to only some stores cannot create stores.
    operator "createStore" at "/admin/v1/stores/create";
    tag "stores", span "api.store.create";
    errors [DuplicatePrefix];
    request CreateStore;
    response StoreResponse: "The store with its first key.";
    example "A store in euros": "examples/create" request response;
}

async fn handle(call: ByOperator, request: Request<CreateStore>) -> Response {
    let stores = call.stores();
    let found = stores.create(&request.draft).await;
    if let Ok(made) = &found {
        log_change(&call, made.record.store.id, Some(made.key_id));
    }
    respond(found, request.unknown, response::store)
}
