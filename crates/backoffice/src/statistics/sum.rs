//! Sums of amounts.

use pressline_domain::value::Currency;

/// Sum of amounts, in minor units. The currency is kept separately. The sum is exact and can be
/// negative. It has 128 bits, because 1,025 amounts of the highest value would overflow an `i64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum(i128);

impl Sum {
    /// Returns a sum of `units` minor units.
    pub fn from_minor(units: i64) -> Self {
        Self(i128::from(units))
    }

    /// Returns the sum plus `units` minor units. The result is exact for up to 2^64 additions.
    #[must_use]
    pub fn plus(self, units: i64) -> Self {
        Self(self.0.saturating_add(i128::from(units)))
    }

    /// Returns the sum of all amounts in `self` and `other`, which must be in the same currency.
    #[must_use]
    pub fn plus_sum(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Formats the sum in major units with all decimals of `currency`: `5.20` USD, `500` JPY.
    pub fn to_fixed(self, currency: Currency) -> String {
        let width = usize::try_from(currency.exponent()).unwrap_or(0);
        // Padded, so that at least one digit precedes the decimal point.
        let digits = format!("{:0>width$}", self.0.unsigned_abs(), width = width + 1);
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(width));
        let sign = if self.0 < 0 { "-" } else { "" };
        let point = if width > 0 { "." } else { "" };
        format!("{sign}{whole}{point}{fraction}")
    }

    /// Formats the sum in major units without trailing zeros: `5.2`, `-1250`, `500`.
    pub fn decimal(self, currency: Currency) -> String {
        let text = self.to_fixed(currency);
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pressline_domain::value::MAX_MINOR_UNITS;

    #[test]
    fn a_sum_has_the_decimals_of_its_currency() {
        for (units, code, fixed, decimal) in [
            (520, "USD", "5.20", "5.2"),
            (5, "USD", "0.05", "0.05"),
            (0, "USD", "0.00", "0"),
            (-125_000, "USD", "-1250.00", "-1250"),
            (-5, "USD", "-0.05", "-0.05"),
            (500, "JPY", "500", "500"),
            (1234, "KWD", "1.234", "1.234"),
        ] {
            let (sum, currency) = (Sum::from_minor(units), code.parse().unwrap());
            assert_eq!(sum.to_fixed(currency), fixed);
            assert_eq!(sum.decimal(currency), decimal);
        }
    }

    #[test]
    fn a_sum_of_many_of_the_largest_amounts_is_exact() {
        let sum = (0..10_000).fold(Sum::default(), |sum, _| sum.plus(MAX_MINOR_UNITS));
        assert_eq!(sum.to_fixed(Currency::USD), "900719925474099100.00");
        let less = (0..10_000).fold(sum, |sum, _| sum.plus(-MAX_MINOR_UNITS));
        assert_eq!(less, Sum::default());
    }
}
