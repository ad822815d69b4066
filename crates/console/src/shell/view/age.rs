//! Time since an event.

use pressline_domain::value::Timestamp;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Formats the time from `moment` to `now`, rounded down, such as `3 h`.
pub(crate) fn age(moment: Timestamp, now: Timestamp) -> String {
    // The time may come from a server with a clock that is ahead.
    let passed = now.millis_since(moment).max(0);
    // Up to two days, hours say more.
    for (unit, from, name) in [(DAY, 2 * DAY, "d"), (HOUR, HOUR, "h"), (MINUTE, 0, "min")] {
        if passed >= from {
            return format!("{} {name}", passed / unit);
        }
    }
    "0 min".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_one_unit_that_fits() {
        let now = Timestamp::from_millis(1_795_266_300_000);
        for (passed, text) in [
            (-5, "0 min"),
            (59_999, "0 min"),
            (59 * MINUTE, "59 min"),
            (HOUR, "1 h"),
            (47 * HOUR, "47 h"),
            (2 * DAY, "2 d"),
            (400 * DAY, "400 d"),
        ] {
            assert_eq!(age(now.plus_millis(-passed), now), text);
        }
    }
}
