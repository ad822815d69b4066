//! The states of an order's items, and the moves of an event, as JSON text. Both are lists of lists
//! without the empty values at their ends: lists of objects take three times as many bytes.

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::event::ItemMove;
use pressline_domain::fulfilment::{Holder, ItemState, ItemStatus};
use pressline_domain::id::ItemId;
use pressline_domain::order::LineItem;
use pressline_domain::time::Timestamp;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// The state of an item. Its id is that of the item at the same position, and the shipped units follow
/// from the shipments.
#[derive(Deserialize)]
struct StoredItem {
    number: u32,
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
}

/// A value of a list: a word, a number of milliseconds, or nothing.
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

/// A list that begins with a value and ends with the last entry that is something.
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

/// Returns the states of items, by their positions.
pub(crate) fn write_items(items: &[ItemState]) -> Result<String, RepositoryError> {
    let stored = items.iter().map(|item| {
        let entries = [
            Entry::Word(item.status.as_str()),
            Entry::time(item.window_end),
            Entry::time(item.ready_at),
            Entry::word(item.returns_to.map(ItemStatus::as_str)),
            Entry::word(item.held_by.map(Holder::as_str)),
            Entry::time(item.hold_until),
        ];
        Short(item.number, entries)
    });
    super::write(&stored.collect::<Vec<_>>())
}

/// Returns the states of these items.
pub(crate) fn read_items(text: &str, lines: &[LineItem]) -> Result<Vec<ItemState>, Source> {
    let stored: Vec<StoredItem> = serde_json::from_str(text)?;
    if stored.len() != lines.len() {
        let (states, items) = (stored.len(), lines.len());
        return Err(format!("the states of {states} items, not of {items}").into());
    }
    let states = stored.into_iter().zip(lines);
    Ok(states.map(|(item, line)| state_of(item, line.id)).collect())
}

fn state_of(item: StoredItem, id: ItemId) -> ItemState {
    ItemState {
        id,
        number: item.number,
        status: item.status,
        returns_to: item.returns_to,
        held_by: item.held_by,
        hold_until: item.hold_until.map(Timestamp::from_millis),
        shipped_quantity: 0,
        ready_at: item.ready_at.map(Timestamp::from_millis),
        window_end: item.window_end.map(Timestamp::from_millis),
    }
}

/// A move: the item, and its status after and before.
#[derive(Deserialize)]
struct StoredMove {
    id: ItemId,
    #[serde(default)]
    new: Option<ItemStatus>,
    #[serde(default)]
    old: Option<ItemStatus>,
}

pub(crate) fn write(moves: &[ItemMove]) -> Result<String, RepositoryError> {
    let stored = moves.iter().map(|moved| {
        let statuses = [moved.new, moved.old];
        Short(
            moved.id,
            statuses.map(|status| Entry::word(status.map(ItemStatus::as_str))),
        )
    });
    super::write(&stored.collect::<Vec<_>>())
}

pub(crate) fn read(text: &str) -> Result<Vec<ItemMove>, Source> {
    let stored: Vec<StoredMove> = serde_json::from_str(text)?;
    let moves = stored.into_iter();
    let moved = |StoredMove { id, new, old }| ItemMove { id, old, new };
    Ok(moves.map(moved).collect())
}
