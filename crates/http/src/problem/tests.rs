//! Tests of the bodies and headers of errors.

use actix_web::body::MessageBody as _;
use actix_web::http::header::WWW_AUTHENTICATE;
use serde_json::{Value, json};

use super::*;

fn body(error: &RequestError, as_problem: bool) -> Value {
    let body = render(error, as_problem, "id-1").into_body();
    serde_json::from_slice(&body.try_into_bytes().unwrap()).unwrap()
}

fn header(error: &RequestError, name: HeaderName) -> Option<String> {
    let response = render(error, false, "id-1");
    let value = response.headers().get(name)?;
    Some(value.to_str().unwrap().to_owned())
}

#[test]
fn both_forms_have_the_same_members() {
    let error = RequestError::plain(Code::OrderNotFound);
    let plain = body(&error, false);
    assert_eq!(
        plain,
        json!({
            "success": false, "message": "There is no such order", "data": null,
            "code": "order_not_found", "errors": [], "requestId": "id-1"
        })
    );
    let mut problem = body(&error, true);
    let members = problem.as_object_mut().unwrap();
    for (name, value) in [
        ("type", json!("urn:pressline:error:order_not_found")),
        ("title", json!("There is no such order")),
        ("status", json!(404)),
        ("detail", json!("There is no such order")),
    ] {
        assert_eq!(members.remove(name), Some(value), "{name}");
    }
    assert_eq!(problem, plain);
}

#[test]
fn both_forms_have_the_status_of_the_code_and_vary_by_accept() {
    let error = RequestError::plain(Code::VersionConflict);
    for (as_problem, content_type) in [(false, JSON), (true, PROBLEM_JSON)] {
        let response = render(&error, as_problem, "");
        assert_eq!(response.status().as_u16(), 412);
        assert_eq!(response.headers().get(VARY).unwrap(), "Accept");
        assert_eq!(response.headers().get(CONTENT_TYPE).unwrap(), content_type);
    }
}

#[test]
fn the_first_problem_of_a_malformed_body_has_its_place() {
    let error = RequestError::invalid_json("not closed".to_owned(), Some((2, 15)));
    let errors = &body(&error, false)["errors"];
    let expected = json!([{
        "field": "", "code": "invalid_json", "message": "not closed", "line": 2, "column": 15
    }]);
    assert_eq!(*errors, expected);
}

#[test]
fn headers_follow_from_what_an_error_has() {
    let method = RequestError::method_not_allowed("GET, HEAD");
    assert_eq!(header(&method, ALLOW).as_deref(), Some("GET, HEAD"));
    let media_type = RequestError::plain(Code::UnsupportedMediaType);
    assert_eq!(header(&media_type, ACCEPT).as_deref(), Some(JSON));
    let codings = header(&media_type, ACCEPT_ENCODING);
    assert_eq!(codings.as_deref(), Some("identity"));
    let unavailable = RequestError::unavailable("later");
    assert_eq!(header(&unavailable, RETRY_AFTER).as_deref(), Some("2"));
    assert_eq!(header(&unavailable, CONNECTION), None);
    let closing = unavailable.closing();
    assert_eq!(header(&closing, CONNECTION).as_deref(), Some("close"));
    let response = render(&closing, false, "");
    assert_eq!(response.head().connection_type(), ConnectionType::Close);
}

#[test]
fn the_challenge_says_how_the_call_is_authenticated() {
    let challenge = |error: &RequestError| {
        let response = render(error, false, "");
        let value = response.headers().get(WWW_AUTHENTICATE)?;
        Some(value.to_str().unwrap().to_owned())
    };
    let denied = RequestError::permission_denied("", Vec::new());
    assert!(challenge(&denied).unwrap().starts_with("HMAC-SHA256 "));
    let denied = RequestError::token_denied("", Vec::new());
    assert_eq!(challenge(&denied).as_deref(), Some("Bearer"));
    let ended = RequestError::session_ended(String::new());
    assert_eq!(challenge(&ended).as_deref(), Some(SESSION_CHALLENGE));
    assert_eq!(challenge(&RequestError::plain(Code::Forbidden)), None);
}
