//! The cursor of a search: opaque text that leads to the next page of the same search.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::id::OrderId;
use crate::search::{Position, SearchFilter};
use crate::time::Timestamp;

/// Version 1: the time in 16 hex digits, the order's id in 32, the filter's digest in 16.
const VERSION: &str = "1";
const LEN: usize = 1 + 16 + 32 + 16;

/// Why a text leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CursorError {
    #[error("not a cursor; send back the nextCursor of the page before as it is")]
    Malformed,
    #[error("belongs to a search with other filters; send the same fromTime, toTime and searchKey as before")]
    OtherFilter,
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
        return Err(CursorError::OtherFilter);
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
    for word in filter.key.iter().flat_map(|key| key.words()) {
        for alternative in word.alternatives() {
            hasher.update(alternative);
            hasher.update([0]);
        }
        hasher.update([1]);
    }
    let digest: [u8; 32] = hasher.finalize().into();
    digest.first_chunk::<8>().map_or(0, |first| u64::from_be_bytes(*first))
}
