//! What all responses are made of.

pub(crate) mod money;
pub(crate) mod page;

use pressline_http::request_error::RequestError;
use serde::Serialize;

/// Bytes that hold an order of a few items, so that a response need not grow to that again and
/// again.
const USUAL_RESPONSE: usize = 8 * 1024;

/// Writes a response as JSON.
pub(crate) fn bytes(response: &impl Serialize) -> Result<Vec<u8>, RequestError> {
    let mut bytes = Vec::with_capacity(USUAL_RESPONSE);
    match serde_json::to_writer(&mut bytes, response) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(RequestError::internal(format!(
            "writing a response: {error}"
        ))),
    }
}
