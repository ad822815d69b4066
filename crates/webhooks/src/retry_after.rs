//! The header `Retry-After` (RFC 9110, section 10.2.3).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pressline_domain::value::Timestamp;

/// Returns seconds from `now`: 0 for a past date, `None` if `value` is neither a number nor a date.
pub(crate) fn seconds(value: &str, now: Timestamp) -> Option<u32> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only a number that exceeds `u32` fails here.
        return Some(value.parse().unwrap_or(u32::MAX));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let millis = u64::try_from(now.as_millis()).unwrap_or(0);
    let now: SystemTime = UNIX_EPOCH + Duration::from_millis(millis);
    let wait = date.duration_since(now).unwrap_or_default();
    // Rounded up, so that the wait does not end before the date.
    let rounded = wait.as_millis().div_ceil(1000);
    Some(u32::try_from(rounded).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        // 1994-11-06T08:49:37Z
        let now = Timestamp::from_millis(784_111_777_000);
        for (value, expected) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999999", Some(u32::MAX)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60)),
            ("Sun Nov  6 08:50:37 1994", Some(60)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
        ] {
            assert_eq!(seconds(value, now), expected, "{value}");
        }
        let shortly_before = Timestamp::from_millis(784_111_836_001);
        let date = "Sun, 06 Nov 1994 08:50:37 GMT";
        assert_eq!(seconds(date, shortly_before), Some(1));
    }
}
