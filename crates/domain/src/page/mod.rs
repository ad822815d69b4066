//! What every search has: a key, a page by its number, and a cursor in its place.

pub(crate) mod cursor;

use crate::field::Field;
use crate::report::{IssueCode, Path, Report};
use pressline_kit::text::control_problem;
use pressline_kit::words::{SearchKey, SearchKeyError};

use crate::page::cursor::CursorError;

/// Entries on a page where the request names no number.
pub(crate) const DEFAULT_SIZE: u32 = 20;

/// The key of a search; `None` where it is absent or blank.
pub(crate) fn key(field: &Field<String>, report: &mut Report) -> Option<SearchKey> {
    let path = Path::Root.key("searchKey");
    if let Field::Wrong(wrong) = field {
        report.wrong_type(&path, wrong);
    }
    let text = field.text()?;
    if let Some(problem) = control_problem(text) {
        report.violation(&path, IssueCode::InvalidFormat, problem);
        return None;
    }
    match SearchKey::parse(text) {
        Ok(key) => key,
        Err(error) => {
            let code = match error {
                SearchKeyError::TooLong { .. } | SearchKeyError::TooManyWords { .. } => {
                    IssueCode::TooLong
                }
            };
            report.violation(&path, code, error.to_string());
            None
        }
    }
}

/// A number from 1 to `most`.
pub(crate) fn number(
    field: &Field<i64>,
    key: &str,
    default: u32,
    most: u32,
    report: &mut Report,
) -> u32 {
    let path = Path::Root.key(key);
    match field {
        Field::Absent => default,
        Field::Wrong(wrong) => {
            report.wrong_type(&path, wrong);
            default
        }
        Field::Value(value) => match u32::try_from(*value) {
            Ok(value) if (1..=most).contains(&value) => value,
            _ => {
                report.violation(
                    &path,
                    IssueCode::OutOfRange,
                    format!("{value} is not between 1 and {most}"),
                );
                default
            }
        },
    }
}

/// Where the cursor leads, as `read` has it. It stands in place of a page's number.
pub(crate) fn after<T>(
    cursor: &Field<String>,
    page: &Field<i64>,
    read: impl FnOnce(&str) -> Result<T, CursorError>,
    report: &mut Report,
) -> Option<T> {
    let path = Path::Root.key("cursor");
    if let Field::Wrong(wrong) = cursor {
        report.wrong_type(&path, wrong);
    }
    let text = cursor.text()?;
    if !page.is_absent() {
        report.violation(
            &path,
            IssueCode::Conflict,
            "send either page or cursor, not both",
        );
    }
    match read(text) {
        Ok(position) => Some(position),
        Err(error) => {
            report.violation(&path, IssueCode::InvalidFormat, error.to_string());
            None
        }
    }
}

/// How many entries the pages before a page hold.
pub(crate) fn entries_before(page: u32, size: u32) -> u64 {
    u64::from(page.saturating_sub(1)) * u64::from(size)
}
