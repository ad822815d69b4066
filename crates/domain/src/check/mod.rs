//! Functions that read a single value of a request and add problems of the value to a [`Report`].

pub mod checked;
mod field;
pub mod limits;
mod report;

use std::net::Ipv6Addr;
use std::str::FromStr;

pub use field::{Field, chosen, each};
use pressline_kit::text::{control_problem, has_line_break, one_line};
use pressline_kit::url;
pub use report::{
    IssueCode, MAX_LISTED, Path, Report, Severity, Violation, Warning, WrongType, capped,
};

/// Adds a violation if the string is longer than `limit` characters or not a string.
fn up_to<'a>(
    field: &'a Field<String>,
    path: &Path<'_>,
    limit: usize,
    report: &mut Report,
) -> Option<&'a str> {
    field.read(path, report)?;
    let text = field.text()?;
    // A string has at most as many characters as bytes, so short strings need no counting.
    if text.len() > limit && text.chars().count() > limit {
        let message = format!("at most {limit} characters");
        report.violation(path, IssueCode::TooLong, message);
        return None;
    }
    Some(text)
}

/// Returns the string in `field` with its tabs and line breaks; `None` if it is blank. Adds a
/// violation and returns `None` if it is longer than `limit` characters or otherwise invalid.
pub fn lines(
    field: &Field<String>,
    path: &Path<'_>,
    limit: usize,
    report: &mut Report,
) -> Option<String> {
    let text = up_to(field, path, limit, report)?;
    without_controls(text, path, report).map(str::to_owned)
}

/// Returns the string in `field` as a single line; `None` if it is blank. Tabs and line breaks
/// become spaces; a line break adds a warning. Adds a violation and returns `None` if the string is
/// longer than [`limits::TEXT`] characters or otherwise invalid.
pub fn text(field: &Field<String>, path: &Path<'_>, report: &mut Report) -> Option<String> {
    let raw = up_to(field, path, limits::TEXT, report)?;
    // Nearly all strings are returned here, after a single pass.
    if !raw.contains(char::is_control) {
        return Some(raw.to_owned());
    }
    let text = without_controls(raw, path, report)?;
    if has_line_break(text) {
        let message = "contains a line break, which became a space";
        report.warning(path, IssueCode::LineBreak, message);
    }
    Some(one_line(text).into_owned())
}

/// Adds a violation for control characters other than tabs and line breaks.
fn without_controls<'a>(text: &'a str, path: &Path<'_>, report: &mut Report) -> Option<&'a str> {
    let Some(problem) = control_problem(text) else {
        return Some(text);
    };
    report.violation(path, IssueCode::InvalidFormat, problem);
    None
}

/// Returns the string in `field` like [`text`]. A string that is not a usual address adds a
/// warning: some mail services accept it, and neither production nor the carrier needs it.
pub(crate) fn email(field: &Field<String>, path: &Path<'_>, report: &mut Report) -> Option<String> {
    let text = text(field, path, report)?;
    let rules = email_address::Options::default()
        .without_display_text()
        .without_domain_literal()
        .with_required_tld();
    if email_address::EmailAddress::parse_with_options(&text, rules).is_err() {
        let message = "not a usual e-mail address such as name@example.com; kept as given";
        report.warning(path, IssueCode::UnusualEmail, message);
    }
    Some(text)
}

/// Returns the required field `order_id` of a request. Adds a violation if it is invalid.
pub fn order_name(field: &Field<String>, report: &mut Report) -> Option<String> {
    order_id(field, &Path::Root.key("order_id"), report)
}

/// Returns the order id in a required `field`: 1 to [`limits::ORDER_ID`] characters. Returns
/// `None`, and adds a violation, if it is missing or invalid.
pub fn order_id(field: &Field<String>, path: &Path<'_>, report: &mut Report) -> Option<String> {
    if field.is_blank() {
        report.required(path, "your own id of the order");
        return None;
    }
    let text = up_to(field, path, limits::ORDER_ID, report)?;
    // Line breaks do not become spaces: the sender would not find the order by its own id.
    if !limits::is_order_id(text) {
        let message = "only printable characters; no line breaks, tabs or the like";
        report.violation(path, IssueCode::InvalidFormat, message);
        return None;
    }
    Some(text.to_owned())
}

/// Returns the URL in `field`; `None` if it is blank. Adds a violation and returns `None` unless it
/// is `http` or `https`, without credentials, and at most [`limits::URL`] characters long.
pub(crate) fn url(field: &Field<String>, path: &Path<'_>, report: &mut Report) -> Option<String> {
    let text = up_to(field, path, limits::URL, report)?;
    match wrong_with_url(text) {
        None => Some(text.to_owned()),
        Some(problem) => {
            report.violation(path, IssueCode::InvalidFormat, problem);
            None
        }
    }
}

fn wrong_with_url(text: &str) -> Option<&'static str> {
    let host = match url::split(text) {
        Ok(parts) => parts.host,
        Err(problem) => return Some(problem),
    };
    let bracketed = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let host_fits = match bracketed {
        Some(address) => Ipv6Addr::from_str(address).is_ok(),
        None => !host.contains('%'),
    };
    (!host_fits).then_some(url::NO_HOST)
}

