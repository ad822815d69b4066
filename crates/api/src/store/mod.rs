//! Operations on stores, for operators.

pub(crate) mod create;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod list;
mod request;
mod response;
pub(crate) mod revoke_key;
pub(crate) mod rotate_key;
pub(crate) mod set;
pub(crate) mod show;

use pressline_domain::value::id::{KeyId, StoreId};

use crate::caller::ByOperator;

pub use response::StoreDocument;

/// `key` is the created or revoked key; `None` if no key was changed.
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
