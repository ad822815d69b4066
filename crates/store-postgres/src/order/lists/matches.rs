//! Finds the orders of a segment that match a key.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use pressline_domain::error::{RepositoryError, Result};
use uuid::Uuid;

use super::block::{BrokenBlock, add_matches};
use super::segment::Segment;
use crate::order::key::Key;

/// Size of an order id in [`Segment::ids`], in bytes.
const ID_BYTES: usize = 16;

/// Returns positions of orders with all of `words`, which are numbers of words of `key`.
pub(super) fn positions(segment: &Segment, key: &Key, words: &[i32]) -> Result<FixedBitSet> {
    let mut words = words.iter();
    let Some(first) = words.next() else {
        return Ok(FixedBitSet::new());
    };
    let mut common = of_word(segment, key, *first)?;
    for word in words {
        // Lists of common words are long, so that not reading them is worth the check.
        if common.is_clear() {
            break;
        }
        common.intersect_with(&of_word(segment, key, *word)?);
    }
    Ok(common)
}

fn of_word(segment: &Segment, key: &Key, word: i32) -> Result<FixedBitSet> {
    let mut positions = FixedBitSet::with_capacity(usize::try_from(segment.orders).unwrap_or(0));
    for (place, start) in key.starts_of(word) {
        for block in segment.blocks(place) {
            add_matches(block, start, &mut positions).map_err(|error| corrupt(segment, error))?;
        }
    }
    Ok(positions)
}

fn corrupt(segment: &Segment, error: BrokenBlock) -> RepositoryError {
    RepositoryError::Corrupt {
        kind: "word_lists",
        field: "lists",
        key: segment.segment.to_string(),
        source: error.into(),
    }
}

/// Returns ids from `from_id` to below `before_id`, newest first: ids of orders at `positions` and,
/// for orders that changed after the lists were built, ids in `segment.hits`.
pub(super) fn ids(
    segment: &Segment,
    ids: &[u8],
    mut positions: FixedBitSet,
    (from_id, before_id): (&str, &str),
    limit: usize,
) -> Vec<String> {
    for id in segment.changed.iter() {
        // The lists may have outdated words for the order: `segment.hits` decides instead.
        if let Ok(position) = position_of(ids, id) {
            positions.set(position, false);
        }
    }
    let is_within = |id: &String| from_id <= id.as_str() && id.as_str() < before_id;
    let (from, before) = (
        position_of(ids, from_id).unwrap_or_else(|next| next),
        position_of(ids, before_id).unwrap_or_else(|next| next),
    );
    let listed = positions
        .ones()
        .rev()
        .filter(|position| (from..before).contains(position))
        .filter_map(|position| id_at(ids, position));
    let hits = segment.hits.iter().filter(|id| is_within(id));
    let mut matching_ids: Vec<String> = listed.take(limit).chain(hits.cloned()).collect();
    matching_ids.sort_by_key(|id| Reverse(id.clone()));
    matching_ids.truncate(limit);
    matching_ids
}

/// Returns an error with the position of the first higher id if `ids` does not contain `id`.
fn position_of(ids: &[u8], id: &str) -> Result<usize, usize> {
    let (ids, _) = ids.as_chunks::<ID_BYTES>();
    ids.binary_search_by(|known| Uuid::from_bytes(*known).to_string().as_str().cmp(id))
}

fn id_at(ids: &[u8], position: usize) -> Option<String> {
    let bytes = ids.get(position * ID_BYTES..)?.get(..ID_BYTES)?;
    Some(Uuid::from_slice(bytes).ok()?.to_string())
}
