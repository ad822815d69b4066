//! Money: amounts are whole numbers of a currency's minor unit, never floating point.

use std::fmt;
use std::str::FromStr;

/// Maximum amount, in minor units: the highest exact integer in JSON (RFC 8259, section 6).
pub const MAX_MINOR_UNITS: i64 = 9_007_199_254_740_991;
/// Maximum price or fee in minor units. An order has up to 10^5 units, so their prices add up to at
/// most a tenth of [`MAX_MINOR_UNITS`]. The rest is for fees.
const MAX_PRICE_MINOR_UNITS: i64 = MAX_MINOR_UNITS / 1_000_000;

/// A currency of ISO 4217 that people pay with, or paid with before it was replaced. ISO 4217 also
/// has codes without use as money, such as metals, funds and test codes, which are not parsed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// US dollar, the default currency of stores.
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// Parses the currency of a store: unlike [`str::parse`], refuses a replaced currency.
    /// Stored orders and prices keep such a currency.
    ///
    /// # Errors
    /// - [`MoneyError::UnknownCurrency`] if `code` is not in ISO 4217.
    /// - [`MoneyError::NotMoney`] if nobody pays with it.
    /// - [`MoneyError::Replaced`] if another currency has replaced it.
    ///
    /// ```
    /// use pressline_domain::value::Currency;
    ///
    /// assert_eq!(Currency::for_store("eur").unwrap().code(), "EUR");
    /// assert!(Currency::for_store("HRK").is_err(), "Croatia has the euro");
    /// assert!(Currency::for_store("XAU").is_err(), "gold");
    /// ```
    pub fn for_store(code: &str) -> Result<Self, MoneyError> {
        let currency: Self = code.parse()?;
        // ISO 4217 lists both currencies of Venezuela; the library calls VES replaced.
        let successor = currency
            .0
            .is_superseded()
            .filter(|_| currency.code() != "VES");
        match successor {
            Some(by) => Err(MoneyError::Replaced(currency, Self(by))),
            None => Ok(currency),
        }
    }

    /// Returns all currencies with use as money, sorted by code, replaced currencies included.
    pub fn all() -> impl Iterator<Item = Self> {
        let letters = || 'A'..='Z';
        let pairs = letters().flat_map(move |first| letters().map(move |second| (first, second)));
        let codes = pairs.flat_map(move |(first, second)| {
            letters().map(move |third| String::from_iter([first, second, third]))
        });
        // The library lists its currencies only with an additional dependency.
        codes.filter_map(|code| code.parse().ok())
    }

    /// Returns the code in upper case, such as `USD`.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// Returns the number of decimals: 2 for `USD`, 3 for `KWD`, 0 for `JPY`.
    pub fn exponent(self) -> u32 {
        self.0.exponent().map_or(0, u32::from)
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(code: &str) -> Result<Self, MoneyError> {
        let currency = iso_currency::Currency::from_code(&code.to_ascii_uppercase())
            .ok_or_else(|| MoneyError::UnknownCurrency(code.to_owned()))?;
        if currency.is_special() || currency.is_fund() {
            return Err(MoneyError::NotMoney(
                currency.code(),
                currency.name().to_owned(),
            ));
        }
        Ok(Self(currency))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Amount of 0 to [`MAX_MINOR_UNITS`] minor units. Its currency is stored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "i64", into = "i64"))]
pub struct Amount(i64);

impl Amount {
    /// The amount 0.
    pub const ZERO: Self = Self(0);

    /// Returns the amount of `units` minor units.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if `units` is negative or more than [`MAX_MINOR_UNITS`].
    pub fn from_minor(units: i64) -> Result<Self, MoneyError> {
        if (0..=MAX_MINOR_UNITS).contains(&units) {
            Ok(Self(units))
        } else {
            Err(MoneyError::OutOfRange)
        }
    }

