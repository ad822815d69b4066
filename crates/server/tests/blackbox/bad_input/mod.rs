//! Invalid input: always a documented error in the standard format, never a 5xx or a missing
//! response.

mod bodies;
mod http;
mod mutations;
mod transfer;
mod values;

use crate::common::{Response, assert_error};

/// Asserts that the response to the body `sent` is a success or a documented error.
#[track_caller]
fn assert_in_order(response: &Response, sent: &[u8]) {
    let sent = String::from_utf8_lossy(sent);
    assert!(
        response.header("X-Request-Id").is_some(),
        "{sent}: {response}"
    );
    match response.status {
        200 => drop(response.ok()),
        400 => {
            let body = response.json();
            let code = body["code"].as_str().unwrap_or_default();
            assert!(
                ["invalid_json", "validation_failed", "unknown_item"].contains(&code),
                "{sent}: {response}"
            );
            assert_error(response, 400, code);
        }
        404 => drop(assert_error(response, 404, "order_not_found")),
        409 => drop(assert_error(response, 409, "duplicate_order_id")),
        412 => drop(assert_error(response, 412, "version_conflict")),
        _ => panic!("{sent}: {response}"),
    }
}
