//! HMAC-SHA256 over a call's text: making signatures, and checking them in constant time.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_domain::json::compact;
use pressline_domain::ports::{SignedText, Signer};
use pressline_domain::store::{LIVE_KEYS, SecretKey};
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq};

type HmacSha256 = Hmac<Sha256>;

/// The bytes of an HMAC-SHA256.
type Code = [u8; 32];

/// The text that is signed, in pieces, so that no body is copied to put it together.
type Pieces<'a> = [&'a [u8]; 5];

/// Padded base64 of 32 bytes.
const BASE64_LEN: usize = 44;
/// Two hex digits a byte.
const HEX_LEN: usize = 64;

/// The signer that stores' clients agree with: HMAC-SHA256 with the key's UTF-8 bytes.
///
/// [`verify`](Signer::verify) computes one code for each key and each form of the text: 4 for a body (as it came, and
/// without white space), 2 for a timestamped text. It does so whatever comes of it: also where the first code matches
/// already, where the signature is neither base64 nor hex, and where the body has no white space to remove. So how much
/// is computed depends on what the caller sent and on nothing that it doesn't know. Were it to stop at a match, the
/// time would tell which of two keys a signature came from; stopping early at a malformed signature would hide nothing
/// from the caller, but then unknown stores and known ones would have to be shown equal case by case.
///
/// The state after the key is computed once a key and call and shared by both forms. It isn't kept between calls: that
/// would save 2 of the 40 blocks that a key costs over a body of 2.5 KB, and leave more key material in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct HmacSigner;

impl Signer for HmacSigner {
    fn sign(&self, key: &SecretKey, text: &SignedText<'_>) -> String {
        STANDARD.encode(code(&keyed(key), &pieces(text)))
    }

    fn verify(
        &self,
        keys: &[&SecretKey; LIVE_KEYS],
        text: &SignedText<'_>,
        signature: &str,
    ) -> Option<usize> {
        let (sent, well_formed) = decode(signature);
        let raw = pieces(text);
        let compacted = match text {
            SignedText::Body(body) => Some(compact(body)),
            SignedText::Timestamped { .. } => None,
        };
        // An array's `map` visits every key before the first answer is looked at.
        let matches = keys.map(|key| {
            let keyed = keyed(key);
            let as_sent = code(&keyed, &raw).ct_eq(&sent);
            let without_space = compacted
                .as_deref()
                .map_or(Choice::from(0), |body| code(&keyed, &body_pieces(body)).ct_eq(&sent));
            (as_sent | without_space) & well_formed
        });
        matches.into_iter().position(bool::from)
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length; the error is another algorithm's")]
fn keyed(key: &SecretKey) -> HmacSha256 {
    HmacSha256::new_from_slice(key.expose().as_bytes()).expect("HMAC takes keys of any length")
}

fn code(keyed: &HmacSha256, pieces: &Pieces<'_>) -> Code {
    let mut mac = keyed.clone();
    for piece in pieces {
        mac.update(piece);
    }
    mac.finalize().into_bytes().into()
}

fn pieces<'a>(text: &SignedText<'a>) -> Pieces<'a> {
    match *text {
        SignedText::Body(body) => body_pieces(body),
        SignedText::Timestamped { timestamp, path, body } => {
            [timestamp.as_bytes(), b".", path.as_bytes(), b".", body]
        }
    }
}

fn body_pieces(body: &[u8]) -> Pieces<'_> {
    [body, b"", b"", b"", b""]
}

/// The bytes of a signature, and whether it had a form that signatures have; zeros where it hadn't.
///
/// The length decides which form is meant: neither can have the other's.
fn decode(signature: &str) -> (Code, Choice) {
    let mut code = Code::default();
    let decoded = match signature.len() {
        HEX_LEN => hex::decode_to_slice(signature, &mut code).is_ok(),
        BASE64_LEN => decode_base64(signature, &mut code),
        _ => false,
    };
    (code, Choice::from(u8::from(decoded)))
}

fn decode_base64(signature: &str, code: &mut Code) -> bool {
    // One byte of room more: the decoder wants as much as the longest text of this length holds.
    let mut bytes = [0; 33];
    let length = STANDARD.decode_slice(signature, &mut bytes);
    match (length, bytes.first_chunk()) {
        (Ok(32), Some(decoded)) => {
            *code = *decoded;
            true
        }
        _ => false,
    }
}
