//! Reads all events of a store, and waits for the next ones.

use std::path::Path;
use std::time::UNIX_EPOCH;
use std::{fs, io};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

const PATH: &str = "/app/v1/events/search";

/// Reads events until something fails. `post` sends a body to [`PATH`], with the timestamp as `X-Service-Timestamp`
/// and the signature as `X-Service-Hmac-Sha256`, and returns the response if its status is 200 or 409.
pub fn follow(
    file: &Path,
    key: &str,
    post: impl Fn(&str, u64, &str) -> io::Result<Value>,
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
        let now = UNIX_EPOCH.elapsed().map_err(io::Error::other)?.as_secs();
        let signed = mac.chain_update(format!("{now}.{PATH}.{body}"));
        let signature = STANDARD.encode(signed.finalize().into_bytes());
        let page = post(&body, now, &signature)?;
        if page["code"] == "position_ahead" {
            // The feed does not have the cursor's event. Read from the beginning.
            cursor = 0;
            keep(cursor)?;
            continue;
        }
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
