//! Forms in which spreadsheets write dates and times.

use super::numbers::is_digits;

/// Abbreviated months as spreadsheets write them in English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Polish and the Nordic languages: the abbreviations of Unicode CLDR, and
/// shorter forms such as `mrz`. The Italian and Portuguese months `gen`, `mag`, `set` and `out` are
/// left out, because SKUs begin with `set-` or `out-`.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    "mär", "mrz", "märz", "mai", "juni", "juli", "okt", "dez", // German
    "janv", "févr", "fév", "mars", "avr", "juin", "juil", "août", "déc", // French
    "ene", "abr", "ago", "dic", // Spanish
    "giu", "lug", "ott", // Italian
    "fev", // Portuguese
    "mrt", "mei", // Dutch
    "sty", "lut", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru", // Polish
    "des", // Norwegian
];

/// Separators between the parts of a date.
const SEPARATORS: [char; 4] = ['/', '-', '.', ' '];

/// Returns whether `text` is a date, or a date and a time, as a spreadsheet writes it: `1-Mar`,
/// `Jan-02`, `01. Mrz`, `1/2/2026`, `2026-01-02 00:00:00`.
pub(super) fn is_date(text: &str) -> bool {
    // Nearly all cells end here.
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let (date, rest) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    let has_time = is_time(rest.trim_end_matches('Z'));
    is_day(text) || (has_time && is_day(date)) || is_east_asian(text)
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text
        .split(SEPARATORS)
        .filter(|part| !part.is_empty())
        .collect();
    let has_names = parts.iter().any(|part| !is_digits(part));
    match parts.as_slice() {
        _ if has_names => is_named_day(&parts),
        [first, second, third] => is_numbered_day(text, [first, second, third]),
        _ => false,
    }
}

/// Returns whether one of `parts` is a month, and the others are a day or a year.
fn is_named_day(parts: &[&str]) -> bool {
    let numbers = parts.iter().filter(|part| is_digits(part));
    let has_numbers = numbers
        .clone()
        .all(|part| matches!(part.len(), 1 | 2) || is_year(part));
    let mut names = parts.iter().filter(|part| !is_digits(part));
    let is_month = names.next().is_some_and(|name| is_month(name));
    is_month && names.next().is_none() && has_numbers && matches!(numbers.count(), 1 | 2)
}

/// Ids such as `Nov-1001` are not dates.
fn is_year(part: &str) -> bool {
    part.len() == 4
        && part
            .parse()
            .is_ok_and(|year: u32| (1900..2200).contains(&year))
}

/// Spreadsheets write `Mar` or `mar`. A month in capitals is a text that no spreadsheet changed.
fn is_month(name: &str) -> bool {
    let tail_is_lower = !name.chars().skip(1).any(char::is_uppercase);
    tail_is_lower && MONTHS.contains(&name.to_lowercase().as_str())
}

/// A year of two digits counts only after slashes: SKUs such as `10-11-12` and versions such as
/// `1.2.10` have the other forms.
fn is_numbered_day(text: &str, parts: [&str; 3]) -> bool {
    let mut separators = text.chars().filter(|c| SEPARATORS.contains(c));
    let separator = separators.next().unwrap_or_default();
    if separator == ' ' || separators.next() != Some(separator) || separators.next().is_some() {
        return false;
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(u32::MAX);
    let [first, second, third] = parts;
    let is_day_and_month = |one: &str, other: &str| {
        let (one, other, is_short) = (number(one), number(other), one.len().max(other.len()) <= 2);
        is_short && one.min(other) >= 1 && one.min(other) <= 12 && one.max(other) <= 31
    };
    let is_short_year = |part: &str| part.len() == 2 && separator == '/';
    (is_year(first) && is_day_and_month(second, third))
        || ((is_year(third) || is_short_year(third)) && is_day_and_month(first, second))
}

/// `3月1日`, `2026年3月1日`, and the same in Korean.
fn is_east_asian(text: &str) -> bool {
    let parts = text.split(['年', '月', '日', '년', '월', '일']);
    let is_numbers = parts
        .map(str::trim)
        .all(|part| part.is_empty() || is_digits(part));
    let has = |signs: [char; 2]| text.contains(signs);
    is_numbers && has(['月', '월']) && has(['日', '일'])
}

/// Returns whether `text` is a time, such as `12:30`, `01:02:00` or `1:30:00 PM`.
pub(super) fn is_time(text: &str) -> bool {
    if !text.contains(':') {
        return false;
    }
    let upper = text.to_ascii_uppercase();
    let with_fraction = ["AM", "PM"]
        .iter()
        .find_map(|half| upper.strip_suffix(half))
        .unwrap_or(&upper)
        .trim_end();
    let (clock, fraction) = with_fraction
        .split_once(['.', ','])
        .unwrap_or((with_fraction, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hours, minutes @ ..] = parts.as_slice() else {
        return false;
    };
    let is_two_digits = |part: &&str| part.len() == 2 && is_digits(part);
    matches!(minutes.len(), 1 | 2)
        && matches!(hours.len(), 1..=3)
        && is_digits(hours)
        && minutes.iter().all(is_two_digits)
        && is_digits(fraction)
}
