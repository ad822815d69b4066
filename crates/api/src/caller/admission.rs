//! The checks of a request's head, before its body is read.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use actix_web::mime::Mime;
use pressline_domain::check::{IssueCode, Violation};
use pressline_domain::store::{SignatureForm, is_signature_form};
use pressline_domain::value::StoreId;

use pressline_http::error::Code;
use pressline_http::headers::{JSON, SIGNATURE, STORE_ID, TIMESTAMP};
use pressline_http::request_error::RequestError;
use pressline_http::request_limits::{AdmittedHead, declared_length};

/// Authentication headers of a store's call, not verified yet. No header is empty or repeated. The
/// store id and the signature are well-formed.
#[derive(Debug)]
pub(crate) struct Credentials<'r> {
    pub(crate) store_id: &'r str,
    /// `None` for an unsigned call. Only some operations accept unsigned calls.
    pub(crate) signature: Option<&'r str>,
    pub(crate) timestamp: Option<&'r str>,
}

/// Checks the declared length, at most `limit` bytes, the content type, and then the headers that
/// `credentials` reads.
pub(crate) fn admit<'r, C>(
    headers: &'r HeaderMap,
    limit: usize,
    credentials: impl FnOnce(&'r HeaderMap) -> Result<C, RequestError>,
) -> Result<AdmittedHead<C>, RequestError> {
    let length = declared_length(headers, limit)?;
    check_media_type(headers)?;
    let credentials = credentials(headers)?;
    Ok(AdmittedHead {
        length,
        credentials,
    })
}

/// Requires uncompressed JSON in UTF-8. If a header is repeated, each value must be valid, because
/// a proxy may have used any of them.
fn check_media_type(headers: &HeaderMap) -> Result<(), RequestError> {
    let wrong = |message: &'static str| Err(RequestError::new(Code::UnsupportedMediaType, message));
    // A value that is not ASCII matches nothing; as an empty string, it would count as absent.
    let texts = |name| {
        let values = headers.get_all(name);
        values.map(|value| value.to_str().unwrap_or("not ASCII").trim())
    };
    if texts(CONTENT_TYPE).next().is_none() {
        return wrong("Content-Type is missing; send application/json");
    }
    // Most clients send exactly `application/json`, and parsing it would allocate.
    let other_types = texts(CONTENT_TYPE).filter(|text| *text != JSON);
    for text in other_types {
        // An empty last parameter is malformed but harmless.
        let media_type = text.trim_end_matches([';', ' ', '\t']).parse::<Mime>();
        let Some(media_type) = media_type
            .ok()
            .filter(|media_type| media_type.essence_str() == JSON)
        else {
            return wrong("Content-Type must be application/json");
        };
        if !has_utf8_only(&media_type) {
            return wrong("the charset of Content-Type must be utf-8; encode the body in UTF-8");
        }
    }
    if texts(CONTENT_ENCODING)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
    {
        return wrong("Content-Encoding must be identity; send the body uncompressed");
    }
    Ok(())
}

fn has_utf8_only(media_type: &Mime) -> bool {
    let mut charsets = media_type.params().filter(|(name, _)| *name == "charset");
    // `utf8` is not the registered name, but common, and cannot mean anything else.
    charsets.all(|(_, value)| {
        ["utf-8", "utf8"]
            .iter()
            .any(|name| value.as_str().eq_ignore_ascii_case(name))
    })
}

/// Requires no timestamp and, if `form` is `PlainOrNone`, no signature. Returns `permission_denied`
/// if another header is missing, if a header is empty or repeated, or if the store id or the
/// signature is malformed.
pub(crate) fn credentials(
    headers: &HeaderMap,
    form: SignatureForm,
) -> Result<Credentials<'_>, RequestError> {
    let mut problems = Vec::new();
    let store_id = single(headers, STORE_ID, &mut problems);
    let signature = single(headers, SIGNATURE, &mut problems);
    let timestamp = single(headers, TIMESTAMP, &mut problems);
    // `single` has already reported an empty or repeated header.
    if store_id.is_none() && !headers.contains_key(STORE_ID) {
        problems.push(missing(STORE_ID));
    }
    let may_be_unsigned = form == SignatureForm::PlainOrNone;
    if signature.is_none() && !headers.contains_key(SIGNATURE) && !may_be_unsigned {
        problems.push(missing(SIGNATURE));
    }
    // All header problems are reported in one response, so a valid store id alone does not pass.
    let Some(store_id) = store_id.filter(|_| problems.is_empty()) else {
        return Err(RequestError::permission_denied(
            "an authentication header is missing, empty or repeated",
            problems,
        ));
    };
    // The response does not name a malformed header, so that a guessing caller learns nothing.
    if store_id.parse::<StoreId>().is_err() {
        return Err(RequestError::permission_denied(
            "X-Service-Store-Id is not a UUID",
            problems,
        ));
    }
    if signature.is_some_and(|signature| !is_signature_form(signature)) {
        let reason = "X-Service-Hmac-Sha256 is neither base64 of 32 bytes nor 64 hex digits";
        return Err(RequestError::permission_denied(reason, problems));
    }
    Ok(Credentials {
        store_id,
        signature,
        timestamp,
    })
}

