//! Keys derived from a session's secret: form tokens, and signatures of messages.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_backoffice::operator::SecretBytes;
use pressline_domain::value::OperatorId;
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// Size of an unmasked form token and of a signature, in bytes.
const TOKEN_LEN: usize = 32;
const SEPARATOR: char = '.';

#[derive(Clone)]
pub(crate) struct SessionKeys(Hmac<Sha256>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenOwner {
    ThisSession,
    /// Contains the operator that the token names, without verification.
    Another(OperatorId),
    /// The token is missing or malformed.
    None,
}

impl SessionKeys {
    /// Returns `None` if HMAC refuses the cookie `session` as a key, which does not happen.
    pub(crate) fn for_session(session: &str) -> Option<Self> {
        // The cookie is the key: the database has only its digest, which makes no tokens.
        Hmac::new_from_slice(session.as_bytes()).ok().map(Self)
    }

    /// Returns a form token of the session; the token names `operator`. `mask` must be random, and
    /// new for each page: otherwise the compressed size of pages could reveal the token.
    pub(crate) fn token(&self, operator: OperatorId, mask: &SecretBytes) -> String {
        let mut bytes = [0; 2 * TOKEN_LEN];
        let (first, second) = bytes.split_at_mut(TOKEN_LEN);
        first.copy_from_slice(mask.as_slice());
        for ((masked, mask), byte) in second.iter_mut().zip(mask.iter()).zip(self.form_key()) {
            *masked = mask ^ byte;
        }
        let text = URL_SAFE_NO_PAD.encode(bytes);
        format!("{text}{SEPARATOR}{operator}")
    }

    pub(crate) fn owner(&self, token: &str) -> TokenOwner {
        let Some((bytes, operator)) = parse(token) else {
            return TokenOwner::None;
        };
        let (mask, masked) = bytes.split_at(TOKEN_LEN);
        let unmasked: Vec<u8> = mask.iter().zip(masked).map(|(a, b)| a ^ b).collect();
        // In constant time, so that the time does not tell how much of a forged token is right.
        if bool::from(unmasked.ct_eq(&self.form_key())) {
            TokenOwner::ThisSession
        } else {
            TokenOwner::Another(operator)
        }
    }

    pub(crate) fn signature(&self, message: &[u8]) -> [u8; TOKEN_LEN] {
        self.derived(b"message", message)
    }

    fn form_key(&self) -> [u8; TOKEN_LEN] {
        self.derived(b"form", b"")
    }

    fn derived(&self, purpose: &[u8], content: &[u8]) -> [u8; TOKEN_LEN] {
        let mut mac = self.0.clone();
        mac.update(purpose);
        // Ends `purpose`, so that no signed message can be taken for a form token.
        mac.update(b"\0");
        mac.update(content);
        mac.finalize().into_bytes().into()
    }
}

/// Returns the operator that the form token `token` names. Does not verify the token.
pub(crate) fn operator_of(token: &str) -> Option<OperatorId> {
    parse(token).map(|(_, operator)| operator)
}

fn parse(token: &str) -> Option<(Vec<u8>, OperatorId)> {
    let (masked_text, operator_text) = token.split_once(SEPARATOR)?;
    let masked = URL_SAFE_NO_PAD.decode(masked_text).ok()?;
    let operator = operator_text.parse().ok()?;
    (masked.len() == 2 * TOKEN_LEN).then_some((masked, operator))
}

#[cfg(test)]
mod tests {
    use pressline_backoffice::operator::SecretBytes;
    use uuid::Uuid;

    use super::*;

    fn operator() -> OperatorId {
        OperatorId::new(Uuid::from_u128(7))
    }

    fn mask(byte: u8) -> SecretBytes {
        SecretBytes::new([byte; 32])
    }

    #[test]
    fn a_token_is_accepted_by_its_session_only() {
        let (own, other) = (
            SessionKeys::for_session("own").unwrap(),
            SessionKeys::for_session("other").unwrap(),
        );
        let token = own.token(operator(), &mask(1));
        assert_eq!(own.owner(&token), TokenOwner::ThisSession);
        assert_eq!(other.owner(&token), TokenOwner::Another(operator()));
        for wrong in ["", ".", "x", &token[1..], token.split('.').next().unwrap()] {
            assert_eq!(own.owner(wrong), TokenOwner::None, "{wrong}");
        }
    }

    #[test]
    fn each_page_has_another_form_of_the_token() {
        let keys = SessionKeys::for_session("session").unwrap();
        let (first, second) = (
            keys.token(operator(), &mask(1)),
            keys.token(operator(), &mask(2)),
        );
        assert_ne!(first, second);
        assert_eq!(keys.owner(&second), TokenOwner::ThisSession);
        assert_eq!(operator_of(&second), Some(operator()));
    }

    #[test]
    fn messages_of_another_session_have_another_signature() {
        let (own, other) = (
            SessionKeys::for_session("own").unwrap(),
            SessionKeys::for_session("other").unwrap(),
        );
        assert_ne!(own.signature(b"x"), other.signature(b"x"));
        assert_ne!(own.signature(b"x"), own.signature(b"y"));
    }
}
