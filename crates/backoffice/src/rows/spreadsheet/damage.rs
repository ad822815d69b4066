//! Recognises cells that a spreadsheet has changed.

use super::{dates, error_values, numbers};
use pressline_kit::text::excerpt;

/// Change that a spreadsheet has made to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Number in scientific notation, such as `1.23457E+12`.
    Rounded,
    /// Number of more than 15 digits, with zeros in place of the others.
    LostDigits,
    /// Whole number with decimals, such as `94105.0`.
    Decimals,
    /// Number with thousands separators, such as `1,234,567`.
    Thousands,
    /// Date or time, such as `1-Mar`.
    Date,
    /// Number with a percent or currency sign.
    Formatted,
    /// `TRUE` or `FALSE`, in any language.
    TruthValue,
    /// Error value, such as `#REF!`.
    Error,
    /// Formula, such as `=A1`.
    Formula,
    /// Number signs in place of the content, because the column was too narrow.
    Narrow,
    /// Replacement characters (U+FFFD), because the file was read in a wrong encoding.
    Encoding,
}

/// Returns the change that a spreadsheet has made to `text`, a cell in a column of identifiers with
/// the `grouping` of the column; `None` if the text shows no sign of a change.
///
/// Lost leading zeros, a lost `+`, and dates that became day numbers such as `44927` cannot be
/// recognised.
///
/// ```
/// use pressline_backoffice::rows::{Damage, damage};
///
/// assert_eq!(damage("1.23457E+12", &[]), Some(Damage::Rounded));
/// assert_eq!(damage("1-Mar", &[]), Some(Damage::Date));
/// assert_eq!(damage("#1001", &[]), None);
/// ```
pub fn damage(text: &str, grouping: &[char]) -> Option<Damage> {
    let text = text.trim();
    let changes = [
        (Damage::Formula, is_formula(text)),
        (Damage::Rounded, numbers::is_rounded(text)),
        (Damage::Decimals, numbers::has_decimal_end(text, grouping)),
        (Damage::Thousands, numbers::has_thousands(text, grouping)),
        (Damage::Date, dates::is_date(text) || dates::is_time(text)),
        (
            Damage::Formatted,
            numbers::is_percent(text) || numbers::is_currency(text),
        ),
        (Damage::TruthValue, error_values::is_truth_value(text)),
        (Damage::Error, error_values::is_error(text)),
        (Damage::Narrow, is_narrow(text)),
        (Damage::Encoding, text.contains(char::REPLACEMENT_CHARACTER)),
    ];
    let mut actual_changes = changes.into_iter().filter(|(_, is_found)| *is_found);
    actual_changes.next().map(|(change, _)| change)
}

/// LibreOffice exports formulas on request, and array formulas in braces.
fn is_formula(text: &str) -> bool {
    let formula = text.strip_prefix('{').unwrap_or(text);
    let rest = formula.strip_prefix(['=', '＝']);
    rest.is_some_and(|rest| !rest.is_empty())
}

fn is_narrow(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'#')
}

impl Damage {
    /// Returns a message about the cell `text`: the change, and how to enter the original value.
    pub fn message(self, text: &str) -> String {
        let text = excerpt(text.trim());
        let change = match self {
            Self::Rounded => "a spreadsheet rounded this number",
            Self::LostDigits => "a spreadsheet replaced the digits after the 15th by zeros",
            Self::Decimals => "a spreadsheet added decimals to this number",
            Self::Thousands => "a spreadsheet added thousands separators to this number",
            Self::Date => "a spreadsheet made a date or a time of this value",
            Self::Formatted => "a spreadsheet formatted this value as a percentage or an amount",
            Self::TruthValue => "a spreadsheet made a truth value of this value",
            Self::Error => "a spreadsheet's error value",
            Self::Formula => "a spreadsheet's formula, not its result",
            Self::Narrow => "a spreadsheet's column was too narrow for this value",
            Self::Encoding => "characters were lost when the file was read in a wrong encoding",
        };
        format!("`{text}`: {change}; {REMEDY}")
    }
}

const REMEDY: &str = "write the original value again, in a column with the format Text (Excel: \
    Format Cells, Text; LibreOffice: Format, Cells, Text; Google Sheets: Format, Number, Plain \
    text). If the value is right, write ' before it";
