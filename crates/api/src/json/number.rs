//! JSON numbers, read exactly: `20`, `20.0` and `2e1` are the same number.

pub(super) const TOO_LARGE: &str = "a number too large";
/// Maximum number of zeros that an exponent such as `1e20` adds. Amounts have fewer digits.
const MOST_ZEROS: usize = 20;
const FRACTION: &str = "a number with a fraction";

/// Returns an integer, never rounded. The error is [`FRACTION`] or [`TOO_LARGE`], for messages.
pub(super) fn integer(raw: &str) -> Result<i64, &'static str> {
    // The usual spelling needs none of the steps below.
    if let Ok(plain) = raw.parse() {
        return Ok(plain);
    }
    let (sign, unsigned) = raw.strip_prefix('-').map_or(("", raw), |rest| ("-", rest));
    let (mantissa, exponent_text) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    // Zero stays zero with any exponent, such as `0e99999999999999999999`.
    if significant.is_empty() {
        return Ok(0);
    }
    // For an exponent beyond the range only its sign matters.
    let clamped = if exponent_text.starts_with('-') {
        i64::MIN / 2
    } else {
        i64::MAX / 2
    };
    let exponent: i64 = exponent_text.parse().unwrap_or(clamped);
    // `significant` lacks the trailing zeros, so they count like a higher exponent.
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    // The exponent is clamped to half of the range, so that the sum cannot overflow.
    let shift =
        exponent.clamp(i64::MIN / 2, i64::MAX / 2) + signed(trailing) - signed(fraction.len());
    // A negative shift leaves digits other than 0 behind the decimal point.
    match usize::try_from(shift) {
        Err(_) => Err(FRACTION),
        // `i64::MAX` has 19 digits, so 19 zeros after a digit are too large in any case.
        Ok(zeros) if zeros > 18 => Err(TOO_LARGE),
        Ok(zeros) => format!("{sign}{significant}{}", "0".repeat(zeros))
            .parse()
            .map_err(|_| TOO_LARGE),
    }
}

/// Returns a decimal string without an exponent, never rounded. The error is [`TOO_LARGE`].
pub(super) fn decimal(raw: &str) -> Result<String, &'static str> {
    let (mantissa, exponent_text) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    // An exponent beyond `i64` would add far more zeros than any amount has.
    let exponent: i64 = exponent_text.parse().map_err(|_| TOO_LARGE)?;
    // Without an exponent the digits stay as sent: `2.50` must not become `2.5`.
    if exponent == 0 {
        return Ok(mantissa.to_owned());
    }
    let (sign, unsigned) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    // Position of the decimal point among the digits, from the left.
    let position = signed(whole.len()).saturating_add(exponent);
    let zeros = |count: i64| match usize::try_from(count.max(0)) {
        Ok(count) if count <= MOST_ZEROS => Ok("0".repeat(count)),
        _ => Err(TOO_LARGE),
    };
    // At least one digit must precede the decimal point: `25e-3` becomes `0.025`.
    let digits = format!(
        "{}{whole}{fraction}",
        zeros(1_i64.saturating_sub(position))?
    );
    let point = position.max(1);
    let padded = format!("{digits}{}", zeros(point - signed(digits.len()))?);
    let place = usize::try_from(point).map_err(|_| TOO_LARGE)?;
    let (whole, fraction) = padded.split_at_checked(place).ok_or(TOO_LARGE)?;
    let point = if fraction.is_empty() { "" } else { "." };
    Ok(format!("{sign}{whole}{point}{fraction}"))
}

fn signed(length: usize) -> i64 {
    // A quarter of the range, so that adding it to a clamped exponent cannot overflow.
    i64::try_from(length).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use crate::json::number::*;

    #[test]
    fn every_way_to_write_a_whole_number_is_read() {
        for (raw, value) in [
            ("20", 20),
            ("20.0", 20),
            ("2e1", 20),
            ("0.2E+2", 20),
            ("200e-1", 20),
            ("-20.00", -20),
            ("-0", 0),
            ("0e99999999999999999999", 0),
            ("0.000", 0),
            ("1717818552905.0", 1_717_818_552_905),
            ("9223372036854775807", i64::MAX),
            ("-9.223372036854775808e18", i64::MIN),
        ] {
            assert_eq!(integer(raw), Ok(value), "{raw}");
        }
    }

    #[test]
    fn decimals_keep_their_digits() {
        for (raw, text) in [
            ("2.50", "2.50"),
            ("-2", "-2"),
            ("2e1", "20"),
            ("-2.505e2", "-250.5"),
            ("2.5E-1", "0.25"),
            ("25e-3", "0.025"),
            ("12.5e+0", "12.5"),
            ("100e-2", "1.00"),
        ] {
            assert_eq!(decimal(raw).as_deref(), Ok(text), "{raw}");
        }
        for raw in ["1e400", "1e-400", "1e99999999999999999999"] {
            assert_eq!(decimal(raw), Err(TOO_LARGE), "{raw}");
        }
    }

    #[test]
    fn other_numbers_are_named() {
        for raw in ["20.5", "1e-1", "0.1", "1e-99999999999999999999"] {
            assert_eq!(integer(raw), Err(FRACTION), "{raw}");
        }
        for raw in [
            "9223372036854775808",
            "1e19",
            "1e400",
            "-1e400",
            "1e99999999999999999999",
            "10e18",
        ] {
            assert_eq!(integer(raw), Err(TOO_LARGE), "{raw}");
        }
    }
}
