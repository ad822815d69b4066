//! Converts numbers between the types of the domain and of the database.

/// Converts `number` to the database's type. Numbers greater than `i64::MAX` become `i64::MAX`.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts `number` from the database's type. Negative numbers, which no table contains, become 0.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
