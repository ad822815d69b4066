//! Numbers as the database has them.

/// Returns a number as the database has it, at most the largest one.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns a number of the database as the domain has it; 0 for a negative one, which no table has.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
