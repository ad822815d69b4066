//! Adds events about endpoints that the service has disabled.

use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Actor, EndpointDisabled, EventType};
use pressline_domain::value::StoreId;

use crate::cold_store::Db;
use crate::dialect::Texts;
use crate::failure::Failure;

/// Adds `event` to the events of `store`, in the caller's transaction. Returns its sequence number.
///
/// Call this function last: it locks the store's event counter until the transaction ends. Locking
/// other rows afterwards could cause a deadlock.
///
/// # Errors
/// [`RepositoryError::Refused`] if the store does not exist.
pub fn append_endpoint_event(
    db: &mut Db<'_>,
    store: StoreId,
    event: &EndpointDisabled,
) -> Result<u64, Failure> {
    let count = Texts {
        postgres: "UPDATE event_counters
             SET last_sequence = last_sequence + 1
             WHERE store_id = :store_id
             RETURNING last_sequence",
        sqlite: "UPDATE store_counters
             SET last_sequence = last_sequence + 1
             WHERE store_id = :store_id
             RETURNING last_sequence",
    };
    let counted = db.first::<i64>(count, &[("store_id", store.into())])?;
    let refused = || RepositoryError::Refused("there is no such store".into());
    let sequence = counted.ok_or_else(refused)?;
    db.execute(
        "INSERT INTO order_events (
             store_id, sequence, happened_at, endpoint_id, kind, actor, reason, moves
         )
         VALUES (
             :store_id, :sequence, :happened_at, :endpoint_id, :kind, :actor, :reason, '[]'
         )",
        &[
            ("store_id", store.into()),
            ("sequence", sequence.into()),
            ("happened_at", event.at.into()),
            ("endpoint_id", event.endpoint.into()),
            ("kind", EventType::WebhookDisabled.as_str().into()),
            ("actor", Actor::Service.role().as_str().into()),
            ("reason", event.reason.clone().into()),
        ],
    )?;
    Ok(u64::try_from(sequence).unwrap_or_default())
}
