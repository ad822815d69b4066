//! Reads the open messages of a subscription.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{OpenMessage, SubscriptionKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::id::OrderId;
use pressline_domain::value::time::Timestamp;

use super::subscription_values::of_subscription;
use crate::cold_store::Db;
use crate::corrupt::StoredRow;
use crate::failure::{Failure, restore_all};
use crate::json;

pub(super) type MessageRow = (i64, Option<String>, i64, i64, bool);

/// Returns up to `limit` messages of `subscription` that are due at `now`, earliest due time first;
/// for each order, at most its first due message.
pub(super) fn due(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<OpenMessage>, Failure> {
    let rows = db.load::<MessageRow>(
        "SELECT sequence, order_uuid, attempts, due, waits
         FROM webhook_messages AS message
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND due <= :now
           -- Looked up message by message, until there are enough: a join would read all that are due.
           AND (
               SELECT MIN(earlier.sequence)
               FROM webhook_messages AS earlier
               WHERE earlier.store_id = :store_id
                 AND earlier.endpoint_id = :endpoint_id
                 AND earlier.order_uuid = message.order_uuid
                 AND earlier.sequence < message.sequence
                 AND earlier.due <= :now
           ) IS NULL
         ORDER BY due, sequence
         LIMIT :limit",
        &of_subscription(
            subscription,
            [
                ("now", now.into()),
                ("limit", limit.into()),
            ],
        ),
    )?;
    restore_all(rows, |row| restored(subscription, row))
}

pub(super) fn oldest(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
) -> Result<Option<OpenMessage>, Failure> {
    let first = db.first::<MessageRow>(
        "SELECT sequence, order_uuid, attempts, due, waits
         FROM webhook_messages
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
         ORDER BY sequence
         LIMIT 1",
        &of_subscription(subscription, []),
    )?;
    Ok(first.map(|row| restored(subscription, row)).transpose()?)
}

pub(super) fn blocked(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    orders: &BTreeSet<OrderId>,
) -> Result<BTreeSet<OrderId>, Failure> {
    let ids: Vec<String> = orders.iter().map(OrderId::to_string).collect();
    let text = format!(
        "SELECT DISTINCT order_uuid
         FROM webhook_messages
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND order_uuid {}",
        db.dialect.in_texts(":orders")
    );
    let values = of_subscription(subscription, [("orders", json::write(&ids)?.into())]);
    let found = db.load::<String>(&text, &values)?;
    let found: BTreeSet<String> = found.into_iter().collect();
    let is_found = |order: &&OrderId| found.contains(&order.to_string());
    Ok(orders.iter().filter(is_found).copied().collect())
}

fn restored(
    subscription: SubscriptionKey,
    (sequence, order, attempts, due, waits): MessageRow,
) -> Result<OpenMessage, RepositoryError> {
    let (store_id, endpoint_id) = (
        subscription.store.to_string(),
        subscription.endpoint.to_string(),
    );
    let place = sequence.to_string();
    let stored = StoredRow("webhook_messages", &[&store_id, &endpoint_id, &place]);
    Ok(OpenMessage {
        sequence: stored.read("sequence", u64::try_from(sequence))?,
        order: stored.read_option("order_uuid", order.as_deref(), str::parse)?,
        attempts: stored.read("attempts", u32::try_from(attempts))?,
        due: Timestamp::from_millis(due),
        waits,
    })
}
