//! Translates SQLite's errors for callers.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use pressline_domain::error::RepositoryError;
pub(crate) use pressline_store_kit::Failure;

use crate::time_limit::TIME_IS_OVER;

pub(crate) fn repository(failure: Failure) -> RepositoryError {
    match failure {
        Failure::Repository(error) => error,
        Failure::Database(error) => translated(error),
    }
}

/// Messages of SQLITE_BUSY, _LOCKED, _FULL, _IOERR, _CANTOPEN, _READONLY and _NOMEM. The cause is
/// outside the file and may pass. diesel does not expose the codes.
///
/// Source: `sqlite3_errstr` in SQLite's main.c.
const PASSING: [&str; 7] = [
    "database is locked",
    "database table is locked",
    "database or disk is full",
    "disk I/O error",
    "unable to open database file",
    "attempt to write a readonly database",
    "out of memory",
];

/// Returns whether `error` means that another connection or process is writing.
pub(crate) fn is_locked(error: &RepositoryError) -> bool {
    matches!(error, RepositoryError::Unavailable(source) if source.to_string().contains("is locked"))
}

fn translated(error: DieselError) -> RepositoryError {
    let DieselError::DatabaseError(kind, information) = &error else {
        return RepositoryError::Refused(error.into());
    };
    let message = information.message();
    if matches!(kind, DatabaseErrorKind::UniqueViolation) {
        return RepositoryError::Duplicate(
            match message.split_once(": ").map_or("", |(_, columns)| columns) {
                "orders.store_id, orders.order_id" | "orders.store_id, orders.id" => {
                    "an order with this id"
                }
                "orders.store_id, orders.number" => "an order with this number",
                "stores.prefix" => "a store with this prefix",
                "stores.store_id" => "a store with this id",
                _ => "a value that must be unique",
            },
        );
    }
    if message.contains(TIME_IS_OVER) {
        return RepositoryError::Timeout(error.into());
    }
    if PASSING.iter().any(|text| message.contains(text)) {
        RepositoryError::Unavailable(error.into())
    } else {
        RepositoryError::Refused(error.into())
    }
}
