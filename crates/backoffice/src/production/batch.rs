//! Batches: items that are produced together.

use std::fmt;
use std::str::FromStr;

use pressline_domain::id::{ItemId, OperatorId, OrderId, Prefix, StoreId};
use pressline_domain::time::Timestamp;

/// The number of a batch, from 1. People read it as `BATCH-12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchNumber(u32);

/// The text is not the number of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a batch: expected a number such as {}-12 or 12", Prefix::BATCH)]
pub struct InvalidBatchNumber;

impl BatchNumber {
    /// The highest number.
    pub const MAX: u32 = i32::MAX as u32;

    /// Takes a number from 1 to [`BatchNumber::MAX`]; `None` for another one.
    pub fn new(number: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// Returns the number.
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

    /// Reads `BATCH-12`, in either case, and `12`.
    fn from_str(text: &str) -> Result<Self, InvalidBatchNumber> {
        let digits = match text.split_once('-') {
            None => text,
            Some((prefix, digits)) if prefix.eq_ignore_ascii_case(Prefix::BATCH) => digits,
            Some(_) => return Err(InvalidBatchNumber),
        };
        let is_canonical =
            !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_canonical);
        number.and_then(Self::new).ok_or(InvalidBatchNumber)
    }
}

/// An item of an order of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemRef {
    /// The store.
    pub store: StoreId,
    /// The order.
    pub order: OrderId,
    /// The item.
    pub item: ItemId,
}

/// Who did something, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The operator.
    pub by: OperatorId,
    /// The moment.
    pub at: Timestamp,
}

/// A batch that is not stored yet. It gets its number then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBatch {
    /// What people call it: at most [`limits::TEXT`](pressline_domain::limits::TEXT) characters.
    pub name: Option<String>,
    /// Who made it.
    pub created: Stamp,
    /// Its items, 1 to [`limits::BATCH_ITEMS`](pressline_domain::limits::BATCH_ITEMS), each once, in the order in which they are
    /// produced.
    pub items: Vec<ItemRef>,
}

/// What is stored of a batch besides its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Its number.
    pub number: BatchNumber,
    /// What people call it.
    pub name: Option<String>,
    /// How many items it was made of.
    pub item_count: u32,
    /// Who made it.
    pub created: Stamp,
    /// Who started it first; `None` before that.
    pub started: Option<Stamp>,
    /// Who closed it; `None` while it is open.
    pub closed: Option<Stamp>,
}

impl BatchHeader {
    /// Returns the header of a new batch.
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

    /// Returns whether its items belong to it: whether it has not been closed.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }
}

/// A stored batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// All but the items.
    pub header: BatchHeader,
    /// The items that it was made of, in the order in which they were given.
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
