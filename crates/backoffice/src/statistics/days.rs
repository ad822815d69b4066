//! Calendar days of a time zone.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::limits;
use crate::operator::ZoneName;
use pressline_domain::value::{OrderId, Timestamp};

/// Calendar day, written as `2026-11-21`, without its time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

/// Consecutive days of a time zone, up to [`limits::FIGURE_DAYS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    days: Vec<Day>,
    /// Start of each day, followed by the end of the last day.
    bounds: Vec<Timestamp>,
}

/// Error for a string that is not a [`Day`], or for an invalid range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidDays {
    /// The string does not have the form `2026-11-21`.
    #[error("not a day such as 2026-11-21")]
    Format,
    /// The first day is after the last day.
    #[error("after the last day")]
    Order,
    /// The range has more than [`limits::FIGURE_DAYS`] days.
    #[error("more than {} days before the last day", limits::FIGURE_DAYS - 1)]
    TooMany,
    /// The start of a day is outside the years -9999 to 9999 and cannot be computed.
    #[error("not a day that has a beginning in the time zone")]
    Unknown,
}

impl Day {
    /// Returns the calendar day on which the time `moment` falls in the time zone `zone`.
    pub fn new(moment: Timestamp, zone: &ZoneName) -> Self {
        let moment = jiff::Timestamp::from_millisecond(moment.as_millis())
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        Self(moment.to_zoned_datetime(zone_of(zone)).date())
    }

    /// Returns the first day of the month of `self`.
    #[must_use]
    pub fn first_of_month(self) -> Self {
        Self(self.0.first_of_month())
    }

    /// Returns the day before, or `self` if it is the first day of the calendar.
    #[must_use]
    pub fn previous(self) -> Self {
        self.0.yesterday().map_or(self, Self)
    }

    fn begins(self, zone: &TimeZone) -> Result<Timestamp, InvalidDays> {
        let begins = self
            .0
            .to_zoned_datetime(zone.clone())
            .map_err(|_| InvalidDays::Unknown)?;
        Ok(Timestamp::from_millis(begins.timestamp().as_millisecond()))
    }

