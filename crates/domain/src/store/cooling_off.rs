//! The text of a window: how long a store changes its orders at will.

use crate::limits;

/// The text is not a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 0 or a whole number with s, m, h or d, such as 60m; at most 14d")]
pub struct InvalidWindow;

/// Reads a window: `0`, or a whole number of seconds, minutes, hours or days (`90m`). Returns seconds.
///
/// # Errors
/// [`InvalidWindow`] for another text, and for more than [`limits::COOLING_OFF`].
pub fn cooling_off_seconds(text: &str) -> Result<u32, InvalidWindow> {
    if text == "0" {
        return Ok(0);
    }
    let units = [('s', 1), ('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60)];
    let (number, seconds) = units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, *seconds)))
        .ok_or(InvalidWindow)?;
    // Parsing alone would accept a sign.
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse::<u32>().ok().filter(|_| is_number);
    let window = number.and_then(|number| number.checked_mul(seconds));
    window
        .filter(|window| *window <= limits::COOLING_OFF)
        .ok_or(InvalidWindow)
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
}
