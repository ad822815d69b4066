//! Computes HMAC-SHA256 signatures, and checks them in constant time.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_domain::store::{LIVE_KEYS, SecretKey, SignedText, Signer};
use pressline_kit::json::compact;
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq};

type HmacSha256 = Hmac<Sha256>;

type MacBytes = [u8; 32];

/// Pieces of the signed text, hashed one after the other, so that the body need not be copied.
type Pieces<'a> = [&'a [u8]; 5];

const BASE64_LEN: usize = 44;
const HEX_LEN: usize = 64;

/// Signs as the stores' clients do: HMAC-SHA256 with the key's UTF-8 bytes.
///
/// To check a signature, [`verify`](Signer::verify) computes a MAC of the text with each key. If
/// none matches and the text is a body with white space outside strings, it repeats this for the
/// body without that white space. For a refused call, the number of MACs depends only on the text.
/// Decoys replace the keys of an unknown store, and MACs are computed even for a malformed
/// signature. So the duration of a refusal reveals nothing about the store.
///
/// HMAC's state after hashing the key is not cached between calls. A cache would save 2 of the 40
/// hash blocks for a body of 2.5 KB, but leave more key material in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct HmacSigner;

impl Signer for HmacSigner {
    fn sign(&self, key: &SecretKey, text: &SignedText<'_>) -> String {
        STANDARD.encode(mac(&keyed(key), &pieces(text)))
    }

    fn verify(
        &self,
        keys: &[&SecretKey; LIVE_KEYS],
        text: &SignedText<'_>,
        signature: &str,
    ) -> Option<usize> {
        let (sent, well_formed) = decode(signature);
        let keyed = keys.map(keyed);
        let matching = |pieces: &Pieces<'_>| {
            // `map` computes the MACs of all keys before the first result is used.
            let matches = keyed
                .each_ref()
                .map(|keyed| mac(keyed, pieces).ct_eq(&sent) & well_formed);
            matches.into_iter().position(bool::from)
        };
        matching(&pieces(text)).or_else(|| match text {
            SignedText::Body(body) => match compact(body) {
                Cow::Borrowed(_) => None,
                Cow::Owned(compacted) => matching(&body_pieces(&compacted)),
            },
            SignedText::Timestamped { .. } => None,
        })
    }
}

#[expect(
    clippy::expect_used,
    reason = "HMAC takes keys of any length; the error is another algorithm's"
)]
fn keyed(key: &SecretKey) -> HmacSha256 {
    HmacSha256::new_from_slice(key.expose().as_bytes()).expect("HMAC takes keys of any length")
}

fn mac(keyed: &HmacSha256, pieces: &Pieces<'_>) -> MacBytes {
    let mut mac = keyed.clone();
    for piece in pieces {
        mac.update(piece);
    }
    mac.finalize().into_bytes().into()
}

fn pieces<'a>(text: &SignedText<'a>) -> Pieces<'a> {
    match *text {
        SignedText::Body(body) => body_pieces(body),
        SignedText::Timestamped {
            timestamp,
            path,
            body,
        } => [timestamp.as_bytes(), b".", path.as_bytes(), b".", body],
    }
}

fn body_pieces(body: &[u8]) -> Pieces<'_> {
    [body, b"", b"", b"", b""]
}

/// Hex and base64 differ in length. The second value is false if `signature` has neither form.
fn decode(signature: &str) -> (MacBytes, Choice) {
    let mut mac = MacBytes::default();
    let decoded = match signature.len() {
        HEX_LEN => hex::decode_to_slice(signature, &mut mac).is_ok(),
        BASE64_LEN => decode_base64(signature, &mut mac),
        _ => false,
    };
    (mac, Choice::from(u8::from(decoded)))
}

fn decode_base64(signature: &str, mac: &mut MacBytes) -> bool {
    // One byte more, because the decoder requires room for the longest text of this length.
    let mut bytes = [0; 33];
    let length = STANDARD.decode_slice(signature, &mut bytes);
    match (length, bytes.first_chunk()) {
        (Ok(32), Some(decoded)) => {
            *mac = *decoded;
            true
        }
        _ => false,
    }
}
