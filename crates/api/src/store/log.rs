//! The log of changes of stores.

use pressline_domain::value::id::{KeyId, StoreId};

use crate::caller::ByOperator;

/// Logs a change of `store`. `key` is the created or revoked key; `None` for other changes.
pub(super) fn log_change(call: &ByOperator, store: StoreId, key: Option<KeyId>) {
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