/// Returns the value of the header `name`; `None` if the header is absent, empty or repeated. Adds
/// a violation to `problems` if the header is empty or repeated, but not if it is absent. A value
/// that is not ASCII text is returned as U+FFFD, which no check accepts.
pub(crate) fn single<'r>(
    headers: &'r HeaderMap,
    name: &str,
    problems: &mut Vec<Violation>,
) -> Option<&'r str> {
    const UNREADABLE: &str = "\u{fffd}";
    let mut values = headers.get_all(name);
    let value = values.next()?.to_str().unwrap_or(UNREADABLE).trim();
    let mut problem = |code, message: &str| {
        problems.push(Violation {
            field: name.to_owned(),
            code,
            message: message.to_owned(),
        });
        None
    };
    if values.next().is_some() {
        return problem(IssueCode::Repeated, "the header is repeated; send it once");
    }
    if value.is_empty() {
        return problem(IssueCode::Required, "the header is empty");
    }
    Some(value)
}

pub(crate) fn missing(name: &str) -> Violation {
    Violation {
        field: name.to_owned(),
        code: IssueCode::Required,
        message: "the header is missing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use SignatureForm::{Plain, PlainOrNone};
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn media_type(value: &str) -> Result<(), RequestError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(value).unwrap());
        check_media_type(&headers)
    }

    #[test]
    fn json_in_utf8_is_accepted_however_it_is_written() {
        for right in [
            "application/json",
            "Application/JSON",
            "application/json;",
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
            "application/json; Charset=\"Utf-8\"",
            "application/json; charset=utf8",
            "application/json; profile=x; charset=utf-8",
        ] {
            assert!(media_type(right).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "text/json",
            "application/jsonx",
            "application/problem+json",
            "application/json; charset=latin1",
            "application/json; charset=\"utf-16\"",
            "application/json; charset=utf-8; charset=iso-8859-1",
            "application/json, application/json",
        ] {
            assert!(media_type(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_problem_of_each_authentication_header_is_named() {
        let store_id = "0197f3c2-0000-7000-8000-000000000001";
        let signature = "0".repeat(64);
        let named = |given: &[(&str, &str)], form| {
            let mut headers = HeaderMap::new();
            for (name, value) in given {
                let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
                headers.append(name, HeaderValue::from_str(value).unwrap());
            }
            let error = credentials(&headers, form).err()?;
            Some(
                error
                    .errors
                    .into_iter()
                    .map(|error| (error.field, error.code))
                    .collect::<Vec<_>>(),
            )
        };
        let both = [(STORE_ID, store_id), (SIGNATURE, signature.as_str())];
        assert_eq!(named(&both, Plain), None);
        assert_eq!(named(&both[..1], PlainOrNone), None);
        let required = |name: &str| (name.to_owned(), IssueCode::Required);
        assert_eq!(named(&both[..1], Plain), Some(vec![required(SIGNATURE)]));
        assert_eq!(
            named(&[], Plain),
            Some(vec![required(STORE_ID), required(SIGNATURE)])
        );
        assert_eq!(
            named(&[(STORE_ID, store_id), (SIGNATURE, " ")], PlainOrNone),
            Some(vec![required(SIGNATURE)])
        );
        let twice = [both[0], both[1], both[1]];
        assert_eq!(
            named(&twice, Plain),
            Some(vec![(SIGNATURE.to_owned(), IssueCode::Repeated)])
        );
        let timestamps = [both[0], both[1], (TIMESTAMP, "1"), (TIMESTAMP, "1")];
        assert_eq!(
            named(&timestamps, Plain),
            Some(vec![(TIMESTAMP.to_owned(), IssueCode::Repeated)])
        );
        // A malformed value is refused, but not named.
        assert_eq!(named(&[(STORE_ID, "x"), both[1]], Plain), Some(Vec::new()));
        assert_eq!(
            named(&[both[0], (SIGNATURE, "x")], PlainOrNone),
            Some(Vec::new())
        );
    }
}