    /// Parses a decimal number in major units, such as `12.5` for 12.50 USD.
    ///
    /// # Errors
    /// - [`MoneyError::NotAnAmount`] if `text` is anything but digits with an optional point.
    /// - [`MoneyError::TooPrecise`] if `text` has more decimals than the currency.
    /// - [`MoneyError::OutOfRange`] if the amount is too large.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let text = text.trim();
        let (whole, after_point) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || !digits(whole)
            || !digits(after_point)
            || (after_point.is_empty() && text.contains('.'))
        {
            // The message must not repeat a long input.
            return Err(MoneyError::NotAnAmount(text.chars().take(40).collect()));
        }
        // Trailing zeros do not make an amount more precise.
        let fraction = after_point.trim_end_matches('0');
        let decimals = currency.exponent();
        let missing = usize::try_from(decimals)
            .unwrap_or(0)
            .checked_sub(fraction.len())
            .ok_or(MoneyError::TooPrecise { currency, decimals })?;
        let units = format!("{whole}{fraction}{}", "0".repeat(missing))
            .parse()
            .map_err(|_| MoneyError::OutOfRange)?;
        Self::from_minor(units)
    }

    /// Parses a decimal number in major units with an optional minus sign. Returns minor units.
    /// Same errors as [`Amount::parse`].
    pub fn signed(text: &str, currency: Currency) -> Result<i64, MoneyError> {
        let text = text.trim();
        match text.strip_prefix('-') {
            // An amount is less than 2^53, so its negative value fits.
            Some(amount) => Ok(-Self::parse(amount, currency)?.minor_units()),
            None => Ok(Self::parse(text, currency)?.minor_units()),
        }
    }

    /// Parses a price. The highest price is lower than the highest amount.
    ///
    /// # Errors
    /// Same errors as [`parse`](Self::parse); [`MoneyError::PriceTooHigh`] if the price is more
    /// than a millionth of [`MAX_MINOR_UNITS`].
    pub fn parse_price(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let amount = Self::parse(text, currency)?;
        if amount.0 <= MAX_PRICE_MINOR_UNITS {
            Ok(amount)
        } else {
            let limit = Self(MAX_PRICE_MINOR_UNITS);
            Err(MoneyError::PriceTooHigh(
                limit.display(currency).to_string(),
            ))
        }
    }

    /// Returns the number of minor units.
    pub fn minor_units(self) -> i64 {
        self.0
    }

    /// Returns the sum of both amounts.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the sum exceeds [`MAX_MINOR_UNITS`].
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        let sum = self.0.checked_add(other.0).ok_or(MoneyError::OutOfRange)?;
        Self::from_minor(sum)
    }

    /// Returns the amount multiplied by `count`.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the product exceeds [`MAX_MINOR_UNITS`].
    pub fn times(self, count: u32) -> Result<Self, MoneyError> {
        let product = self.0.checked_mul(i64::from(count));
        Self::from_minor(product.ok_or(MoneyError::OutOfRange)?)
    }

    /// Formats the amount in major units without trailing zeros: `2.5`, `12`, `0.05`.
    pub fn decimal(self, currency: Currency) -> AmountText {
        self.text(currency, Form::Shortest)
    }

    /// Formats the amount with all decimals and the code of `currency`: `5.20 USD`, `500 JPY`.
    pub fn display(self, currency: Currency) -> AmountText {
        self.text(currency, Form::WithCode)
    }

    /// Formats the amount in major units with all decimals of `currency`: `5.20`, `500`.
    pub fn to_fixed(self, currency: Currency) -> String {
        self.text(currency, Form::AllDecimals).to_string()
    }

    fn text(self, currency: Currency, form: Form) -> AmountText {
        AmountText {
            amount: self,
            currency,
            form,
        }
    }
}

/// A formatted amount; the string is created by `Display`, without an allocation.
#[derive(Clone, Copy, Debug)]
pub struct AmountText {
    amount: Amount,
    currency: Currency,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Shortest,
    AllDecimals,
    WithCode,
}

impl fmt::Display for AmountText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponent = self.currency.exponent();
        let unit = 10_i64.pow(exponent);
        let (whole, mut fraction) = (self.amount.0 / unit, self.amount.0 % unit);
        let mut width = usize::try_from(exponent).unwrap_or(0);
        if self.form == Form::Shortest {
            while width > 0 && fraction % 10 == 0 {
                fraction /= 10;
                width -= 1;
            }
        }
        write!(f, "{whole}")?;
        if width > 0 {
            write!(f, ".{fraction:0width$}")?;
        }
        if self.form == Form::WithCode {
            write!(f, " {}", self.currency)?;
        }
        Ok(())
    }
}

