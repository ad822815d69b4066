//! Converts numbers between domain and database.

/// Converts to the database's type; larger numbers become `i64::MAX`.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts from the database's type. Negative numbers become 0; no table contains them.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
