//! Signatures by the specification Standard Webhooks 1.0.0.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_domain::store::SecretKey;
use sha2::Sha256;
use zeroize::Zeroizing;

const SECRET_PREFIX: &str = "whsec_";
/// Version of the signature scheme: HMAC-SHA256.
const VERSION: &str = "v1";

/// Error for a secret that is not `whsec_` followed by a key in base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a secret of an endpoint is not `whsec_` and a key in base64")]
pub struct InvalidSecret;

/// HMAC-SHA256 key, decoded from the secret of a webhook endpoint.
#[derive(Clone)]
pub struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    /// Parses `secret`: `whsec_` followed by the key in base64.
    pub fn new(secret: &SecretKey) -> Result<Self, InvalidSecret> {
        let text = secret.expose().strip_prefix(SECRET_PREFIX);
        let decoded = STANDARD.decode(text.ok_or(InvalidSecret)?);
        // The decoded key is erased from memory after use.
        let key = Zeroizing::new(decoded.map_err(|_| InvalidSecret)?);
        let mac = Hmac::new_from_slice(&key).map_err(|_| InvalidSecret)?;
        Ok(Self(mac))
    }

    fn mac(&self, id: &str, timestamp: i64, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        // Standard Webhooks signs `id.timestamp.body`.
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        mac
    }

    /// Returns whether `value`, the content of `webhook-signature`, contains this key's signature
    /// of `id`, `timestamp` (in seconds since 1970) and `body`. The comparison takes constant time.
    pub fn verifies(&self, value: &str, id: &str, timestamp: i64, body: &[u8]) -> bool {
        let mac = self.mac(id, timestamp, body);
        let of_version = |signature: &str| {
            let (version, signature) = signature.split_once(',')?;
            (version == VERSION).then(|| STANDARD.decode(signature).ok())?
        };
        let mut signatures = value.split(' ').filter_map(of_version);
        signatures.any(|signature| mac.clone().verify_slice(&signature).is_ok())
    }
}

/// Returns the value of `webhook-signature` for `id`, `timestamp` and `body`: a signature for each
/// of `keys`, separated by spaces. `timestamp` is in seconds since 1970.
pub fn signature(keys: &[SigningKey], id: &str, timestamp: i64, body: &[u8]) -> String {
    let mut value = String::new();
    for key in keys {
        let mac = key.mac(id, timestamp, body);
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str(VERSION);
        value.push(',');
        STANDARD.encode_string(mac.finalize().into_bytes(), &mut value);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const NEW: &str = "whsec_b2xkIGFuZCBuZXcgYXJlIGRpZmZlcmVudA==";

    fn key(text: &str) -> Result<SigningKey, InvalidSecret> {
        SigningKey::new(&SecretKey::new(text.to_owned()))
    }

    #[test]
    fn the_example_of_the_specification_has_its_signature() {
        let keys = [key(OLD).unwrap()];
        let value = signature(
            &keys,
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(value, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_signature_verifies_with_its_key_id_time_and_body_only() {
        let signed = [OLD, NEW].map(|text| key(text).unwrap());
        let value = signature(&signed, "evt_1", 1_614_265_330, b"{}");
        let verifies = |text, id, time, body| key(text).unwrap().verifies(&value, id, time, body);
        assert!(verifies(OLD, "evt_1", 1_614_265_330, b"{}"));
        assert!(verifies(NEW, "evt_1", 1_614_265_330, b"{}"));
        assert!(!verifies("whsec_AAAA", "evt_1", 1_614_265_330, b"{}"));
        assert!(!verifies(NEW, "evt_2", 1_614_265_330, b"{}"));
        assert!(!verifies(NEW, "evt_1", 1_614_265_331, b"{}"));
        assert!(!verifies(NEW, "evt_1", 1_614_265_330, b"{ }"));
        for value in ["", "v1", "v1,", "v1,%", &value.replace("v1,", "v2,")] {
            assert!(
                !signed[0].verifies(value, "evt_1", 1_614_265_330, b"{}"),
                "{value}"
            );
        }
    }

    #[test]
    fn a_secret_has_its_prefix_and_base64() {
        assert!(key(OLD).is_ok());
        for wrong in ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%", "plsk_abcd"] {
            assert_eq!(key(wrong).err(), Some(InvalidSecret), "{wrong}");
        }
    }
}
