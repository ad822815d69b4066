//! Parsing of a store's durations: the cooling-off window, and the time until the ship-by time.

use crate::check::limits;

/// Error for a string that is not a valid cooling-off window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 0 or a whole number with s, m, h or d, such as 60m; at most 14d")]
pub struct InvalidWindow;

/// Error for a string that is not a valid duration until the ship-by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 0 or a whole number with s, m, h or d, such as 3d; at most 90d")]
pub struct InvalidShipByTime;

/// Parses a cooling-off window: `0`, or a whole number of seconds, minutes, hours or days such as
/// `90m`. Returns seconds.
///
/// # Errors
/// [`InvalidWindow`] if `text` has another form, or is more than [`limits::COOLING_OFF`] seconds.
pub fn cooling_off_seconds(text: &str) -> Result<u32, InvalidWindow> {
    seconds(text, limits::COOLING_OFF).ok_or(InvalidWindow)
}

/// Parses the time in which an item must be shipped after it becomes ready, such as `3d`; `0` for
/// no ship-by time. Returns seconds.
///
/// # Errors
/// [`InvalidShipByTime`] if `text` has another form, or is more than [`limits::PROMISE`] seconds.
pub fn ship_by_seconds(text: &str) -> Result<u32, InvalidShipByTime> {
    seconds(text, limits::PROMISE).ok_or(InvalidShipByTime)
}

fn seconds(text: &str, limit: u32) -> Option<u32> {
    if text == "0" {
        return Some(0);
    }
    let units = [('s', 1), ('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60)];
    let parts = |(unit, seconds)| Some((text.strip_suffix::<char>(unit)?, seconds));
    let (digits, unit) = units.into_iter().find_map(parts)?;
    // `parse` alone would accept a leading `+`.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<u32>().ok().filter(|_| is_number)?;
    let seconds = number.checked_mul(unit)?;
    (seconds <= limit).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_units_and_a_bound() {
        for (text, seconds) in [
            ("0", 0),
            ("0m", 0),
            ("45s", 45),
            ("60m", 3600),
            ("2h", 7200),
            ("14d", limits::COOLING_OFF),
        ] {
            assert_eq!(cooling_off_seconds(text), Ok(seconds), "{text}");
        }
        for wrong in [
            "",
            "60",
            "m",
            "+1m",
            "-1m",
            "1.5h",
            "15d",
            "1 h",
            "1w",
            "9999999999s",
        ] {
            assert_eq!(cooling_off_seconds(wrong), Err(InvalidWindow), "{wrong}");
        }
    }

    #[test]
    fn ship_by_times_have_the_form_of_windows_and_a_bound_of_their_own() {
        assert_eq!(ship_by_seconds("3d"), Ok(limits::USUAL_PROMISE));
        assert_eq!(ship_by_seconds("0"), Ok(0));
        assert_eq!(ship_by_seconds("90d"), Ok(limits::PROMISE));
        for wrong in ["91d", "3", "three days"] {
            assert_eq!(ship_by_seconds(wrong), Err(InvalidShipByTime), "{wrong}");
        }
    }
}
