//! The cursors of searches: opaque text that leads to the next page of the same search.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::id::{OrderId, StoreId};
use crate::limits;
use crate::order::search::{Position, SearchFilter};
use crate::time::Timestamp;
use pressline_kit::words::SearchKey;

/// Version 1 of orders: the time in 16 hex digits, the order's id in 32, the digest of store and
/// filter in 16.
const VERSION: &str = "1";
const LEN: usize = 1 + 16 + 32 + 16;
/// Version 1 of products: the digest of store and key in 16 hex digits, the bytes of the product's
/// id in two each.
const PRODUCTS: &str = "P1";

/// Why a text leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CursorError {
    #[error("not a cursor; send back the nextCursor of the page before as it is")]
    Malformed,
    #[error("belongs to another search; send it for the same store, with the same {0} as before")]
    OtherSearch(&'static str),
}

/// The cursor that leads behind `position` in the store's search with `filter`.
pub(crate) fn write(position: Position, store: StoreId, filter: &SearchFilter) -> String {
    let millis = position.created_at.as_millis().cast_unsigned();
    format!(
        "{VERSION}{millis:016x}{:032x}{:016x}",
        position.id.as_uuid().as_u128(),
        digest(store, filter)
    )
}

/// Reads the position behind which the cursor continues the store's search with `filter`.
///
/// # Errors
/// [`CursorError::Malformed`] for a text that [`write`] cannot have made,
/// [`CursorError::OtherSearch`] for a cursor of another store or filter.
pub(crate) fn read(
    text: &str,
    store: StoreId,
    filter: &SearchFilter,
) -> Result<Position, CursorError> {
    let hex = |range| text.get(range).ok_or(CursorError::Malformed);
    if text.len() != LEN
        || !text.starts_with(VERSION)
        || !text.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return Err(CursorError::Malformed);
    }
    let millis = u64::from_str_radix(hex(1..17)?, 16).map_err(|_| CursorError::Malformed)?;
    let id = u128::from_str_radix(hex(17..49)?, 16).map_err(|_| CursorError::Malformed)?;
    let of_search = u64::from_str_radix(hex(49..65)?, 16).map_err(|_| CursorError::Malformed)?;
    if of_search != digest(store, filter) {
        return Err(CursorError::OtherSearch("fromTime, toTime and searchKey"));
    }
    Ok(Position {
        created_at: Timestamp::from_millis(millis.cast_signed()),
        id: OrderId::new(Uuid::from_u128(id)),
    })
}

fn digest(store: StoreId, filter: &SearchFilter) -> u64 {
    let time = |time: Option<Timestamp>| time.map_or(0, Timestamp::as_millis);
    let mut hasher = Sha256::new();
    hasher.update(store.as_uuid());
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
    digest
        .first_chunk::<8>()
        .map_or(0, |first| u64::from_be_bytes(*first))
}

