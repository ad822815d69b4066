//! Marks that make a cell a text: a leading apostrophe, and the formula `="00123"`.

use std::borrow::Cow;

use super::damage::damage;
use super::numbers::is_digits;
use crate::rows::column::{CellContent, Column};

/// Characters in normal and full width. If a cell begins with one of them, a spreadsheet treats the
/// cell as a formula. Source: OWASP, "CSV Injection".
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
/// Word processors and mail programs turn an apostrophe into a quotation mark.
const APOSTROPHES: [char; 3] = ['\'', '\u{2019}', '\u{2018}'];
/// Excel writes a number of 12 digits or more as `1.23457E+11`.
const LONG_NUMBER: usize = 12;

/// Returns whether a spreadsheet treats a cell with `text` as a formula. A number such as `-2.50`
/// is not a formula.
pub fn is_formula(text: &str) -> bool {
    text.starts_with(FORMULA) && !text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Returns `text` as an export writes it in `column`, so that a spreadsheet does not convert it,
/// and [`unmarked`] returns it unchanged.
///
/// ```
/// use pressline_backoffice::rows::{Column, marked};
///
/// let sku = Column::identifier("sku");
/// assert_eq!(marked("00123", &sku), "'00123");
/// assert_eq!(marked("TEE-M", &sku), "TEE-M");
/// ```
pub fn marked<'t>(text: &'t str, column: &Column) -> Cow<'t, str> {
    let is_converted = match column.content {
        CellContent::Identifier { grouping } => {
            converts_identifier(text) || damage(text, grouping).is_some()
        }
        CellContent::Text | CellContent::Value => false,
    };
    let is_changed = || matches!(unmarked(text, column), (changed, _) if changed != text);
    if is_converted || is_formula(text) || is_changed() {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

/// Returns the content of the cell `text` in `column`, and whether it is marked as a text, so that
/// it is right even if it looks as if a spreadsheet had changed it.
pub fn unmarked<'t>(text: &'t str, column: &Column) -> (Cow<'t, str>, bool) {
    if let Some(content) = quoted_formula(text) {
        return (Cow::Owned(content), true);
    }
    let content = text.strip_prefix(APOSTROPHES);
    match content.filter(|content| takes_mark(content, column)) {
        Some(content) => (Cow::Borrowed(content), true),
        None => (Cow::Borrowed(text), false),
    }
}

/// Returns the text of a formula such as `="00123"`, by which programs keep Excel from converting a
/// cell.
fn quoted_formula(text: &str) -> Option<String> {
    let content = text.strip_prefix("=\"")?.strip_suffix('"')?;
    // A single quote would end the text: the cell is another formula.
    let has_end = content.replace("\"\"", "").contains('"');
    (!has_end).then(|| content.replace("\"\"", "\""))
}

/// Returns whether an apostrophe before `content` is a mark. It is part of the text otherwise, as
/// in `'s-Hertogenbosch`. A text with such a mark gets a further one.
fn takes_mark(content: &str, column: &Column) -> bool {
    let content = content.trim_start_matches(APOSTROPHES);
    if content.starts_with(FORMULA) {
        return true;
    }
    match column.content {
        CellContent::Identifier { grouping } => {
            is_number_like(content) || damage(content, grouping).is_some()
        }
        CellContent::Value => is_number_like(content),
        CellContent::Text => false,
    }
}

/// Returns whether a spreadsheet may read `text` as a number, a date or a time.
fn is_number_like(text: &str) -> bool {
    let text = text.trim();
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-.,/:()eE".contains(c);
    text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(is_part)
}

/// Returns whether a spreadsheet changes the identifier `text` when it opens a file: it drops
/// leading zeros and a plus sign, rounds long numbers, and makes dates of `1-2` and `3/4`.
fn converts_identifier(text: &str) -> bool {
    if is_digits(text) {
        let has_leading_zero = text.len() > 1 && text.starts_with('0');
        return has_leading_zero || text.len() >= LONG_NUMBER;
    }
    let has_sign = text.strip_prefix('+').is_some_and(is_digits);
    let parts = text.split(['-', '/']);
    let is_date_part = |part: &str| part.len() <= 4 && is_digits(part);
    let is_date = parts.clone().all(is_date_part) && matches!(parts.count(), 2 | 3);
    has_sign || is_date
}
