//! Message that the page after a redirect shows once.
//!
//! The message is in a cookie that the session has signed. A link therefore cannot make the console
//! show a text, and servers need no shared memory.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use crate::shell::session::keys::SessionKeys;
use crate::shell::view::plain;

/// Maximum size of a message's text in the cookie, in bytes. A longer text is cut.
const MAX_LEN: usize = 1000;
const SIGNATURE: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Done,
    /// The action changed nothing, because its result already existed.
    Unchanged,
    /// A refusal. Screen readers announce it immediately.
    Alert,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

impl Message {
    pub(crate) fn status(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Done,
            text: plain(&text.into()),
        }
    }

    pub(crate) fn unchanged(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Unchanged,
            text: plain(&text.into()),
        }
    }

    pub(crate) fn alert(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Alert,
            text: plain(&text.into()),
        }
    }

    pub(crate) fn is_alert(&self) -> bool {
        self.tone == Tone::Alert
    }

    /// Creates an alert unless `refused` is empty. `refused` maps reasons to numbers of items.
    pub(crate) fn with_refusals(text: &str, refused: &BTreeMap<String, usize>) -> Self {
        if refused.is_empty() {
            return Self::status(text);
        }
        let number: usize = refused.values().sum();
        let reasons: Vec<String> = refused
            .iter()
            .map(|(reason, number)| format!("{number} {reason}"))
            .collect();
        // An alert even if most items moved, so that no refusal is overlooked.
        Self::alert(format!("{text} {number} refused: {}.", reasons.join(", ")))
    }

    pub(crate) fn encoded(&self) -> String {
        let kind = match self.tone {
            Tone::Done => '.',
            Tone::Unchanged => '=',
            Tone::Alert => '!',
        };
        format!("{kind}{}", self.text)
    }

    pub(crate) fn decode(message: &str) -> Option<Self> {
        let text = message.get(1..)?.to_owned();
        let tone = match message.chars().next()? {
            '!' => Tone::Alert,
            '=' => Tone::Unchanged,
            _ => Tone::Done,
        };
        Some(Self { tone, text })
    }

    pub(crate) fn sealed(&self, keys: &SessionKeys) -> String {
        let mut message = self.encoded();
        // The first character is the tone.
        message.truncate(message.floor_char_boundary(1 + MAX_LEN));
        let mut bytes = message.into_bytes();
        let signature = keys.signature(&bytes);
        bytes.extend_from_slice(&signature);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    pub(crate) fn open(cookie: &str, keys: &SessionKeys) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(cookie).ok()?;
        let (message, signature) = bytes.split_last_chunk::<SIGNATURE>()?;
        // In constant time, so that the time does not tell how much of a forged signature is right.
        if !bool::from(signature.ct_eq(&keys.signature(message))) {
            return None;
        }
        Self::decode(std::str::from_utf8(message).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_by_the_session_that_made_it() {
        let (own, other) = (
            SessionKeys::for_session("own").unwrap(),
            SessionKeys::for_session("other").unwrap(),
        );
        for message in [
            Message::status("12 items started."),
            Message::unchanged("SUN-1-1 was recorded before."),
            Message::alert("ä <b>"),
        ] {
            let cookie = message.sealed(&own);
            assert_eq!(Message::open(&cookie, &own), Some(message));
            assert_eq!(Message::open(&cookie, &other), None);
        }
        for wrong in ["", "x", "AAAA"] {
            assert_eq!(Message::open(wrong, &own), None);
        }
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let keys = SessionKeys::for_session("own").unwrap();
        let cookie = Message::status("ä".repeat(2000)).sealed(&keys);
        assert!(cookie.len() < 2000);
        assert_eq!(Message::open(&cookie, &keys).unwrap().text, "ä".repeat(500));
    }
}
