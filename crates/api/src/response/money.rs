//! Amounts as JSON numbers in major units, written exactly, without floating point.

use std::io::{Cursor, Write as _};

use pressline_backoffice::statistics::Sum;
use pressline_domain::value::{Amount, Currency};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Money(pub(crate) Amount, pub(crate) Currency);

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write("", self.0, self.1, serializer)
    }
}

/// Can have more digits than a floating-point number represents exactly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoneySum(pub(crate) Sum, pub(crate) Currency);

impl Serialize for MoneySum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(sum, currency) = *self;
        let text = RawValue::from_string(sum.decimal(currency)).map_err(S::Error::custom)?;
        text.serialize(serializer)
    }
}

/// Number of minor units; negative for a line that lowers a fee.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedMoney(pub(crate) i64, pub(crate) Currency);

impl Serialize for SignedMoney {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(units, currency) = *self;
        let sign = if units < 0 { "-" } else { "" };
        let amount = Amount::from_minor(units.saturating_abs()).map_err(S::Error::custom)?;
        write(sign, amount, currency, serializer)
    }
}

fn write<S: Serializer>(
    sign: &str,
    amount: Amount,
    currency: Currency,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Room for the largest amount: a sign, 16 digits and a point.
    let mut text = Cursor::new([0; 24]);
    write!(text, "{sign}{}", amount.decimal(currency)).map_err(S::Error::custom)?;
    let length = usize::try_from(text.position()).unwrap_or_default();
    let written = text.get_ref().get(..length).unwrap_or_default();
    let number: &RawValue = serde_json::from_slice(written).map_err(S::Error::custom)?;
    number.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use crate::response::money::*;

    #[test]
    fn amounts_are_exact_numbers() {
        for (units, code, json) in [
            (250, "USD", "2.5"),
            (0, "USD", "0"),
            (9_007_199_254_740_991, "USD", "90071992547409.91"),
            (500, "JPY", "500"),
            (1, "KWD", "0.001"),
        ] {
            let money = Money(Amount::from_minor(units).unwrap(), code.parse().unwrap());
            assert_eq!(serde_json::to_string(&money).unwrap(), json);
        }
        let largest = Amount::from_minor(9_007_199_254_740_991).unwrap();
        let sum = Sum::default()
            .plus(largest.minor_units())
            .plus(largest.minor_units());
        let sum = MoneySum(sum, Currency::USD);
        assert_eq!(serde_json::to_string(&sum).unwrap(), "180143985094819.82");
        let lower = SignedMoney(-125, Currency::USD);
        assert_eq!(serde_json::to_string(&lower).unwrap(), "-1.25");
    }
}
