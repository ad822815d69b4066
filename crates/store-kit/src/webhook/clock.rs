//! Fast-forwards the due times of the endpoints that a store owns.

use pressline_domain::value::id::StoreId;

use crate::cold_store::Db;
use crate::failure::Failure;

/// Makes times of the endpoints that `store` owns earlier by `seconds`: due times of subscriptions
/// and messages, times of next attempts, ends of pauses, and starts of failures.
pub(super) fn advance(db: &mut Db<'_>, store: StoreId, seconds: u32) -> Result<(), Failure> {
    let values = [
        ("store_id", store.into()),
        ("millis", (i64::from(seconds) * 1000).into()),
    ];
    // Same lock order as when a result is stored: subscriptions first, then the endpoint.
    for (table, columns) in [
        ("webhook_subscriptions", "next_due = next_due - :millis"),
        ("webhook_messages", "due = due - :millis"),
        (
            "webhook_deliveries",
            "next_attempt_at = next_attempt_at - :millis",
        ),
    ] {
        let text = format!(
            "UPDATE {table}
             SET {columns}
             WHERE store_id = :store_id
               AND endpoint_id IN (
                   SELECT endpoint_id FROM webhook_endpoints WHERE store_id = :store_id
               )"
        );
        db.execute(&text, &values)?;
    }
    db.run(
        "UPDATE webhook_endpoints
         SET paused_until = paused_until - :millis, failing_since = failing_since - :millis,
             version = version + 1
         WHERE store_id = :store_id",
        &values,
    )
}
