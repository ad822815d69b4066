//! The rows of webhooks, and the statements about them: endpoints, lanes, messages and the log.
//!
//! They are the same for both databases but for the parts in a [`WebhookDialect`]. A transaction that
//! locks several of these rows locks lanes first, then the endpoint, and the counter of events last.

mod clock;
mod dialect;
mod endpoint;
mod hearing;
mod lag;
mod lane;
mod log;
mod message;
mod record;
mod recover;
mod row;
pub(crate) mod sealing;
mod search;

use std::marker::PhantomData;

pub use dialect::WebhookDialect;
pub use log::OldDelivery;
pub use recover::{RecoverBatch, RecoverPlan};
pub use row::{DeliveryRow, EndpointRow, SecretRow};

use crate::cold::{RowLocks, Value};
use pressline_domain::webhook::LaneKey;

/// The webhooks that a connection reads and writes. `F` is the error that ends the transaction.
#[derive(Debug)]
pub struct Webhooks<'c, C, F> {
    connection: &'c mut C,
    locks: RowLocks,
    dialect: &'static WebhookDialect,
    failure: PhantomData<F>,
}

impl<'c, C, F> Webhooks<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C, locks: RowLocks, dialect: &'static WebhookDialect) -> Self {
        Self {
            connection,
            locks,
            dialect,
            failure: PhantomData,
        }
    }
}

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

/// Returns a number of the domain as the database has it.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns a number of the database as the domain has it; 0 for a negative one, which no table has.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
