//! Batches: items that are produced together.

use std::fmt;
use std::str::FromStr;

use pressline_domain::order::Order;
use pressline_domain::value::{ItemId, OperatorId, OrderId, Prefix, StoreId, Timestamp};

/// Number of a batch, from 1 to [`BatchNumber::MAX`]. People read it as `BATCH-12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchNumber(u32);

/// Error for a string that is not a batch number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a batch: expected a number such as {}-12 or 12", Prefix::BATCH)]
pub struct InvalidBatchNumber;

impl BatchNumber {
    /// Highest number of a batch.
    pub const MAX: u32 = i32::MAX as u32;

    /// Returns the batch number `number`; `None` unless it is between 1 and [`BatchNumber::MAX`].
    pub fn new(number: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// Returns the number without the prefix `BATCH-`.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for BatchNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", Prefix::BATCH, self.0)
    }
}

impl FromStr for BatchNumber {
    type Err = InvalidBatchNumber;

    /// Parses `BATCH-12`, in upper or lower case, or `12`.
    fn from_str(text: &str) -> Result<Self, InvalidBatchNumber> {
        let digits = match text.split_once('-') {
            None => text,
            Some((prefix, digits)) if prefix.eq_ignore_ascii_case(Prefix::BATCH) => digits,
            Some(_) => return Err(InvalidBatchNumber),
        };
        let number = canonical(digits).and_then(|digits| digits.parse().ok());
        number.and_then(Self::new).ok_or(InvalidBatchNumber)
    }
}

/// Returns `None` for numbers such as `+12` and `012`: a batch or item has only one code.
pub(super) fn canonical(digits: &str) -> Option<&str> {
    let is_canonical = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_canonical.then_some(digits)
}

/// Reference to an item of an order: the store, the order and the item. The item need not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemRef {
    /// Store that has the order.
    pub store: StoreId,
    /// Internal id of the order.
    pub order: OrderId,
    /// Id of the item in `order`.
    pub item: ItemId,
}

impl ItemRef {
    /// Returns the reference to the item `item` of `order`.
    pub fn new(order: &Order, item: ItemId) -> Self {
        Self {
            store: order.content.store_id,
            order: order.content.id,
            item,
        }
    }
}

/// Operator and time of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Id of the operator who acted.
    pub by: OperatorId,
    /// Time at which the operator acted.
    pub at: Timestamp,
}

/// A batch before it is stored. Storing assigns its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBatch {
    /// Name of the batch for people, up to [`limits::TEXT`](pressline_domain::check::limits::TEXT)
    /// characters; `None` if it has no name.
    pub name: Option<String>,
    /// Operator who created the batch, and the time.
    pub created: Stamp,
    /// Items in the order of production, without repetitions: 1 to
    /// [`crate::limits::BATCH_ITEMS`].
    pub items: Vec<ItemRef>,
}

/// Header of a stored batch: all its data except the items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Number assigned when the batch was stored.
    pub number: BatchNumber,
    /// Name for people; `None` if the batch has no name.
    pub name: Option<String>,
    /// Number of items that the batch was created with.
    pub item_count: u32,
    /// Operator who created the batch, and the time.
    pub created: Stamp,
    /// Operator who first started the batch, and the time; `None` if it was never started.
    pub started: Option<Stamp>,
    /// Operator who closed the batch, and the time; `None` while it is open.
    pub closed: Option<Stamp>,
}

impl BatchHeader {
    /// Returns the header of a new `batch` with its `number`: neither started nor closed.
    pub fn of_new(number: BatchNumber, batch: &NewBatch) -> Self {
        Self {
            number,
            name: batch.name.clone(),
            item_count: u32::try_from(batch.items.len()).unwrap_or(u32::MAX),
            created: batch.created,
            started: None,
            closed: None,
        }
    }

    /// Returns whether the batch is not closed. Items of an open batch cannot join another batch.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }
}

/// A batch as it is stored: its header and its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Number and name; operator and time of creation, start and closing.
    pub header: BatchHeader,
    /// Items that the batch was created with, in the order of production.
    pub items: Vec<ItemRef>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_named_by_its_number_with_or_without_the_prefix() {
        for text in ["BATCH-12", "batch-12", "12"] {
            let number: BatchNumber = text.parse().unwrap();
            assert_eq!(number.to_string(), "BATCH-12");
        }
        for wrong in [
            "",
            "0",
            "BATCH-0",
            "BATCH-",
            "BATCH-012",
            "BATCH12",
            "SUN-12",
            "+1",
            "-1",
            "1.0",
            "2147483648",
            "BATCH-1-2",
        ] {
            assert_eq!(
                wrong.parse::<BatchNumber>(),
                Err(InvalidBatchNumber),
                "{wrong}"
            );
        }
        assert!("2147483647".parse::<BatchNumber>().is_ok());
    }
}
