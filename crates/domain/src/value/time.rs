//! Times in whole milliseconds, as stored in orders.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::check::{Field, IssueCode, Path, Report};

/// A time in milliseconds since `1970-01-01T00:00:00Z`, without leap seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Returns the time `millis` milliseconds after the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since the epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the whole seconds since the epoch, rounded down.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the time `millis` milliseconds later; a negative number gives an earlier time.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Returns the start of the minute that contains this time.
    #[must_use]
    pub const fn start_of_minute(self) -> Self {
        let millis = self.as_millis();
        // Unlike `%`, `rem_euclid` also rounds down before 1970.
        Self::from_millis(millis - millis.rem_euclid(60_000))
    }

    /// Returns the milliseconds since `earlier`; negative if `earlier` is later.
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// ISO 8601 in UTC (`2024-06-08T03:49:12.905Z`); milliseconds outside the years -9999 to 9999.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(time) => write!(f, "{time:.3}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

/// Error for a string that is neither a date nor a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither a date such as 2026-01-01 nor a time such as 2026-01-01T06:30:00Z")]
pub struct InvalidTimestamp;

/// Parses a date (midnight in UTC) or an ISO 8601 time with its offset, cut to milliseconds.
impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        // The length decides: the library would parse a longer string and ignore its time.
        let time = if text.len() == "2026-01-01".len() {
            let date = text
                .parse::<Date>()
                .and_then(|date| date.to_zoned_datetime(TimeZone::UTC));
            date.map(|midnight| midnight.timestamp())
        } else {
            text.parse::<jiff::Timestamp>()
        };
        time.map(|time| Self(time.as_millisecond()))
            .map_err(|_| InvalidTimestamp)
    }
}

/// Smallest number that is probably a time in seconds; the largest is [`MILLIS_FROM`].
const SECONDS_FROM: i64 = 0;
/// Lower bound, exclusive, of accepted times in milliseconds since 1970: a time in the year 1973.
/// Numbers up to this bound are probably times in seconds.
pub const MILLIS_FROM: i64 = 100_000_000_000;
/// Latest accepted time in milliseconds: the year 5138. Higher is probably microseconds.
pub const MILLIS_TO: i64 = 100_000_000_000_000;

/// Returns the time in `field`. Adds a violation unless in [`MILLIS_FROM`] to [`MILLIS_TO`].
pub fn timestamp(field: &Field<i64>, path: &Path<'_>, report: &mut Report) -> Option<Timestamp> {
    let problem = match *field.read(path, report)? {
        ..0 => "must not be negative; send milliseconds since 1970",
        SECONDS_FROM..=MILLIS_FROM => {
            "looks like seconds; this is in milliseconds since 1970, so multiply by 1000"
        }
        millis if millis > MILLIS_TO => "too far in the future; this is in milliseconds since 1970",
        millis => return Some(Timestamp::from_millis(millis)),
    };
    report.violation(path, IssueCode::OutOfRange, problem);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_timestamps_are_read() {
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
