//! Cursors: opaque strings that lead to the next page of the same list.
//!
//! A cursor is hexadecimal: a digest of 8 bytes over the list, its store and its filters, then the
//! key of the last entry of the previous page. The digest is not secret: a caller can make a cursor
//! with any key, so keys are validated when a cursor is read.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::check::limits;
use crate::value::id::{DeliveryId, StoreId};
use crate::value::time::Timestamp;
use pressline_kit::words::SearchKey;

/// Length of the list's digest in a cursor, in bytes.
const DIGEST: usize = 8;

/// Sort key of a list, for cursors: identifies an entry of the list, and converts to bytes.
pub trait CursorKey: Sized {
    /// Returns the bytes to put into a cursor.
    fn to_bytes(&self) -> Vec<u8>;
    /// Reads the key from the bytes of a cursor; `None` if no entry of the list can have it.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

impl CursorKey for DeliveryId {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_uuid().as_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        uuid::Uuid::from_slice(bytes).ok().map(Self::new)
    }
}

impl CursorKey for String {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    /// Refuses U+0000, which PostgreSQL cannot store, and more than [`limits::TEXT`] characters.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let is_key = !text.contains('\0') && text.chars().count() <= limits::TEXT;
        is_key.then(|| text.to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CursorError {
    #[error("not a cursor; send the unchanged `nextCursor` of the previous page")]
    Malformed,
    /// The cursor belongs to another list or other filters. Contains the names of the filters.
    #[error("belongs to another search; send it for the same store, with the same {0} as before")]
    OtherList(&'static str),
}

/// Identifies a list with its filters, so that a cursor cannot continue another list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListId {
    digest: [u8; DIGEST],
    filters: &'static str,
}

/// Digest of a list's name and filters. Includes lengths, so that different values differ.
pub struct ListDigest(Sha256);

impl ListDigest {
    /// Starts the digest of the list `name`, without filters.
    pub fn new(name: &str) -> Self {
        Self(Sha256::new()).text(name)
    }

    /// Adds the string `text` to the digest.
    pub fn text(mut self, text: &str) -> Self {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text);
        self
    }

    /// Adds the list of strings `texts` to the digest.
    pub fn texts<T: AsRef<str>>(mut self, texts: impl ExactSizeIterator<Item = T>) -> Self {
        self.0.update((texts.len() as u64).to_be_bytes());
        texts.fold(self, |digest, text| digest.text(text.as_ref()))
    }

    /// Adds the id of the `store` to the digest.
    pub fn store(mut self, store: StoreId) -> Self {
        self.0.update(store.as_uuid());
        self
    }

    /// Adds an end of a time range. `None` and 0 both mean no limit, as in requests.
    pub fn time(mut self, time: Option<Timestamp>) -> Self {
        self.0
            .update(time.map_or(0, Timestamp::as_millis).to_be_bytes());
        self
    }

    /// Adds the search key to the digest; `None` counts as a key without words.
    pub fn key(mut self, key: Option<&SearchKey>) -> Self {
        let words = key.map_or(&[][..], SearchKey::words);
        self.0.update((words.len() as u64).to_be_bytes());
        for word in words {
            let alternatives: Vec<&str> = word.alternatives().collect();
            self = self.texts(alternatives.into_iter());
        }
        self
    }

    /// Completes the digest. `filters` are the names of the list's filters, for messages.
    pub fn list(self, filters: &'static str) -> ListId {
        let whole: [u8; 32] = self.0.finalize().into();
        let digest = whole.first_chunk().copied().unwrap_or_default();
        ListId { digest, filters }
    }
}

impl ListId {
    /// Returns the cursor of the page that begins after the entry with `key`.
    pub fn cursor<K: CursorKey>(&self, key: &K) -> String {
        let key = key.to_bytes();
        let mut text = String::with_capacity(2 * (DIGEST + key.len()));
        for byte in self.digest.iter().chain(&key) {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    pub(crate) fn read_cursor<K: CursorKey>(&self, text: &str) -> Result<K, CursorError> {
        let bytes = from_hex(text).ok_or(CursorError::Malformed)?;
        let (digest, key) = bytes
            .split_first_chunk::<DIGEST>()
            .ok_or(CursorError::Malformed)?;
        if *digest != self.digest {
            return Err(CursorError::OtherList(self.filters));
        }
        // The digest is not secret, so the key may be forged.
        K::from_bytes(key).ok_or(CursorError::Malformed)
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return None;
    };
    // Cursors are written in lower case, so upper-case digits are refused.
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| is_digit(byte));
    let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? * 16 + digit(*low)?).ok();
    pairs.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use crate::value::id::OrderId;
    use crate::value::page::cursor::*;
    use uuid::Uuid;

    fn key(text: &str) -> Option<SearchKey> {
        SearchKey::parse(text).unwrap()
    }

    fn list(name: &str, store: u128, words: &str) -> ListId {
        let store = StoreId::new(Uuid::from_u128(store));
        let words = key(words);
        let digest = ListDigest::new(name).store(store).key(words.as_ref());
        digest.list("searchKey")
    }

    fn order_id() -> OrderId {
        OrderId::new(Uuid::from_u128(1))
    }

    #[test]
    fn a_cursor_continues_the_same_list_of_the_same_store() {
        let other = Err(CursorError::OtherList("searchKey"));
        let text = list("orders", 1, "ana").cursor(&order_id());
        assert_eq!(list("orders", 1, "ana").read_cursor(&text), Ok(order_id()));
        for list in [
            list("orders", 2, "ana"),
            list("orders", 1, ""),
            list("products", 1, "ana"),
        ] {
            assert_eq!(list.read_cursor::<OrderId>(&text), other);
        }
    }

    #[test]
    fn a_product_cursor_holds_any_id_of_a_product() {
        for id in ["TEE", "", "Ø 11/2 — ½", "a\u{1f381}", &"é".repeat(255)] {
            let id = id.to_owned();
            let text = list("products", 1, "red tee").cursor(&id);
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric()), "{text}");
            let same = list("products", 1, " Red  TEE");
            assert_eq!(same.read_cursor(&text), Ok(id));
            for words in ["tee red", "red", ""] {
                let read = list("products", 1, words).read_cursor::<String>(&text);
                assert_eq!(read, Err(CursorError::OtherList("searchKey")), "{words}");
            }
        }
    }

    #[test]
    fn a_product_cursor_with_an_id_that_no_product_has_is_malformed() {
        for id in ["\0", "TEE\0", &"x".repeat(256)] {
            let text = list("products", 1, "").cursor(&id.to_owned());
            let read = list("products", 1, "").read_cursor::<String>(&text);
            assert_eq!(read, Err(CursorError::Malformed), "{id:?}");
        }
    }

    #[test]
    fn a_text_that_is_not_a_cursor_is_malformed() {
        let products = list("products", 1, "");
        let good = products.cursor(&"TEE".to_owned());
        let digest = &good[..16];
        for text in [
            "",
            "P1",
            "x",
            &good[1..],
            &good[..10],
            &good[..17],
            "P1ü",
            "é",
            &format!("{digest}ff"),
            &format!("{digest}+1"),
        ] {
            let read = products.read_cursor::<String>(text);
            assert_eq!(read, Err(CursorError::Malformed), "{text}");
        }
        let orders = list("orders", 1, "");
        let good = orders.cursor(&order_id());
        for text in [&good[..46], &format!("{good}00"), &good[..16]] {
            let read = orders.read_cursor::<OrderId>(text);
            assert_eq!(read, Err(CursorError::Malformed), "{text}");
        }
    }
}
