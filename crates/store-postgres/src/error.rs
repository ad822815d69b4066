//! Translates errors of the database for callers, and decides which calls are repeated.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use pressline_domain::error::RepositoryError;
pub(crate) use pressline_store_kit::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The connection is lost; a new connection may work.
    Reconnect,
    /// A conflict with another transaction rolled the transaction back.
    TryAgain,
    /// The database lacks the functions that write orders; the statement works once they exist.
    CreateFunctions,
    Nothing,
}

/// Compares messages, because diesel exposes few of the server's error codes. If the server's
/// messages are not in English, deadlocks are therefore not retried.
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

/// Set `timed_out` if the statement ran as long as `statement_timeout` or `lock_timeout`.
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
        // Checked first, because the error is also reported as a closed connection.
        error if no_connection_to_node(error) => Remedy::Nothing,
        DieselError::BrokenTransactionManager
        // After a failover, a connection to the new standby can only read; a new connection finds
        // the primary.
        | DieselError::DatabaseError(ClosedConnection | UnableToSendCommand | ReadOnlyTransaction, _) => {
            Remedy::Reconnect
        }
        DieselError::DatabaseError(SerializationFailure, _) => Remedy::TryAgain,
        // Citus reports deadlocks between nodes with the second message.
        error if says(error, &["deadlock detected", "distributed deadlock"]) => Remedy::TryAgain,
        error if says(error, &["terminating connection", CLOSED]) => Remedy::Reconnect,
        error if says(error, &FUNCTIONS) && says(error, &["does not exist"]) => {
            Remedy::CreateFunctions
        }
        _ => Remedy::Nothing,
    }
}

/// Returns whether Citus cannot connect to another node: a new connection to the server would not
/// help. Returns `false` if it lost a connection to a node: the node may be back.
fn no_connection_to_node(error: &DieselError) -> bool {
    says(error, &[REMOTE_NODE]) && !says(error, &[CLOSED])
}

/// Start of the message about a missing function: its name without the hash.
const FUNCTIONS: [&str; 2] = ["function place_orders_", "function change_orders_"];

/// Start of Citus's message about an unreachable node.
const REMOTE_NODE: &str = "connection to the remote node";

/// Part of libpq's message about a lost connection.
const CLOSED: &str = "server closed the connection";

/// Parts of messages of a server that temporarily cannot work: its disk or memory is full or, with
/// Citus, it cannot reach another node or commit on it.
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

    /// Messages of Citus 13.2 while a node is down, is starting, or stops during a commit.
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
