//! Forms in which spreadsheets write numbers.

/// Signs, with the minus sign U+2212 that some languages use.
const SIGNS: [char; 3] = ['+', '-', '\u{2212}'];
const DECIMAL: [char; 2] = ['.', ','];
/// Thousands separators of spreadsheets, besides the spaces that [`is_space`] knows.
const THOUSANDS: [char; 5] = [',', '.', '\'', '\u{2019}', '\u{66c}'];
/// Currency signs outside of the Unicode block Currency Symbols.
const CURRENCY_SIGNS: [char; 8] = ['$', '¢', '£', '¤', '¥', '฿', '＄', '￥'];
/// Currency names that spreadsheets write after a number.
const CURRENCY_NAMES: [&str; 5] = ["kr", "kr.", "zł", "Kč", "лв."];
/// Number of digits that spreadsheets keep; they replace further digits by zeros.
const PRECISION: usize = 15;

/// Returns whether `text` has only ASCII digits, and at least one.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_space(c: char) -> bool {
    c.is_whitespace()
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(SIGNS).unwrap_or(text)
}

/// Returns whether `text` is a number with an exponent, such as `1.23457E+12` or `1,2e-5`.
///
/// Without a sign, as Java writes it, only a normalized number counts (`1.5E12`, `1E5`): digits
/// around an `E` are common in hexadecimal identifiers (`12345e67`).
pub(super) fn is_rounded(text: &str) -> bool {
    let Some((mantissa, exponent)) = unsigned(text).split_once(['E', 'e']) else {
        return false;
    };
    let (whole, fraction) = mantissa.split_once(DECIMAL).unwrap_or((mantissa, "0"));
    let power = unsigned(exponent);
    let is_number = is_digits(whole) && is_digits(fraction) && is_digits(power);
    let is_signed = power.len() < exponent.len();
    is_number && (is_signed || (whole.len() == 1 && power.len() <= 3))
}

/// Returns whether `text` is a whole number with decimals, such as `94105.0` or `94105,00`. With a
/// point in `grouping`, more than two zeros are a group (`555.0000`).
pub(super) fn has_decimal_end(text: &str, grouping: &[char]) -> bool {
    let Some((whole, zeros)) = unsigned(text).split_once(DECIMAL) else {
        return false;
    };
    let longest = if grouping.contains(&'.') {
        2
    } else {
        usize::MAX
    };
    let is_zeros = !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0');
    is_digits(whole) && is_zeros && zeros.len() <= longest
}

/// Returns whether `text` is a number with thousands separators, such as `1,234,567`, `12,34,567`
/// or `1.234.567,00`.
///
/// A single group after a point or an ordinary space (`123.456`, `123 456`) is not counted: many
/// article numbers have this form.
pub(super) fn has_thousands(text: &str, grouping: &[char]) -> bool {
    let body = unsigned(text);
    let is_separator = |c: &char| THOUSANDS.contains(c) || is_space(*c);
    let Some(separator) = body.chars().find(is_separator) else {
        return false;
    };
    let people_write = |c: &char| *c == separator || (*c == ' ' && is_space(separator));
    if grouping.iter().any(people_write) {
        return false;
    }
    let whole = without_decimals(body, separator);
    let groups: Vec<&str> = whole.split(separator).collect();
    let [first, middle @ .., last] = groups.as_slice() else {
        return false;
    };
    let is_group = |group: &&str| matches!(group.len(), 2 | 3) && is_digits(group);
    let has_decimals = whole.len() < body.len();
    let is_ambiguous = matches!(separator, '.' | ' ') && middle.is_empty() && !has_decimals;
    !is_ambiguous
        && is_digits(first)
        && first.len() <= 3
        && middle.iter().all(is_group)
        && last.len() == 3
        && is_digits(last)
}

/// Returns `number` without its decimals, whose separator is not `thousands`.
fn without_decimals(number: &str, thousands: char) -> &str {
    let decimal = |c| DECIMAL.contains(&c) && c != thousands;
    let split = number
        .rsplit_once(decimal)
        .filter(|(_, decimals)| is_digits(decimals));
    split.map_or(number, |(whole, _)| whole)
}

/// Returns whether `text` is a plain number, or a number with decimals or thousands separators.
fn is_number(text: &str) -> bool {
    let body = unsigned(text);
    let (whole, decimals) = body.split_once(DECIMAL).unwrap_or((body, "0"));
    (is_digits(whole) && is_digits(decimals)) || has_thousands(body, &[])
}

/// Returns whether `text` is a number with a percent sign, such as `50%` or `12,5 %`.
pub(super) fn is_percent(text: &str) -> bool {
    let number = text.strip_suffix(['%', '٪']);
    number.is_some_and(|number| is_number(number.trim_end()))
}

/// Returns whether `text` is an amount with a currency sign, such as `$12`, `12,50 €` or `12 kr`.
pub(super) fn is_currency(text: &str) -> bool {
    let sign = |c: char| CURRENCY_SIGNS.contains(&c) || ('\u{20a0}'..='\u{20cf}').contains(&c);
    let text = text.strip_prefix("R$").unwrap_or(text);
    let names = CURRENCY_NAMES
        .iter()
        .filter_map(|name| text.strip_suffix(name));
    let mut numbers = names.filter_map(|number| number.strip_suffix(is_space));
    if numbers.any(|number| is_number(number.trim())) {
        return true;
    }
    let body = unsigned(text);
    let number = body.strip_prefix(sign).or_else(|| body.strip_suffix(sign));
    number.is_some_and(|number| is_number(number.trim()))
}

/// Returns the whole number `text` without the decimals that a spreadsheet adds (`20.0`, `20.00`).
/// Three zeros are not removed: in many languages `20.000` is twenty thousand.
pub(crate) fn whole_number(text: &str) -> &str {
    let whole = text.strip_suffix(".0").or_else(|| text.strip_suffix(".00"));
    whole.filter(|whole| is_digits(whole)).unwrap_or(text)
}

/// Digits of a number after the 15 digits that a spreadsheet keeps; `None` for a shorter number and
/// for any other text. A number with a leading zero has not been in a numeric cell.
pub(crate) fn digits_beyond_precision(text: &str) -> Option<&str> {
    let is_long = is_digits(text) && !text.starts_with('0');
    let rest = if is_long { text.get(PRECISION..) } else { None };
    rest.filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_decimals_that_are_zero() {
        for (text, whole) in [
            ("20", "20"),
            ("20.0", "20"),
            ("20.00", "20"),
            ("20.000", "20.000"),
            ("20,0", "20,0"),
            ("20.5", "20.5"),
            (".0", ".0"),
        ] {
            assert_eq!(whole_number(text), whole);
        }
    }

    #[test]
    fn digits_that_a_spreadsheet_drops_are_found() {
        for (text, beyond) in [
            ("123456789012345", None),
            ("1234567890123450", Some("0")),
            ("123456789012345678", Some("678")),
            ("0123456789012345678", None),
            ("1Z3456789012345678", None),
        ] {
            assert_eq!(digits_beyond_precision(text), beyond, "{text}");
        }
    }
}
