//! Measures the backlog of an endpoint: the number of events, and the time of the oldest event.

use pressline_backoffice::webhook::Lag;
use pressline_domain::value::{EndpointId, Timestamp};

use super::subscription_values::unsigned;
use crate::cold_store::Db;
use crate::failure::Failure;

pub(super) type LagRow = (i64, Option<i64>);

/// Counts the events after the cursors of the endpoint's subscriptions, and the endpoint's open
/// messages. The oldest event of a subscription is the event with the lowest sequence number.
pub(super) fn lag(db: &mut Db<'_>, id: EndpointId) -> Result<Lag, Failure> {
    let mut values = vec![("endpoint_id", id.into())];
    let owner = db.first::<Option<String>>(
        "SELECT store_id FROM webhook_endpoints WHERE endpoint_id = :endpoint_id",
        &values,
    )?;
    // A store's endpoint has a single subscription; nothing else is read for it.
    let texts = match owner.flatten() {
        Some(owner) => {
            values.push(("owner", owner.into()));
            [
                include_str!("sql/lag_of_store.sql"),
                include_str!("sql/open_messages_of_store.sql"),
            ]
        }
        None => [
            include_str!("sql/lag_of_all.sql"),
            include_str!("sql/open_messages_of_all.sql"),
        ],
    };
    let mut lag = Lag::default();
    for text in texts {
        for (events, oldest) in db.load::<LagRow>(text, &values)? {
            lag.events = lag.events.saturating_add(unsigned(events));
            let oldest = oldest.map(Timestamp::from_millis);
            lag.oldest = lag.oldest.into_iter().chain(oldest).min();
        }
    }
    Ok(lag)
}