/// Reason why a string, or the result of a computation, is not a valid amount or currency.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The string is not a currency code of ISO 4217. Contains the string.
    #[error("`{0}` is not a currency code of ISO 4217, such as USD")]
    UnknownCurrency(String),
    /// The code of ISO 4217 is a metal, a fund, a unit of account or a test code. Contains the code
    /// and its name.
    #[error("`{0}` is {1}, which nobody pays with; use the code of a currency, such as USD")]
    NotMoney(&'static str, String),
    /// Another currency has replaced the currency.
    #[error("{0} was replaced by {1}; use {1}")]
    Replaced(Currency, Currency),
    /// The string is not a decimal number. Contains its first 40 characters.
    #[error("`{0}` is not an amount; write digits with a decimal point, such as 12.50")]
    NotAnAmount(String),
    /// The number has more decimals than the currency.
    #[error("more than {decimals} decimals, and {currency} has no smaller unit")]
    TooPrecise {
        /// Currency of the amount.
        currency: Currency,
        /// Number of decimals of the currency.
        decimals: u32,
    },
    /// The amount is negative, or too large to be exact in JSON.
    #[error("an amount must be between 0 and {MAX_MINOR_UNITS} minor units")]
    OutOfRange,
    /// The price is above a millionth of [`MAX_MINOR_UNITS`]. Contains the maximum price as text.
    #[error("more than {0}")]
    PriceTooHigh(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_follows_the_currency() {
        for (text, code, units, decimal, display) in [
            ("2.50", "USD", 250, "2.5", "2.50 USD"),
            ("0.05", "USD", 5, "0.05", "0.05 USD"),
            ("12", "usd", 1200, "12", "12.00 USD"),
            ("1.500", "USD", 150, "1.5", "1.50 USD"),
            ("500", "JPY", 500, "500", "500 JPY"),
            ("1.234", "KWD", 1234, "1.234", "1.234 KWD"),
            ("0", "USD", 0, "0", "0.00 USD"),
        ] {
            let currency: Currency = code.parse().unwrap();
            let amount = Amount::parse(text, currency).unwrap();
            assert_eq!(
                (
                    amount.minor_units(),
                    amount.decimal(currency).to_string(),
                    amount.display(currency).to_string()
                ),
                (units, decimal.to_owned(), display.to_owned()),
                "{text} {code}"
            );
        }
    }

    #[test]
    fn only_codes_with_use_as_money_are_currencies() {
        // Source: ISO 4217:2015, list one, without entries of funds, metals, units and tests.
        for code in [
            "XXX", "XTS", "XAU", "XAG", "XPT", "XPD", "XDR", "XBA", "XBB", "XBC", "XBD", "XSU",
            "XUA", "XAD", "BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW",
        ] {
            let error = code.parse::<Currency>().unwrap_err();
            assert!(matches!(error, MoneyError::NotMoney(..)), "{code}: {error}");
            let lower = code.to_lowercase();
            assert_eq!(lower.parse::<Currency>().unwrap_err(), error);
        }
        for code in [
            "XAF", "XCD", "XCG", "XOF", "XPF", "VES", "VED", "USD", "EUR", "VND",
        ] {
            assert_eq!(Currency::for_store(code).unwrap().code(), code);
        }
        for (code, successor) in [("HRK", "EUR"), ("SLL", "SLE"), ("ZWL", "ZWG")] {
            let error = Currency::for_store(code).unwrap_err().to_string();
            assert!(error.ends_with(&format!("use {successor}")), "{error}");
            assert!(
                code.parse::<Currency>().is_ok(),
                "stored orders keep {code}"
            );
        }
        assert!(matches!(
            Currency::for_store("EURO"),
            Err(MoneyError::UnknownCurrency(_))
        ));
    }

    #[test]
    fn what_is_not_money_is_refused() {
        for text in ["", ".", "1.", ".5", "-1", "1e3", "1,5", "0x1", "1.2.3"] {
            assert!(
                matches!(
                    Amount::parse(text, Currency::USD),
                    Err(MoneyError::NotAnAmount(_))
                ),
                "{text}"
            );
        }
        assert!(matches!(
            Amount::parse("1.234", Currency::USD),
            Err(MoneyError::TooPrecise { .. })
        ));
        assert_eq!(
            Amount::parse("90071992547409.92", Currency::USD),
            Err(MoneyError::OutOfRange)
        );
        let limit = Amount::from_minor(MAX_MINOR_UNITS).unwrap();
        assert_eq!(limit.plus(Amount(1)), Err(MoneyError::OutOfRange));
        assert_eq!(limit.times(1000), Err(MoneyError::OutOfRange));
    }
}
