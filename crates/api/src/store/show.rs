//! Show a store.

use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Show a store
    ///
    /// Returns the store with its settings and the ids of its keys.
    operator "showStore" at "/admin/v1/stores/show";
    tag "stores", span "api.store.show";
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store.";
    example "A store": "examples/show" request response;
}

async fn handle(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let stores = call.stores();
    let found = stores.show(&request.draft).await;
    respond(found, request.unknown, response::store)
}
