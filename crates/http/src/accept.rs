//! The form of error responses that a caller prefers, by its `Accept` header.

use actix_web::http::header::{ACCEPT, HeaderMap, Quality, QualityItem, from_comma_delimited};
use actix_web::mime::{self, Mime};

use crate::headers::{JSON, PROBLEM_JSON};

/// Precision of a media range, in ascending order: `*/*`, `application/*`, or one media type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    Any,
    Application,
    Exact,
}

/// Returns whether the header `Accept` prefers errors in the form of RFC 9457 to plain JSON. If
/// both have the same quality, the header must name `application/problem+json`: a range like `*/*`,
/// which all clients send, does not show support for RFC 9457.
pub fn wants_problem(headers: &HeaderMap) -> bool {
    // Most clients send one of two values, and parsing would allocate.
    let is_usual = |value: &[u8]| matches!(value, b"*/*" | b"application/json");
    if headers
        .get_all(ACCEPT)
        .all(|value| is_usual(value.as_bytes()))
    {
        return false;
    }
    let ranges: Vec<QualityItem<Mime>> =
        from_comma_delimited(headers.get_all(ACCEPT)).unwrap_or_default();
    let Some((precision, problem)) = preference(&ranges, PROBLEM_JSON) else {
        return false;
    };
    let json = preference(&ranges, JSON).map_or(Quality::ZERO, |(_, quality)| quality);
    problem > json || problem == json && problem > Quality::ZERO && precision == Precision::Exact
}

/// Returns precision and quality of the most precise range for `media_type` (RFC 9110, 12.5.1).
fn preference(ranges: &[QualityItem<Mime>], media_type: &str) -> Option<(Precision, Quality)> {
    let matching = ranges
        .iter()
        .filter_map(|range| Some((precision(&range.item, media_type)?, range.quality)));
    matching.max()
}

fn precision(range: &Mime, media_type: &str) -> Option<Precision> {
    match (range.type_(), range.subtype()) {
        (mime::STAR, mime::STAR) => Some(Precision::Any),
        (mime::APPLICATION, mime::STAR) => Some(Precision::Application),
        _ => (range.essence_str() == media_type).then_some(Precision::Exact),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn the_form_of_errors_follows_the_qualities() {
        for (accept, wanted) in [
            ("application/problem+json", true),
            ("Application/Problem+JSON;q=0.5", true),
            ("application/json, application/problem+json", true),
            (
                "application/json;q=0.5, application/problem+json;q=0.9",
                true,
            ),
            (
                "application/json;q=0.9, application/problem+json;q=0.5",
                false,
            ),
            ("application/json, application/problem+json;q=0.5", false),
            ("application/problem+json;q=0", false),
            ("application/problem+json; q=0.0, */*", false),
            ("application/problem+json, */*;q=0.1", true),
            ("application/json;q=0.1, */*", true),
            ("application/*", false),
            ("application/json", false),
            ("text/html, */*;q=0.8", false),
            ("text/html", false),
            ("*/*", false),
            ("nonsense", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(wants_problem(&headers), wanted, "{accept}");
        }
        let mut headers = HeaderMap::new();
        assert!(!wants_problem(&headers));
        headers.append(ACCEPT, HeaderValue::from_static("application/json;q=0.5"));
        headers.append(ACCEPT, HeaderValue::from_static("application/problem+json"));
        assert!(wants_problem(&headers), "several lines are one list");
    }
}
