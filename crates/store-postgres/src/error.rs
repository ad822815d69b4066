//! What the database's errors mean to a caller.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use pressline_domain::error::RepositoryError;
pub(crate) use pressline_store_kit::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The connection is lost; another one may work.
    Reconnect,
    /// Two transactions were in each other's way and this one was undone; it may be tried again.
    TryAgain,
    Nothing,
}

/// Whether the server's message contains one of the texts. diesel does not expose most error codes of
/// the server. If the server's messages are not in English, deadlocks are therefore not retried.
fn says(error: &DieselError, texts: &[&str]) -> bool {
    match error {
        DieselError::DatabaseError(_, information) => texts
            .iter()
            .any(|text| information.message().contains(text)),
        _ => false,
    }
}

pub(crate) fn remedy_of(failure: &Failure) -> Remedy {
    match failure {
        Failure::Database(error) => remedy(error),
        Failure::Repository(_) => Remedy::Nothing,
    }
}

/// Returns the error for the caller. `timed_out` is true if the statement took as long as one may.
pub(crate) fn repository(failure: Failure, timed_out: bool) -> RepositoryError {
    match failure {
        Failure::Repository(error) => error,
        Failure::Database(error) => translated(error, timed_out),
    }
}

fn remedy(error: &DieselError) -> Remedy {
    use DatabaseErrorKind::{
        ClosedConnection, ReadOnlyTransaction, SerializationFailure, UnableToSendCommand,
    };
    match error {
        DieselError::RollbackErrorOnCommit { commit_error, .. } => remedy(commit_error),
        error if no_connection_to_node(error) => Remedy::Nothing,
        DieselError::BrokenTransactionManager
        // After a failover, a connection to what is now the standby can only read; a new one finds
        // the primary.
        | DieselError::DatabaseError(ClosedConnection | UnableToSendCommand | ReadOnlyTransaction, _) => {
            Remedy::Reconnect
        }
        DieselError::DatabaseError(SerializationFailure, _) => Remedy::TryAgain,
        // The second one is Citus's.
        error if says(error, &["deadlock detected", "distributed deadlock"]) => Remedy::TryAgain,
        error if says(error, &["terminating connection", CLOSED]) => Remedy::Reconnect,
        _ => Remedy::Nothing,
    }
}

/// Whether, with Citus, the server gets no connection to another node. A new connection to the server
/// would not help. A new one would help if the server had a connection to the node and lost it, because the
/// node may be back.
fn no_connection_to_node(error: &DieselError) -> bool {
    says(error, &[REMOTE_NODE]) && !says(error, &[CLOSED])
}

/// Begins the message of Citus about a node that it does not reach.
const REMOTE_NODE: &str = "connection to the remote node";

/// Is part of the message about a connection that was lost.
const CLOSED: &str = "server closed the connection";

/// Messages of a server that cannot do its work now: it has no room for the rows, none in its memory,
/// or, with Citus, does not reach another node, maybe at the commit.
const NOT_NOW: [&str; 6] = [
    REMOTE_NODE,
    "could not commit transaction for shard",
    "No space left",
    "could not extend file",
    "out of memory",
    "out of shared memory",
];

fn translated(error: DieselError, timed_out: bool) -> RepositoryError {
    match &error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, information) => {
            RepositoryError::Duplicate(match information.constraint_name() {
                Some("orders_order_id" | "orders_pkey") => "an order with this id",
                Some("orders_number") => "an order with this number",
                Some("stores_prefix") => "a store with this prefix",
                Some("stores_pkey") => "a store with this id",
                _ => "a value that must be unique",
            })
        }
        error_ if remedy(error_) != Remedy::Nothing || says(error_, &NOT_NOW) => {
            RepositoryError::Unavailable(error.into())
        }
        error_ if timed_out || says(error_, &["canceling statement due to"]) => {
            RepositoryError::Timeout(error.into())
        }
        _ => RepositoryError::Refused(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: DatabaseErrorKind, message: &str) -> Failure {
        DieselError::DatabaseError(kind, Box::new(message.to_owned())).into()
    }

    /// Messages of Citus 13.2 while a node is away, is starting, and ends during a commit.
    #[test]
    fn a_node_that_is_away_is_unavailable() {
        let remote = |why: &str| {
            let message = format!(
                "connection to the remote node u@h:1 failed with the following error: {why}"
            );
            failure(DatabaseErrorKind::ClosedConnection, &message)
        };
        let commit = "could not commit transaction for shard 102024 on at least one active node";
        for (failure, remedy) in [
            (remote("Connection refused"), Remedy::Nothing),
            (
                remote("FATAL:  the database system is starting up"),
                Remedy::Nothing,
            ),
            (
                remote("server closed the connection unexpectedly"),
                Remedy::Reconnect,
            ),
            (failure(DatabaseErrorKind::Unknown, commit), Remedy::Nothing),
        ] {
            assert_eq!(remedy_of(&failure), remedy, "{failure}");
            let error = repository(failure, false);
            assert!(matches!(error, RepositoryError::Unavailable(_)), "{error}");
        }
    }
}
