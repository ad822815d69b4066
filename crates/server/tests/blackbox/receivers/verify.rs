//! Checks the signatures of webhooks.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns whether a webhook is genuine. The body is as it was received.
pub fn verify<'h>(secret: &str, header: impl Fn(&str) -> Option<&'h str>, body: &[u8]) -> bool {
    let text = |name| header(name).unwrap_or_default();
    let (id, timestamp) = (text("webhook-id"), text("webhook-timestamp"));
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs());
    let sent: Option<u64> = timestamp.parse().ok();
    if sent.is_none_or(|sent| now.abs_diff(sent) > 300) {
        return false;
    }
    let key = STANDARD.decode(secret.trim_start_matches("whsec_"));
    let Some(mac) = key
        .ok()
        .and_then(|key| Hmac::<Sha256>::new_from_slice(&key).ok())
    else {
        return false;
    };
    let mac = mac
        .chain_update(format!("{id}.{timestamp}."))
        .chain_update(body);
    text("webhook-signature").split(' ').any(|signature| {
        let encoded = signature.strip_prefix("v1,").unwrap_or_default();
        let given = STANDARD.decode(encoded).unwrap_or_default();
        mac.clone().verify_slice(&given).is_ok()
    })
}
