//! Operations on stores.

use pressline_domain::value::{KeyId, StoreId};

use super::request::{CreateStore, NoFields, SetStore, StoreIdRequest, StoreKeyRequest};
use super::response::{self, StoreDocument, StoreResponse};
use crate::caller::ByOperator;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{ListOf, Response, respond};

operations! {
    const OPERATIONS;

    /// List the stores
    ///
    /// Returns all stores that you have access to, oldest first.
    operator "listStores" at "/admin/v1/stores/list";
    tag "stores", span "api.store.list", handler list;
    request NoFields;
    response ListOf<StoreDocument>: "A list of stores.";
    example "All stores": "examples/list" request response;

    /// Show a store
    ///
    /// Returns the store with its settings and the ids of its keys.
    operator "showStore" at "/admin/v1/stores/show";
    tag "stores", span "api.store.show", handler show;
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store.";
    example "A store": "examples/show" request response;

    /// Create a store
    ///
    /// Returns the store with its first secret key, which only this response shows. Operators with
    /// access to only some stores cannot create stores.
    operator "createStore" at "/admin/v1/stores/create";
    tag "stores", span "api.store.create", handler create;
    errors [DuplicatePrefix];
    request CreateStore;
    response StoreResponse: "The store with its first key.";
    example "A store in euros": "examples/create" request response;

    /// Change the settings of a store
    ///
    /// Absent fields remain unchanged. The changes take effect within 5 seconds.
    operator "setStore" at "/admin/v1/stores/set";
    tag "stores", span "api.store.set", handler set;
    errors [StoreNotFound, VersionConflict];
    request SetStore;
    response StoreResponse: "The store as it is then.";
    example "A strict catalog": "examples/set" request response;

    /// Serve a disabled store again
    ///
    /// Takes effect within 5 seconds.
    operator "enableStore" at "/admin/v1/stores/enable";
    tag "stores", span "api.store.enable", handler enable;
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store as it is then.";
    example "A store": "examples/enable" request response;

    /// Refuse the calls of a store
    ///
    /// Takes effect within 5 seconds.
    operator "disableStore" at "/admin/v1/stores/disable";
    tag "stores", span "api.store.disable", handler disable;
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store as it is then.";
    example "A store": "examples/disable" request response;

    /// Create another secret key of a store
    ///
    /// Returns the store with the new key, which only this response shows. A store has at most two
    /// keys: if it already has two, the older key is removed.
    operator "rotateStoreKey" at "/admin/v1/stores/keys/rotate";
    tag "stores", span "api.store.rotate_key", handler rotate_key;
    errors [StoreNotFound];
    request StoreIdRequest;
    response StoreResponse: "The store with the new key.";
    example "Another key": "examples/rotate_key" request response;

    /// Revoke a secret key of a store
    ///
    /// Takes effect within 5 seconds.
    operator "revokeStoreKey" at "/admin/v1/stores/keys/revoke";
    tag "stores", span "api.store.revoke_key", handler revoke_key;
    errors [StoreNotFound, KeyNotFound];
    request StoreKeyRequest;
    response StoreResponse: "The store as it is then.";
    example "A key": "examples/revoke_key" request response;
}

async fn list(call: ByOperator, request: Request<NoFields>) -> Response {
    let result = call.stores().list().await;
    respond(result, request.unknown, response::stores)
}

async fn show(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let result = call.stores().show(&request.draft).await;
    respond(result, request.unknown, response::store)
}

async fn create(call: ByOperator, request: Request<CreateStore>) -> Response {
    let result = call
        .stores()
        .create(&request.draft)
        .await
        .inspect(|made| log_change(&call, made.record.store.id, Some(made.key_id)));
    respond(result, request.unknown, response::store)
}

async fn set(call: ByOperator, request: Request<SetStore>) -> Response {
    let (which, draft) = &request.draft;
    let result = call
        .stores()
        .set(which, draft)
        .await
        .inspect(|record| log_change(&call, record.store.id, None));
    respond(result, request.unknown, response::store)
}

async fn enable(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let result = call
        .stores()
        .set_enabled(&request.draft, true)
        .await
        .inspect(|record| log_change(&call, record.store.id, None));
    respond(result, request.unknown, response::store)
}

async fn disable(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let result = call
        .stores()
        .set_enabled(&request.draft, false)
        .await
        .inspect(|record| log_change(&call, record.store.id, None));
    respond(result, request.unknown, response::store)
}

async fn rotate_key(call: ByOperator, request: Request<StoreIdRequest>) -> Response {
    let result = call
        .stores()
        .rotate_key(&request.draft)
        .await
        .inspect(|made| log_change(&call, made.record.store.id, Some(made.key_id)));
    respond(result, request.unknown, response::store)
}

async fn revoke_key(call: ByOperator, request: Request<StoreKeyRequest>) -> Response {
    let result = call.stores().revoke_key(&request.draft).await;
    // The record does not contain the revoked key any more.
    let key = request.draft.key_id.text().and_then(|id| id.parse().ok());
    respond(
        result.inspect(|record| log_change(&call, record.store.id, key)),
        request.unknown,
        response::store,
    )
}

/// Logs a change of `store`. `key` is the created or revoked key; `None` for other changes.
fn log_change(call: &ByOperator, store: StoreId, key: Option<KeyId>) {
    call.note_store_id(store);
    tracing::info!(
        operator = call.caller.operator.name,
        token = %call.caller.token,
        call = call.right(),
        %store,
        key = key.map(|key| key.to_string()),
        "an operator has changed a store"
    );
}