/// The cursor that leads behind the product of this id in the store's search with `key`.
pub(crate) fn write_product(id: &str, store: StoreId, key: Option<&SearchKey>) -> String {
    let mut text = format!("{PRODUCTS}{:016x}", product_digest(store, key));
    for byte in id.bytes() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Reads the id of the product behind which the cursor continues the store's search with `key`.
///
/// # Errors
/// [`CursorError::Malformed`] for a text that [`write_product`] cannot have made,
/// [`CursorError::OtherSearch`] for a cursor of another store or key.
pub(crate) fn read_product(
    text: &str,
    store: StoreId,
    key: Option<&SearchKey>,
) -> Result<String, CursorError> {
    let hex = text
        .strip_prefix(PRODUCTS)
        .filter(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    let (digest, id) = hex
        .and_then(|hex| hex.split_at_checked(16))
        .ok_or(CursorError::Malformed)?;
    let of_search = u64::from_str_radix(digest, 16).map_err(|_| CursorError::Malformed)?;
    if of_search != product_digest(store, key) {
        return Err(CursorError::OtherSearch("searchKey"));
    }
    let (pairs, []) = id.as_bytes().as_chunks::<2>() else {
        return Err(CursorError::Malformed);
    };
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = pairs.iter().map(|pair| byte(pair)).collect();
    let id = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    id.filter(|id| is_product_id(id))
        .ok_or(CursorError::Malformed)
}

/// Returns whether a product can have this id. The digest is no secret, so a caller can make a
/// cursor with any id; one that PostgreSQL cannot hold (U+0000) or that is longer than any text
/// must not reach the database.
fn is_product_id(id: &str) -> bool {
    !id.contains('\0') && id.chars().count() <= limits::TEXT
}

fn product_digest(store: StoreId, key: Option<&SearchKey>) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(store.as_uuid());
    key_digest(&mut hasher, key);
    first_eight(hasher)
}

#[cfg(test)]
mod tests {
    use crate::page::cursor::*;

    fn key(text: &str) -> Option<SearchKey> {
        SearchKey::parse(text).unwrap()
    }

    fn store(number: u128) -> StoreId {
        StoreId::new(Uuid::from_u128(number))
    }

    fn position() -> Position {
        Position {
            created_at: Timestamp::from_millis(1),
            id: OrderId::new(Uuid::nil()),
        }
    }

    #[test]
    fn an_order_cursor_continues_the_same_search_of_the_same_store() {
        let filter = SearchFilter {
            key: key("ana"),
            ..SearchFilter::default()
        };
        let text = write(position(), store(1), &filter);
        assert_eq!(read(&text, store(1), &filter), Ok(position()));
        let other = Err(CursorError::OtherSearch("fromTime, toTime and searchKey"));
        assert_eq!(read(&text, store(2), &filter), other);
        assert_eq!(read(&text, store(1), &SearchFilter::default()), other);
    }

    #[test]
    fn a_product_cursor_continues_the_same_search_of_the_same_store() {
        for id in ["TEE", "", "Ø 11/2 — ½", "a\u{1f381}", &"é".repeat(255)] {
            let text = write_product(id, store(1), key("red tee").as_ref());
            assert!(text.bytes().all(|b| b.is_ascii_alphanumeric()), "{text}");
            assert_eq!(
                read_product(&text, store(1), key(" Red  TEE").as_ref()).as_deref(),
                Ok(id)
            );
            let other = Err(CursorError::OtherSearch("searchKey"));
            assert_eq!(
                read_product(&text, store(2), key("red tee").as_ref()),
                other
            );
            for words in ["tee red", "red", ""] {
                assert_eq!(
                    read_product(&text, store(1), key(words).as_ref()),
                    other,
                    "{words}"
                );
            }
        }
    }

    #[test]
    fn a_product_cursor_with_an_id_that_no_product_has_is_malformed() {
        for id in ["\0", "TEE\0", &"x".repeat(256)] {
            let text = write_product(id, store(1), None);
            assert_eq!(
                read_product(&text, store(1), None),
                Err(CursorError::Malformed),
                "{id:?}"
            );
        }
    }

    #[test]
    fn a_text_that_is_not_a_cursor_is_malformed() {
        let good = write_product("TEE", store(1), None);
        let digest = &good[..18];
        for text in [
            "",
            "P1",
            "x",
            &good[1..],
            &good[..10],
            &good[..19],
            "P1ü",
            &format!("{digest}ff"),
        ] {
            assert_eq!(
                read_product(text, store(1), None),
                Err(CursorError::Malformed),
                "{text}"
            );
        }
        let of_order = write(position(), store(1), &SearchFilter::default());
        assert_eq!(
            read_product(&of_order, store(1), None),
            Err(CursorError::Malformed)
        );
        assert_eq!(
            read(&good, store(1), &SearchFilter::default()),
            Err(CursorError::Malformed)
        );
    }
}
