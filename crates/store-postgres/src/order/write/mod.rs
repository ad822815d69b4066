//! Writes new and changed orders together. The number of statements does not depend on the number
//! of orders or items.

pub(crate) mod chunk;
mod content;
pub(crate) mod create;
mod missing;
pub(crate) mod update;

use diesel::connection::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_store_kit::{ChangeRows, NewRows, OrderJob};

use crate::citus::Nodes;
use crate::error::Failure;

use missing::missing;
pub(crate) use update::{UpdateResult, update_alone};

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are of the large one")]
pub(crate) enum WriteOutcome {
    Stored(Order),
    /// The order is locked or missing, or an attempt with a lost connection may have made the
    /// change. Applying the change alone gives the result, but may take a while.
    Unsettled(Box<ChangeRows>),
}

/// A refused order does not affect the others.
///
/// New orders are written first. They may wait for a transaction that holds a store's counter or
/// has inserted an order with the same id. That transaction has already locked the counters of all
/// its stores, and changes of orders never wait. The event counters are locked last, by a single
/// statement and sorted by store. Two transactions therefore never wait for each other.
pub(crate) fn write(
    connection: &mut PgConnection,
    jobs: &mut [OrderJob],
    nodes: Nodes,
) -> Result<Vec<Result<WriteOutcome, RepositoryError>>, Failure> {
    let (mut new, mut changes): (Vec<&NewRows>, Vec<&ChangeRows>) = (Vec::new(), Vec::new());
    for job in jobs.iter() {
        match job {
            OrderJob::Create(rows) => new.push(rows),
            OrderJob::Change(change) => changes.push(change),
        }
    }
    let (created_orders, update_results) = match (new.as_slice(), changes.as_slice()) {
        // A single statement is a transaction of its own.
        (new, []) => (create::create(connection, new, &[], nodes)?, Vec::new()),
        ([], changes) => (Vec::new(), update::update(connection, changes, nodes)?),
        (new, changes) => connection.transaction(|connection| {
            // `create` also locks the event counters of the changed stores: all counters are locked
            // in one order.
            let of_changes: Vec<String> = changes
                .iter()
                .map(|change| change.store_id().to_owned())
                .collect();
            Ok::<_, Failure>((
                create::create(connection, new, &of_changes, nodes)?,
                update::update(connection, changes, nodes)?,
            ))
        })?,
    };
    let (mut created, mut results) = (created_orders.into_iter(), update_results.into_iter());
    let written = jobs.iter_mut().map(|job| match job {
        OrderJob::Create(rows) => {
            let (number, sequence) = created.next().ok_or_else(missing)??;
            rows.stored(number, sequence).map(WriteOutcome::Stored)
        }
        OrderJob::Change(change) => match results.next().ok_or_else(missing)? {
            UpdateResult::Changed(sequence) => Ok(WriteOutcome::Stored(change.stored(sequence))),
            // In doubt, the change itself may have caused the refusal.
            UpdateResult::Refused(error) if !change.in_doubt => Err(error),
            UpdateResult::Refused(_) | UpdateResult::Locked => {
                Ok(WriteOutcome::Unsettled(change.clone()))
            }
        },
    });
    Ok(written.collect())
}
