//! Amounts of money as people read them.

use pressline_backoffice::statistics::Sum;
use pressline_domain::value::{Amount, Currency};

pub(crate) fn money(amount: Amount, currency: Currency) -> String {
    let text = amount.to_fixed(currency);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction} {currency}", grouped(whole))
}

/// Formats minor units of `currency`, such as `-4.50 EUR`.
pub(crate) fn signed_money(units: i64, currency: Currency) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let size = i64::try_from(units.unsigned_abs()).unwrap_or(i64::MAX);
    let amount = Amount::from_minor(size).unwrap_or_default();
    format!("{sign}{}", money(amount, currency))
}

/// Formats `sum` with all decimals of `currency`, but without its code, such as `-1,234.50`.
pub(crate) fn money_sum(sum: Sum, currency: Currency) -> String {
    let text = sum.to_fixed(currency);
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", text.as_str()),
    };
    match size.split_once('.') {
        Some((whole, fraction)) => format!("{sign}{}.{fraction}", grouped(whole)),
        None => format!("{sign}{}", grouped(size)),
    }
}

/// Formats `number` with a comma between groups of three digits, such as `1,234`.
pub(crate) fn number(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_of_their_currency_and_groups_of_thousands() {
        for (text, code, shown) in [
            ("0", "USD", "0.00 USD"),
            ("5.2", "USD", "5.20 USD"),
            ("1234.5", "USD", "1,234.50 USD"),
            ("999", "JPY", "999 JPY"),
            ("1234567", "JPY", "1,234,567 JPY"),
            ("1234.567", "KWD", "1,234.567 KWD"),
        ] {
            let currency: Currency = code.parse().unwrap();
            let amount = Amount::parse(text, currency).unwrap();
            assert_eq!(money(amount, currency), shown);
            let units = amount.minor_units();
            let sum = money_sum(Sum::from_minor(-units), currency);
            let size = shown.trim_end_matches(code).trim_end();
            assert_eq!(sum.trim_start_matches('-'), size);
            assert_eq!(sum.starts_with('-'), units > 0);
            assert_eq!(signed_money(units, currency), shown);
            if units > 0 {
                assert_eq!(signed_money(-units, currency), format!("-{shown}"));
            }
        }
    }
}
