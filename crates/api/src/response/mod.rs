//! What all responses are made of.

pub(crate) mod money;

use pressline_http::failure::Failure;
use serde::Serialize;

/// Bytes that hold an order of a few items, so that an answer need not grow to that again and
/// again.
const USUAL_ANSWER: usize = 8 * 1024;

/// Writes a response as JSON.
pub(crate) fn bytes(answer: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(USUAL_ANSWER);
    match serde_json::to_writer(&mut bytes, answer) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Failure::internal(format!("writing an answer: {error}"))),
    }
}
