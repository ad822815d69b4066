//! Durations as people write them: `3 d 12 h`.

use pressline_domain::check::Field;

/// Names of the units, with their lengths in seconds, longest first. The first name is shown; all
/// names are accepted.
const UNITS: [(&[&str], i64); 4] = [
    (&["d", "day", "days"], 86_400),
    (&["h", "hour", "hours"], 3600),
    (&["min", "m", "minute", "minutes"], 60),
    (&["s", "second", "seconds"], 1),
];

/// Leaves out units that are 0; returns `0 h` for 0.
pub(crate) fn duration_text(seconds: u32) -> String {
    let mut rest = i64::from(seconds);
    let mut parts = Vec::new();
    for (names, size) in UNITS {
        if rest >= size
            && let Some(name) = names.first()
        {
            parts.push(format!("{} {name}", rest / size));
        }
        rest %= size;
    }
    match parts.is_empty() {
        true => "0 h".to_owned(),
        false => parts.join(" "),
    }
}

/// Parses a duration such as `3 d 12 h` into seconds.
pub(crate) fn duration(text: &str) -> Field<i64> {
    Field::parsed(text, "days and hours such as 3 d 12 h", seconds)
}

fn seconds(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut sum: i64 = 0;
    while !rest.is_empty() {
        let (number, unit_and_rest) = split(rest, |c| c.is_ascii_digit());
        let (unit, after) = split(unit_and_rest.trim_start(), |c| c.is_ascii_alphabetic());
        let known = UNITS.iter().find(|(names, _)| names.contains(&unit))?;
        let part = number.parse::<i64>().ok()?.checked_mul(known.1)?;
        sum = sum.checked_add(part)?;
        rest = after.trim_start_matches([' ', ',']);
    }
    Some(sum)
}

fn split(text: &str, is_part: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_they_are_shown() {
        for seconds in [0, 1, 60, 3600, 5400, 86_400, 259_200, 302_400, u32::MAX] {
            let text = duration_text(seconds);
            assert_eq!(duration(&text), Field::Value(i64::from(seconds)), "{text}");
        }
        assert_eq!(duration_text(302_400), "3 d 12 h");
        for (text, seconds) in [("2days", 172_800), (" 1 hour, 30 minutes ", 5400)] {
            assert_eq!(duration(text), Field::Value(seconds), "{text}");
        }
        assert_eq!(duration(" "), Field::Absent);
        for wrong in ["3", "h", "-1 h", "1 week", "1 h x", "99999999999999999 d"] {
            assert!(matches!(duration(wrong), Field::Wrong(_)), "{wrong}");
        }
    }
}
