//! The rows of webhooks, and the statements about them: endpoints, lanes, messages and the log.
//!
//! They are the same for both databases but for the parts in a [`Dialect`](crate::Dialect). A transaction that
//! locks several of these rows locks lanes first, then the endpoint, and the counter of events last.

mod clock;
mod endpoint;
mod hearing;
mod lag;
mod lane;
mod log;
mod message;
mod port;
mod record;
mod recover;
mod row;
mod search;

pub(crate) use row::{DeliveryRow, EndpointRow, SecretRow};

use crate::cold::Value;
use pressline_domain::webhook::LaneKey;

/// Returns the parameters that name a lane, and these.
fn of_lane<const N: usize>(
    lane: LaneKey,
    others: [(&'static str, Value); N],
) -> Vec<(&'static str, Value)> {
    let mut values = vec![
        ("store_id", Value::text(&lane.store.to_string())),
        ("endpoint_id", Value::text(&lane.endpoint.to_string())),
    ];
    values.extend(others);
    values
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns a number of the database as the domain has it; 0 for a negative one, which no table has.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
