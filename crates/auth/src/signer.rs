//! HMAC-SHA256 over a call's text: making signatures, and checking them in constant time.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_domain::store::{LIVE_KEYS, SecretKey, SignedText, Signer};
use pressline_kit::json::compact;
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq};

type HmacSha256 = Hmac<Sha256>;

/// The bytes of an HMAC-SHA256.
type MacBytes = [u8; 32];

/// The text that is signed, in pieces, so that no body is copied to put it together.
type Pieces<'a> = [&'a [u8]; 5];

/// Padded base64 of 32 bytes.
const BASE64_LEN: usize = 44;
/// Two hex digits a byte.
const HEX_LEN: usize = 64;

/// The signer that stores' clients agree with: HMAC-SHA256 with the key's UTF-8 bytes.
///
/// A refused call costs one MAC for each key and each form of its text: the text as it was sent,
/// and, if a body contains white space outside strings, the body without it. The number is the same
/// if the signature is neither base64 nor hex, and if decoy keys replace those of an unknown store.
/// It therefore depends only on what the caller sent. An accepted call stops at the form that
/// matched; its caller learns that it was accepted in any case.
///
/// The state after the key is not cached between calls: that would save 2 of the 40 blocks that a
/// key costs over a body of 2.5 KB, and leave more key material in memory.
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
            // An array's `map` visits every key before the first result is looked at.
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

/// Returns the bytes of a signature, and whether it has one of the forms of signatures; zeros if
/// not.
///
/// The two forms differ in their length.
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
