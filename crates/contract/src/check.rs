//! Assertions that report the difference.

use std::fmt::Debug;

use pressline_domain::error::RepositoryError;

use crate::{CaseError, CaseResult};

/// Fails if `got` differs from `want`, and shows only the first line that differs: values can be
/// long.
pub(crate) fn same<T: PartialEq + Debug + ?Sized>(what: &str, got: &T, want: &T) -> CaseResult {
    if got == want {
        return Ok(());
    }
    let (got, want) = (format!("{got:#?}"), format!("{want:#?}"));
    let mut at = 0;
    let (mut got_lines, mut want_lines) = (got.lines(), want.lines());
    loop {
        at += 1;
        match (got_lines.next(), want_lines.next()) {
            (Some(one), Some(other)) if one == other => {}
            (None, None) => {
                return Err(CaseError::new(format!(
                    "{what}: differs, but is shown alike"
                )));
            }
            (one, other) => {
                let (one, other) = (one.unwrap_or("the end"), other.unwrap_or("the end"));
                return Err(CaseError::new(format!(
                    "{what}: line {at}\n     got: {}\n  wanted: {}",
                    one.trim(),
                    other.trim()
                )));
            }
        }
    }
}

/// Fails with `what` if `so` is false.
pub(crate) fn holds(what: &str, so: bool) -> CaseResult {
    if so {
        Ok(())
    } else {
        Err(CaseError::new(what))
    }
}

/// Fails unless `result` is [`RepositoryError::Duplicate`].
pub(crate) fn is_duplicate<T: Debug>(what: &str, result: Result<T, RepositoryError>) -> CaseResult {
    match result {
        Err(RepositoryError::Duplicate(_)) => Ok(()),
        other => Err(CaseError::new(format!(
            "{what}: not refused as a duplicate, but {}",
            shown(other)
        ))),
    }
}

/// Fails unless `result` is [`RepositoryError::Stale`].
pub(crate) fn is_stale<T: Debug>(what: &str, result: Result<T, RepositoryError>) -> CaseResult {
    match result {
        Err(RepositoryError::Stale) => Ok(()),
        other => Err(CaseError::new(format!(
            "{what}: not refused as stale, but {}",
            shown(other)
        ))),
    }
}

/// Fails unless `result` is [`RepositoryError::CatalogChanged`].
pub(crate) fn is_of_another_catalog<T: Debug>(
    what: &str,
    result: Result<T, RepositoryError>,
) -> CaseResult {
    match result {
        Err(RepositoryError::CatalogChanged) => Ok(()),
        other => Err(CaseError::new(format!(
            "{what}: not refused as priced with another catalog, but {}",
            shown(other)
        ))),
    }
}

fn shown<T>(result: Result<T, RepositoryError>) -> String {
    match result {
        Ok(_) => "accepted".to_owned(),
        Err(error) => CaseError::from(error).text().to_owned(),
    }
}
