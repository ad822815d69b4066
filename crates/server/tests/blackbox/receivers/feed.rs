//! Reads all events of a store, and waits for the next ones.

use std::path::Path;
use std::{fs, io};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// Reads events until something fails. `post` sends a body to `/app/v1/events/search` with its signature as
/// `X-Service-Hmac-Sha256`, and returns the response.
pub fn follow(
    file: &Path,
    key: &str,
    post: impl Fn(&str, &str) -> io::Result<Value>,
    handle: impl Fn(&Value),
) -> io::Result<()> {
    let new = file.with_extension("new");
    let keep =
        |cursor: u64| fs::write(&new, cursor.to_string()).and_then(|()| fs::rename(&new, file));
    let kept = fs::read_to_string(file).ok();
    let mut cursor: u64 = kept.and_then(|text| text.parse().ok()).unwrap_or(0);
    loop {
        let request = json!({ "afterSequence": cursor, "limit": 500, "waitSeconds": 25 });
        let body = request.to_string();
        let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).map_err(io::Error::other)?;
        let signature = STANDARD.encode(mac.chain_update(&body).finalize().into_bytes());
        let page = post(&body, &signature)?;
        for event in page["data"].as_array().into_iter().flatten() {
            let sequence = event["sequence"].as_u64().unwrap_or(0);
            if sequence > cursor {
                handle(event);
                cursor = sequence;
                keep(cursor)?;
            }
        }
        cursor = page["nextAfterSequence"].as_u64().unwrap_or(cursor);
        keep(cursor)?;
    }
}
