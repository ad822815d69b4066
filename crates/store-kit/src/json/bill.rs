//! The bill of an order, as JSON.

use std::borrow::Cow;

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::order::LineItem;
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::value::{Amount, ItemId};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct StoredBill<'a> {
    lines: Vec<StoredLine<'a>>,
    /// Types of the fees with the amount 0 and without a fee line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    free: Vec<FeeType>,
}

/// Fee line: fee type, item, amount in minor units of the order's currency, rule. An array takes
/// half of the bytes of an object, and each order has several lines.
type StoredLine<'a> = (FeeType, Option<StoredItem>, Amount, Cow<'a, str>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredItem {
    /// Position of the item in the order, from 0. A position takes fewer bytes than the item's id.
    Position(usize),
    /// Id of an item that the order no longer contains.
    Removed(ItemId),
}

pub(crate) fn write(bill: &Bill, items: &[LineItem]) -> Result<String, RepositoryError> {
    let lines = bill.lines().iter().map(|line| write_line(line, items));
    super::write(&StoredBill {
        lines: lines.collect(),
        free: bill.free().collect(),
    })
}

fn write_line<'a>(line: &'a FeeLine, items: &[LineItem]) -> StoredLine<'a> {
    let stored = |id: ItemId| {
        let position = items.iter().position(|item| item.id == id);
        position.map_or(StoredItem::Removed(id), StoredItem::Position)
    };
    (
        line.fee,
        line.item.map(stored),
        line.amount,
        line.rule.as_str().into(),
    )
}

pub(crate) fn read(text: &str, items: &[LineItem]) -> Result<Bill, Source> {
    read_of(text, |position| items.get(position).map(|item| item.id))
}

/// Expects `id_at` to return the id of the item at a position, from 0.
pub(crate) fn read_of(text: &str, id_at: impl Fn(usize) -> Option<ItemId>) -> Result<Bill, Source> {
    let stored: StoredBill<'_> = serde_json::from_str(text)?;
    let lines = stored.lines.into_iter().map(|line| read_line(line, &id_at));
    Ok(Bill::new(lines.collect::<Result<_, _>>()?, stored.free)?)
}

fn read_line(
    (fee, item, amount, rule): StoredLine<'_>,
    id_at: impl Fn(usize) -> Option<ItemId>,
) -> Result<FeeLine, Source> {
    let id = |item: StoredItem| match item {
        StoredItem::Position(position) => id_at(position),
        StoredItem::Removed(id) => Some(id),
    };
    let id = |item| id(item).ok_or("a fee of an item that the order does not have");
    Ok(FeeLine {
        fee,
        item: item.map(id).transpose()?,
        amount,
        rule: rule.into_owned(),
    })
}
