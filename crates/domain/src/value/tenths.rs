//! Numbers with one decimal, such as lengths in millimetres.

use std::fmt;
use std::str::FromStr;

/// Number from 0 on with at most one decimal, such as `12.5`. It is exact, so that equal texts are
/// equal numbers.
///
/// ```
/// use pressline_domain::value::Tenths;
///
/// let length: Tenths = "12.50".parse()?;
/// assert_eq!(length, Tenths::new(125));
/// assert_eq!(length.to_string(), "12.5");
/// assert_eq!(Tenths::whole(3).to_string(), "3");
/// # Ok::<(), pressline_domain::value::InvalidTenths>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tenths(u32);

/// Error for a text that is not a number with at most one decimal, or too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a number with at most one decimal, such as 12.5")]
pub struct InvalidTenths;

impl Tenths {
    /// Returns the number `tenths` / 10.
    pub const fn new(tenths: u32) -> Self {
        Self(tenths)
    }

    /// Returns a number without decimals; the largest possible number if `number` is too large.
    pub const fn whole(number: u32) -> Self {
        Self(number.saturating_mul(10))
    }

    /// Returns ten times the number.
    pub const fn tenths(self) -> u32 {
        self.0
    }

    /// Returns the number if it has no decimals.
    pub const fn as_whole(self) -> Option<u32> {
        if self.0.is_multiple_of(10) {
            Some(self.0 / 10)
        } else {
            None
        }
    }

    /// Returns the nearest floating-point number, which has the same shortest text.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl FromStr for Tenths {
    type Err = InvalidTenths;

    /// Accepts digits with an optional point. Zeros at the end do not count as decimals.
    fn from_str(text: &str) -> Result<Self, InvalidTenths> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_digits(whole) || !is_digits(fraction) {
            return Err(InvalidTenths);
        }
        let tenth = match fraction.trim_end_matches('0').as_bytes() {
            [] => 0,
            [digit] => u32::from(digit - b'0'),
            _ => return Err(InvalidTenths),
        };
        let units: u32 = whole.parse().map_err(|_| InvalidTenths)?;
        let tenths = units.checked_mul(10).and_then(|n| n.checked_add(tenth));
        tenths.map(Self).ok_or(InvalidTenths)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_whole() {
            Some(whole) => whole.fmt(f),
            None => write!(f, "{}.{}", self.0 / 10, self.0 % 10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_one_decimal() {
        for (text, tenths) in [
            ("0", 0),
            ("7", 70),
            ("007.5", 75),
            ("20.0", 200),
            ("20.50", 205),
            ("429496729.5", u32::MAX),
        ] {
            assert_eq!(text.parse(), Ok(Tenths(tenths)), "{text}");
        }
        for text in [
            "",
            ".",
            ".5",
            "5.",
            "-1",
            "+1",
            "1e3",
            "1,5",
            "1.25",
            "1.05",
            "0x1",
            "429496729.6",
            "99999999999",
            "1.99999999999999999999",
        ] {
            assert_eq!(text.parse::<Tenths>(), Err(InvalidTenths), "{text}");
        }
    }

    #[test]
    fn texts_are_as_short_as_possible() {
        for (tenths, text) in [(0, "0"), (5, "0.5"), (30, "3"), (6096, "609.6")] {
            assert_eq!(Tenths(tenths).to_string(), text);
            assert_eq!(Tenths(tenths).as_f64().to_string(), text);
        }
    }
}
