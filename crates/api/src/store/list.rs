//! List stores.

use super::request::NoFields;
use super::response::{self, StoreList};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// List the stores
    ///
    /// Returns all stores that you have access to, oldest first.
    operator "listStores" at "/admin/v1/stores/list";
    tag "stores", span "api.store.list";
    request NoFields;
    response StoreList: "A list of stores.";
    example "All stores": "examples/list" request response;
}

async fn handle(call: ByOperator, request: Request<NoFields>) -> Response {
    let stores = call.stores();
    let found = stores.list().await;
    respond(found, request.unknown, response::stores)
}