/// Returns `None` if the list is absent or invalid. A null, blank or invalid entry becomes an empty
/// string, so that each URL keeps the position of its print area.
pub(crate) fn urls(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Vec<String>> {
    let list = field.read(path, report)?;
    if list.len() > limits::URLS {
        let message = format!("{} entries; at most {}", list.len(), limits::URLS);
        report.violation(path, IssueCode::TooLong, message);
        return None;
    }
    Some(
        list.iter()
            .enumerate()
            .map(|(i, entry)| url(entry, &path.index(i), report).unwrap_or_default())
            .collect(),
    )
}

/// Returns the URLs of mockup images like [`urls`]. Production does not need them, so an entry that
/// is not a usable URL is left out with a warning.
pub(crate) fn images(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Vec<String>> {
    let image_report = &mut Report::default();
    let mut images = urls(field, path, image_report);
    for problem in image_report.violations.drain(..) {
        let is_of_an_entry = problem.field.ends_with(']');
        if is_of_an_entry && problem.code != IssueCode::WrongType {
            let code = IssueCode::ValueIgnored;
            report.warnings.push(Violation { code, ..problem });
        } else {
            report.violations.push(problem);
        }
    }
    if let Some(images) = &mut images {
        // Unlike the position of a print file, the position of an image has no meaning.
        images.retain(|url| !url.is_empty());
    }
    images
}

/// Returns the number in `field`. Adds a violation if it is invalid or outside `range` (inclusive).
pub fn integer(
    field: &Field<i64>,
    path: &Path<'_>,
    range: (i64, i64),
    report: &mut Report,
) -> Option<i64> {
    let value = *field.read(path, report)?;
    if !(range.0..=range.1).contains(&value) {
        let message = format!("{value} is not between {} and {}", range.0, range.1);
        report.violation(path, IssueCode::OutOfRange, message);
        return None;
    }
    Some(value)
}

/// Returns the value for the string in `field`. Adds a violation if `words` lacks the string.
pub fn word<T>(
    field: &Field<String>,
    path: &Path<'_>,
    words: impl IntoIterator<Item = (&'static str, T)>,
    report: &mut Report,
) -> Option<T> {
    field.read(path, report)?;
    let given = field.text()?;
    let mut known = Vec::new();
    for (word, meaning) in words {
        if word == given {
            return Some(meaning);
        }
        known.push(word);
    }
    let message = format!("not one of {}", known.join(", "));
    report.violation(path, IssueCode::InvalidFormat, message);
    None
}

/// Returns the version in `field`, at least 1. Adds a violation if it is invalid.
pub fn version(field: &Field<i64>, path: &Path<'_>, report: &mut Report) -> Option<u32> {
    let range = (1, i64::from(u32::MAX));
    let version = integer(field, path, range, report)?;
    u32::try_from(version).ok()
}

/// Returns the Boolean in `field`; `false` if it is absent. A wrong type is a violation.
pub fn flag(field: &Field<bool>, path: &Path<'_>, report: &mut Report) -> Option<bool> {
    if field.is_absent() {
        return Some(false);
    }
    field.read(path, report).copied()
}

pub(crate) fn latitude(field: &Field<f64>, path: &Path<'_>, report: &mut Report) -> Option<f64> {
    degrees(field, path, 90.0, report)
}

pub(crate) fn longitude(field: &Field<f64>, path: &Path<'_>, report: &mut Report) -> Option<f64> {
    degrees(field, path, 180.0, report)
}

fn degrees(field: &Field<f64>, path: &Path<'_>, limit: f64, report: &mut Report) -> Option<f64> {
    let value = *field.read(path, report)?;
    if !(-limit..=limit).contains(&value) {
        let message = format!("{value} is not between -{limit} and {limit} degrees; left out");
        report.warning(path, IssueCode::ValueIgnored, message);
        return None;
    }
    // Adding zero turns -0 into 0, so that equal positions are stored alike.
    Some(value + 0.0)
}

#[cfg(test)]
mod tests {
    use crate::check::*;

    #[test]
    fn urls_are_http_with_a_host_and_no_credentials() {
        for right in [
            "https://example.com/a.png",
            "http://localhost:8080",
            "HTTPS://EXAMPLE.com?x=@",
            "https://[::1]:8080/a",
            "https://bücher.example/ä.png",
            "https://example.com/a%20b.png#x",
        ] {
            assert_eq!(wrong_with_url(right), None, "{right}");
        }
        for wrong in [
            "ftp://example.com/a",
            "example.com/a.png",
            "https://",
            "https:///a.png",
            "https://user:pw@example.com/a",
            "https://user@example.com",
            "https://example.com/a b",
            "https://example.com:port/",
            "https://example.com:99999/",
            "javascript://alert",
            "https://[::1/",
            "data:image/png;base64,AAAA",
        ] {
            assert!(wrong_with_url(wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn an_unusual_email_is_kept_with_a_warning() {
        for (text, is_usual) in [
            ("ana@example.com", true),
            ("ana+tag@mail.example.co.uk", true),
            ("o'brien@example.com", true),
            ("ana@bücher.example", true),
            ("ana@example", false),
            ("user..name@docomo.ne.jp", false),
            ("user.@ezweb.ne.jp", false),
            ("ana", false),
            ("ana@", false),
            ("@example.com", false),
            ("Ana <ana@example.com>", false),
            ("a b@example.com", false),
        ] {
            let mut report = Report::default();
            let found = email(&text.into(), &Path::Root.key("email"), &mut report);
            assert_eq!(found.as_deref(), Some(text));
            assert_eq!(report.violations, []);
            let codes: Vec<_> = report.warnings.iter().map(|warning| warning.code).collect();
            let unusual = [IssueCode::UnusualEmail];
            assert_eq!(codes, if is_usual { &[][..] } else { &unusual }, "{text}");
        }
    }
}