    fn next(self) -> Result<Self, InvalidDays> {
        let next = self.0.tomorrow();
        next.map(Self).map_err(|_| InvalidDays::Unknown)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Day {
    type Err = InvalidDays;

    fn from_str(text: &str) -> Result<Self, InvalidDays> {
        // `jiff` would accept the date of a longer string, such as a timestamp.
        if text.len() != "2026-11-21".len() {
            return Err(InvalidDays::Format);
        }
        text.parse().map(Self).map_err(|_| InvalidDays::Format)
    }
}

impl Days {
    /// Returns the days from `first` to `last`, both included, in the time zone `zone`.
    ///
    /// # Errors
    /// [`InvalidDays::Order`] if `last` is before `first`; [`InvalidDays::TooMany`] for more than
    /// [`limits::FIGURE_DAYS`] days; [`InvalidDays::Unknown`] if the start of a day is outside the
    /// calendar.
    pub fn between(first: Day, last: Day, zone: &ZoneName) -> Result<Self, InvalidDays> {
        if last < first {
            return Err(InvalidDays::Order);
        }
        let zone = zone_of(zone);
        let (mut days, mut bounds) = (Vec::new(), vec![first.begins(&zone)?]);
        let mut day = first;
        while day <= last {
            // Checked for each day, so that a range of centuries is not computed first.
            if days.len() == limits::FIGURE_DAYS {
                return Err(InvalidDays::TooMany);
            }
            days.push(day);
            day = day.next()?;
            bounds.push(day.begins(&zone)?);
        }
        Ok(Self { days, bounds })
    }

    /// Returns the first and the last day; never `None` for a value from [`Days::between`].
    pub fn ends(&self) -> Option<(Day, Day)> {
        Some((*self.days.first()?, *self.days.last()?))
    }

    /// Returns the order ids of the days: lower bound inclusive, upper bound exclusive.
    pub fn ids(&self) -> (OrderId, OrderId) {
        let bound = |moment: Option<&Timestamp>| moment.copied().map(OrderId::first_of);
        let from = bound(self.bounds.first()).unwrap_or(OrderId::HIGHEST);
        (from, bound(self.bounds.last()).unwrap_or(from))
    }

    /// Returns the day on which the time `moment` falls; `None` if it falls on no day of the range.
    pub fn day_of(&self, moment: Timestamp) -> Option<Day> {
        let begun = self.bounds.partition_point(|bound| *bound <= moment);
        self.days.get(begun.checked_sub(1)?).copied()
    }
}

fn zone_of(zone: &ZoneName) -> TimeZone {
    // Always found: a `ZoneName` comes from the same database.
    TimeZoneDatabase::bundled()
        .get(zone.as_str())
        .unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(first: &str, last: &str, zone: &str) -> Result<Days, InvalidDays> {
        let (first, last) = (first.parse().unwrap(), last.parse().unwrap());
        Days::between(first, last, &zone.parse().unwrap())
    }

    #[test]
    fn days_are_those_of_the_zone_also_when_its_clocks_change() {
        // On 25 October 2026 the clocks of Berlin go back by an hour: the day has 25 hours.
        let days = days("2026-10-24", "2026-10-26", "Europe/Berlin").unwrap();
        let day_of = |moment: &str| {
            let day = days.day_of(moment.parse().unwrap());
            day.map(|day| day.to_string())
        };
        for (moment, day) in [
            ("2026-10-23T21:59:59.999Z", None),
            ("2026-10-23T22:00:00Z", Some("2026-10-24")),
            ("2026-10-24T21:59:59.999Z", Some("2026-10-24")),
            ("2026-10-24T22:00:00Z", Some("2026-10-25")),
            ("2026-10-25T22:59:59.999Z", Some("2026-10-25")),
            ("2026-10-25T23:00:00Z", Some("2026-10-26")),
            ("2026-10-26T23:00:00Z", None),
        ] {
            assert_eq!(day_of(moment).as_deref(), day, "{moment}");
        }
        let (from, before) = days.ids();
        assert_eq!(from.created_at().to_string(), "2026-10-23T22:00:00.000Z");
        assert_eq!(before.created_at().to_string(), "2026-10-26T23:00:00.000Z");
    }

    #[test]
    fn there_are_at_most_thirty_one_days() {
        let month = days("2026-10-01", "2026-10-31", "UTC").unwrap();
        assert_eq!(month.days.len(), 31);
        let more = days("2026-09-30", "2026-10-31", "UTC");
        assert_eq!(more, Err(InvalidDays::TooMany));
        let reversed = days("2026-10-02", "2026-10-01", "UTC");
        assert_eq!(reversed, Err(InvalidDays::Order));
        let last = days("9999-12-31", "9999-12-31", "UTC");
        assert_eq!(last, Err(InvalidDays::Unknown));
    }

    #[test]
    fn the_day_of_a_time_depends_on_the_zone() {
        let moment: Timestamp = "2026-11-21T23:30:00Z".parse().unwrap();
        for (zone, day, month) in [
            ("UTC", "2026-11-21", "2026-11-01"),
            ("Europe/Berlin", "2026-11-22", "2026-11-01"),
        ] {
            let of_zone = Day::new(moment, &zone.parse().unwrap());
            assert_eq!(of_zone.to_string(), day);
            assert_eq!(of_zone.first_of_month().to_string(), month);
            assert_eq!(
                of_zone.first_of_month().previous().to_string(),
                "2026-10-31"
            );
        }
        for wrong in ["", "2026-13-01", "21.11.2026", "2026-11-21T10:00:00Z"] {
            assert_eq!(wrong.parse::<Day>(), Err(InvalidDays::Format), "{wrong}");
        }
    }
}
