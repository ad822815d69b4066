//! Dates and times that operators type, in their time zone.

use jiff::civil::{Date, DateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, ZonedDateTime};
use pressline_backoffice::operator::ZoneName;
use pressline_domain::check::Field;
use pressline_domain::value::Timestamp;

/// Returns the start of the day in `zone`, in milliseconds since 1970.
pub(crate) fn day_start(text: &str, zone: &ZoneName) -> Field<i64> {
    read(text, "a date such as 2026-11-21", |text| {
        midnight(text.parse().ok()?, zone)
    })
}

/// Returns the last millisecond of the day in `zone`, in milliseconds since 1970.
pub(crate) fn day_end(text: &str, zone: &ZoneName) -> Field<i64> {
    read(text, "a date such as 2026-11-21", |text| {
        let day: Date = text.parse().ok()?;
        // Not 24 hours after midnight: clocks may change on that day.
        let next = midnight(day.tomorrow().ok()?, zone)?;
        next.checked_sub(SignedDuration::from_millis(1)).ok()
    })
}

/// Returns the time in `zone`, in milliseconds since 1970.
pub(crate) fn local_time(text: &str, zone: &ZoneName) -> Field<i64> {
    read(text, "a date and a time such as 2026-11-21T14:05", |text| {
        let moment: DateTime = text.parse().ok()?;
        moment.to_zoned_datetime(zone_of(zone)).ok()
    })
}

/// Returns the start of the next day in `zone`; `now` if `now` is outside the supported dates.
pub(crate) fn day_ends(now: Timestamp, zone: &ZoneName) -> Timestamp {
    let local = jiff::Timestamp::from_millisecond(now.as_millis()).ok();
    let today = local.map(|local| local.to_zoned_datetime(zone_of(zone)).date());
    let next = today.and_then(|today| midnight(today.tomorrow().ok()?, zone));
    next.map_or(now, |next| {
        Timestamp::from_millis(next.timestamp().as_millisecond())
    })
}

/// Returns `None` if `moment` is outside the supported dates.
pub(crate) fn clock_time(moment: Timestamp, zone: &ZoneName) -> Option<DateTime> {
    let moment = jiff::Timestamp::from_millisecond(moment.as_millis()).ok()?;
    Some(moment.to_zoned_datetime(zone_of(zone)).datetime())
}

fn read(
    text: &str,
    expected: &'static str,
    moment: impl FnOnce(&str) -> Option<ZonedDateTime>,
) -> Field<i64> {
    Field::parsed(text, expected, |text| {
        moment(text).map(|moment| moment.timestamp().as_millisecond())
    })
}

fn midnight(day: Date, zone: &ZoneName) -> Option<ZonedDateTime> {
    day.to_zoned_datetime(zone_of(zone)).ok()
}

fn zone_of(zone: &ZoneName) -> TimeZone {
    // The bundled time zones may lack a name that another version has stored.
    TimeZoneDatabase::bundled()
        .get(zone.as_str())
        .unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(field: Field<i64>) -> String {
        let millis = *field.value().unwrap();
        Timestamp::from_millis(millis).to_string()
    }

    #[test]
    fn the_present_day_ends_at_midnight_of_the_zone() {
        let now: Timestamp = "2026-11-21T23:30:00Z".parse().unwrap();
        for (zone, end) in [
            ("Europe/Berlin", "2026-11-22T23:00:00.000Z"),
            ("UTC", "2026-11-22T00:00:00.000Z"),
            ("America/New_York", "2026-11-22T05:00:00.000Z"),
        ] {
            let ends = day_ends(now, &zone.parse().unwrap());
            assert_eq!(ends.to_string(), end, "{zone}");
        }
    }

    #[test]
    fn a_day_is_that_of_the_operators_zone() {
        let zone: ZoneName = "Europe/Berlin".parse().unwrap();
        assert_eq!(
            utc(day_start("2026-11-21", &zone)),
            "2026-11-20T23:00:00.000Z"
        );
        assert_eq!(
            utc(day_end("2026-11-21", &zone)),
            "2026-11-21T22:59:59.999Z"
        );
        assert_eq!(
            utc(local_time("2026-11-21T14:05", &zone)),
            "2026-11-21T13:05:00.000Z"
        );
        assert_eq!(day_start(" ", &zone), Field::Absent);
        for wrong in ["21.11.2026", "2026-13-01", "x"] {
            assert!(
                matches!(day_start(wrong, &zone), Field::Wrong(_)),
                "{wrong}"
            );
            assert!(matches!(day_end(wrong, &zone), Field::Wrong(_)), "{wrong}");
        }
    }
}
