//! A moment in whole milliseconds, as orders keep it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment so many milliseconds after the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the epoch, rounded down.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the moment so many milliseconds later.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Returns the beginning of the minute of this moment.
    #[must_use]
    pub const fn start_of_minute(self) -> Self {
        let millis = self.as_millis();
        Self::from_millis(millis - millis.rem_euclid(60_000))
    }

    /// Returns how many milliseconds have passed since an earlier moment.
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// ISO 8601 in UTC with milliseconds: `2024-06-08T03:49:12.905Z`.
///
/// A moment outside the years -9999 to 9999 is shown as its number of milliseconds.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

/// The text is neither a date nor a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither a date such as 2026-01-01 nor a moment such as 2026-01-01T06:30:00Z")]
pub struct InvalidTimestamp;

/// Reads a date (`2026-01-01`, which begins at midnight UTC) or an ISO 8601 moment with its offset
/// from UTC, cut to milliseconds.
impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        // Alone the length tells a date: the library would take the date of a longer text and drop
        // its time.
        let moment = if text.len() == "2026-01-01".len() {
            let date = text
                .parse::<Date>()
                .and_then(|date| date.to_zoned_datetime(TimeZone::UTC));
            date.map(|midnight| midnight.timestamp())
        } else {
            text.parse::<jiff::Timestamp>()
        };
        moment
            .map(|moment| Self(moment.as_millisecond()))
            .map_err(|_| InvalidTimestamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_moments_are_read() {
        for (text, millis) in [
            ("2024-06-08", 1_717_804_800_000),
            ("2024-06-08T03:49:12.905Z", 1_717_818_552_905),
            ("2024-06-08T05:49:12.9059+02:00", 1_717_818_552_905),
        ] {
            assert_eq!(text.parse(), Ok(Timestamp(millis)), "{text}");
        }
        for wrong in [
            "",
            "2024-06-08T03:49:12",
            "2024-13-01",
            "08.06.2024",
            "20240608",
            "1717818552905",
        ] {
            assert_eq!(wrong.parse::<Timestamp>(), Err(InvalidTimestamp), "{wrong}");
        }
    }

    #[test]
    fn shown_with_milliseconds_always() {
        assert_eq!(
            Timestamp(1_717_818_552_905).to_string(),
            "2024-06-08T03:49:12.905Z"
        );
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp(i64::MAX).to_string(), i64::MAX.to_string());
    }
}
