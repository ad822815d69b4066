//! Functions that read a field from a request and add violations to `report`. Several modules use
//! them.

use std::str::FromStr;

use pressline_domain::check::{Field, IssueCode, Path, Report, integer};

/// Returns `None` if `field` is absent, blank or invalid; only an invalid string is a violation.
pub(crate) fn parsed<T: FromStr<Err: ToString>>(
    field: &Field<String>,
    key: &str,
    report: &mut Report,
) -> Option<T> {
    let path = Path::Root.key(key);
    field.read(&path, report)?;
    match field.text()?.parse() {
        Ok(value) => Some(value),
        Err(error) => {
            report.violation(&path, IssueCode::InvalidFormat, error.to_string());
            None
        }
    }
}

/// Parses like [`parsed`], but an absent or blank `field` is a violation that names `expected`.
pub(crate) fn required<T: FromStr<Err: ToString>>(
    field: &Field<String>,
    key: &str,
    expected: &str,
    report: &mut Report,
) -> Option<T> {
    field.demand(&Path::Root.key(key), expected, report);
    parsed(field, key, report)
}

/// Includes both bounds. `None` if `field` is absent or, with a violation, invalid.
pub(crate) fn number<T: TryFrom<i64>>(
    field: &Field<i64>,
    key: &str,
    (least, most): (i64, impl Into<i64>),
    report: &mut Report,
) -> Option<T> {
    let range = (least, most.into());
    let number = integer(field, &Path::Root.key(key), range, report)?;
    T::try_from(number).ok()
}

/// Leaves warnings in `report`; without a `value`, or with a violation, all moves to the error.
pub(crate) fn valid<T>(value: Option<T>, report: &mut Report) -> Result<T, Report> {
    match value.filter(|_| report.violations.is_empty()) {
        Some(value) => Ok(value),
        None => Err(std::mem::take(report)),
    }
}
