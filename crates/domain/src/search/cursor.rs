//! The cursors of searches: opaque text that leads to the next page of the same search.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::id::OrderId;
use crate::search::{Position, SearchFilter};
use crate::time::Timestamp;
use crate::words::SearchKey;

/// Version 1 of orders: the time in 16 hex digits, the order's id in 32, the filter's digest in 16.
const VERSION: &str = "1";
const LEN: usize = 1 + 16 + 32 + 16;
/// Version 1 of products: the key's digest in 16 hex digits, the bytes of the product's id in two each.
const PRODUCTS: &str = "P1";

/// Why a text leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CursorError {
    #[error("not a cursor; send back the nextCursor of the page before as it is")]
    Malformed,
    #[error("belongs to a search with other filters; send the same {0} as before")]
    OtherFilter(&'static str),
}

/// The cursor that leads behind `position` in the search with `filter`.
pub(crate) fn write(position: Position, filter: &SearchFilter) -> String {
    let millis = position.created_at.as_millis().cast_unsigned();
    format!("{VERSION}{millis:016x}{:032x}{:016x}", position.id.as_uuid().as_u128(), digest(filter))
}

pub(crate) fn read(text: &str, filter: &SearchFilter) -> Result<Position, CursorError> {
    let hex = |range| text.get(range).ok_or(CursorError::Malformed);
    if text.len() != LEN || !text.starts_with(VERSION) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(CursorError::Malformed);
    }
    let millis = u64::from_str_radix(hex(1..17)?, 16).map_err(|_| CursorError::Malformed)?;
    let id = u128::from_str_radix(hex(17..49)?, 16).map_err(|_| CursorError::Malformed)?;
    let of_filter = u64::from_str_radix(hex(49..65)?, 16).map_err(|_| CursorError::Malformed)?;
    if of_filter != digest(filter) {
        return Err(CursorError::OtherFilter("fromTime, toTime and searchKey"));
    }
    Ok(Position {
        created_at: Timestamp::from_millis(millis.cast_signed()),
        id: OrderId::new(Uuid::from_u128(id)),
    })
}

fn digest(filter: &SearchFilter) -> u64 {
    let time = |time: Option<Timestamp>| time.map_or(0, Timestamp::as_millis);
    let mut hasher = Sha256::new();
    hasher.update(time(filter.from).to_be_bytes());
    hasher.update(time(filter.to).to_be_bytes());
    key_digest(&mut hasher, filter.key.as_ref());
    first_eight(hasher)
}

fn key_digest(hasher: &mut Sha256, key: Option<&SearchKey>) {
    for word in key.iter().flat_map(|key| key.words()) {
        for alternative in word.alternatives() {
            hasher.update(alternative);
            hasher.update([0]);
        }
        hasher.update([1]);
    }
}

fn first_eight(hasher: Sha256) -> u64 {
    let digest: [u8; 32] = hasher.finalize().into();
    digest.first_chunk::<8>().map_or(0, |first| u64::from_be_bytes(*first))
}

/// The cursor that leads behind the product of this id in the search with `key`.
pub(crate) fn write_product(id: &str, key: Option<&SearchKey>) -> String {
    let mut text = format!("{PRODUCTS}{:016x}", product_digest(key));
    for byte in id.bytes() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The id of the product that the cursor leads behind.
pub(crate) fn read_product(text: &str, key: Option<&SearchKey>) -> Result<String, CursorError> {
    let hex = text.strip_prefix(PRODUCTS).filter(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    let (digest, id) = hex.and_then(|hex| hex.split_at_checked(16)).ok_or(CursorError::Malformed)?;
    let of_key = u64::from_str_radix(digest, 16).map_err(|_| CursorError::Malformed)?;
    if of_key != product_digest(key) {
        return Err(CursorError::OtherFilter("searchKey"));
    }
    let (pairs, []) = id.as_bytes().as_chunks::<2>() else { return Err(CursorError::Malformed) };
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = pairs.iter().map(|pair| byte(pair)).collect();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or(CursorError::Malformed)
}

fn product_digest(key: Option<&SearchKey>) -> u64 {
    let mut hasher = Sha256::new();
    key_digest(&mut hasher, key);
    first_eight(hasher)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<SearchKey> {
        SearchKey::parse(text).unwrap()
    }

    #[test]
    fn a_product_cursor_leads_behind_its_product_in_the_same_search() {
        for id in ["TEE", "", "Ø 11/2 — ½", "a\u{1f381}"] {
            let text = write_product(id, key("red tee").as_ref());
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric()), "{text}");
            assert_eq!(read_product(&text, key(" Red  TEE").as_ref()).as_deref(), Ok(id));
            for other in ["tee red", "red", ""] {
                let read = read_product(&text, key(other).as_ref());
                assert_eq!(read, Err(CursorError::OtherFilter("searchKey")), "{other}");
            }
        }
    }

    #[test]
    fn what_is_no_product_cursor_leads_nowhere() {
        let good = write_product("TEE", None);
        let digest = &good[..18];
        for text in ["", "P1", "x", &good[1..], &good[..10], &good[..19], "P1ü", &format!("{digest}ff")] {
            assert_eq!(read_product(text, None), Err(CursorError::Malformed), "{text}");
        }
        let of_order = write(
            Position { created_at: Timestamp::from_millis(1), id: OrderId::new(Uuid::nil()) },
            &SearchFilter::default(),
        );
        assert_eq!(read_product(&of_order, None), Err(CursorError::Malformed));
        assert_eq!(read(&good, &SearchFilter::default()), Err(CursorError::Malformed));
    }
}
