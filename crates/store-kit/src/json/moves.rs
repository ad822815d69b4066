//! Item states of an order and item moves of an event, as JSON.
//!
//! Both are arrays of arrays without trailing empty values: arrays of objects take three times as
//! many bytes. Items with the same state or move share an array; nearly always that is all items of
//! an order.

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::event::ItemMove;
use pressline_domain::fulfilment::{Holder, ItemState, ItemStatus};
use pressline_domain::value::{ItemId, Timestamp};
use serde::Deserialize;
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// State shared by items with consecutive numbers. Item ids are not stored, because states are in
/// item order. Shipped units are not stored, because they follow from the shipments.
#[derive(Deserialize)]
struct StoredItems {
    /// First and last item number.
    numbers: [u32; 2],
    status: ItemStatus,
    #[serde(default)]
    window_end: Option<i64>,
    #[serde(default)]
    ready_at: Option<i64>,
    #[serde(default)]
    returns_to: Option<ItemStatus>,
    #[serde(default)]
    held_by: Option<Holder>,
    #[serde(default)]
    hold_until: Option<i64>,
    #[serde(default)]
    advanced_millis: Option<i64>,
}

/// Value in the JSON array that stores the state or the move of an item.
#[derive(PartialEq)]
enum Entry {
    Word(&'static str),
    Millis(i64),
    Nothing,
}

impl Entry {
    fn word(word: Option<&'static str>) -> Self {
        word.map_or(Self::Nothing, Self::Word)
    }

    fn time(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Nothing, |time| Self::Millis(time.as_millis()))
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(word) => serializer.serialize_str(word),
            Self::Millis(millis) => serializer.serialize_i64(*millis),
            Self::Nothing => serializer.serialize_none(),
        }
    }
}

/// Written as one JSON array: the value, then the entries without trailing `Entry::Nothing`.
struct Short<T, const N: usize>(T, [Entry; N]);

impl<T: Serialize, const N: usize> Serialize for Short<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(first, entries) = self;
        let is_value = |entry: &Entry| !matches!(entry, Entry::Nothing);
        let length = entries
            .iter()
            .rposition(is_value)
            .map_or(0, |last| last + 1);
        let mut list = serializer.serialize_seq(Some(1 + length))?;
        list.serialize_element(first)?;
        for entry in entries.iter().take(length) {
            list.serialize_element(entry)?;
        }
        list.end()
    }
}

pub(crate) fn write_items(items: &[ItemState]) -> Result<String, RepositoryError> {
    let continues = |before: &ItemState, item: &ItemState| {
        before.number.checked_add(1) == Some(item.number) && entries(before) == entries(item)
    };
    let stored = items.chunk_by(continues).filter_map(|same| {
        let (first, last) = (same.first()?, same.last()?);
        Some(Short([first.number, last.number], entries(first)))
    });
    super::write(&stored.collect::<Vec<_>>())
}

/// Leaves out the item number.
fn entries(item: &ItemState) -> [Entry; 7] {
    // Without `..`, so that a new field is either stored or named here.
    let ItemState {
        status,
        window_end,
        ready_at,
        returns_to,
        held_by,
        hold_until,
        advanced_millis,
        id: _,
        number: _,
        shipped_quantity: _,
    } = *item;
    [
        Entry::Word(status.as_str()),
        Entry::time(window_end),
        Entry::time(ready_at),
        Entry::word(returns_to.map(ItemStatus::as_str)),
        Entry::word(held_by.map(Holder::as_str)),
        Entry::time(hold_until),
        match advanced_millis {
            0 => Entry::Nothing,
            millis => Entry::Millis(millis),
        },
    ]
}

pub(crate) fn read_items(
    text: &str,
    ids: impl ExactSizeIterator<Item = ItemId>,
) -> Result<Vec<ItemState>, Source> {
    let count = ids.len();
    let stored: Vec<StoredItems> = serde_json::from_str(text)?;
    let expanded = stored.iter().flat_map(|same| {
        let [first, last] = same.numbers;
        (first..=last).map(move |number| (number, same))
    });
    // Stored number ranges may be corrupt: read at most one more than `count`.
    let numbered: Vec<(u32, &StoredItems)> = expanded.take(count + 1).collect();
    if numbered.len() != count {
        return Err(format!("not the states of {count} items").into());
    }
    let states = numbered.into_iter().zip(ids);
    let state =
        |((number, stored), id): ((u32, &StoredItems), ItemId)| state_of(number, stored, id);
    Ok(states.map(state).collect())
}

/// Placeholder for item ids, because the JSON of item states contains no ids.
const NO_ID: &str = "00000000-0000-0000-0000-000000000000";

/// Moves the ends of cooling-off windows and holds in `text` `millis` milliseconds earlier.
pub(crate) fn fast_forward(text: &str, millis: i64) -> Result<String, Source> {
    let stored: Vec<StoredItems> = serde_json::from_str(text)?;
    let id: ItemId = NO_ID.parse()?;
    let forward = |same: &StoredItems| {
        let [first, _] = same.numbers;
        let mut item = state_of(first, same, id);
        item.fast_forward(millis);
        Short(same.numbers, entries(&item))
    };
    let fast_forward: Vec<_> = stored.iter().map(forward).collect();
    Ok(super::write(&fast_forward)?)
}

fn state_of(number: u32, stored: &StoredItems, id: ItemId) -> ItemState {
    ItemState {
        id,
        number,
        status: stored.status,
        returns_to: stored.returns_to,
        held_by: stored.held_by,
        hold_until: stored.hold_until.map(Timestamp::from_millis),
        shipped_quantity: 0,
        ready_at: stored.ready_at.map(Timestamp::from_millis),
        window_end: stored.window_end.map(Timestamp::from_millis),
        advanced_millis: stored.advanced_millis.unwrap_or_default(),
    }
}

#[derive(Deserialize)]
struct StoredMoves {
    ids: Vec<ItemId>,
    #[serde(default)]
    new: Option<ItemStatus>,
    #[serde(default)]
    old: Option<ItemStatus>,
}

pub(crate) fn write(moves: &[ItemMove]) -> Result<String, RepositoryError> {
    let statuses = |moved: &ItemMove| [moved.new, moved.old];
    let is_same = |before: &ItemMove, moved: &ItemMove| statuses(before) == statuses(moved);
    let stored = moves.chunk_by(is_same).filter_map(|same| {
        let ids: Vec<ItemId> = same.iter().map(|moved| moved.id).collect();
        let words =
            statuses(same.first()?).map(|status| Entry::word(status.map(ItemStatus::as_str)));
        Some(Short(ids, words))
    });
    super::write(&stored.collect::<Vec<_>>())
}

pub(crate) fn read(text: &str) -> Result<Vec<ItemMove>, Source> {
    let stored: Vec<StoredMoves> = serde_json::from_str(text)?;
    let moves = stored
        .into_iter()
        .flat_map(|StoredMoves { ids, new, old }| {
            let moved = move |id| ItemMove { id, old, new };
            ids.into_iter().map(moved)
        });
    Ok(moves.collect())
}
