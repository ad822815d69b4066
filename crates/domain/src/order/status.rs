//! The statuses of a line item on its way through production.

use std::fmt;
use std::str::FromStr;

named! {
    /// Where a line item stands. A new item has none.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ItemStatus {
        /// Something about the item has to be changed by the store, its art for example.
        RequestChange = "request-change",
        /// Waits on someone's decision.
        OnHold = "on-hold",
        /// Being printed.
        InProduction = "in-production",
        /// Printed and checked.
        Produced = "produced",
        /// Handed to the carrier.
        Shipped = "shipped",
        /// At the recipient's.
        Delivered = "delivered",
        /// Will not be made.
        Cancelled = "cancelled",
    }
}

impl ItemStatus {
    /// True while the store may still change the item.
    #[must_use]
    pub fn is_editable(self) -> bool {
        matches!(self, Self::RequestChange | Self::OnHold)
    }
}

impl fmt::Display for ItemStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ItemStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        Self::from_name(text).ok_or_else(|| UnknownStatus(text.to_owned()))
    }
}

/// The text names no status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no status of an item")]
pub struct UnknownStatus(String);

#[cfg(test)]
mod tests {
    use crate::order::status::*;

    #[test]
    fn names_are_read_back() {
        for status in ItemStatus::ALL {
            assert_eq!(status.as_str().parse(), Ok(status));
        }
        assert!("Shipped".parse::<ItemStatus>().is_err());
    }
}
