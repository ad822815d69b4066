//! The statuses of a line item on its way through production.

use std::fmt;
use std::str::FromStr;

/// Where a line item stands. A new item has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ItemStatus {
    /// Something about the item has to be changed by the store, its art for example.
    RequestChange,
    /// Waits on someone's decision.
    OnHold,
    /// Being printed.
    InProduction,
    /// Printed and checked.
    Produced,
    /// Handed to the carrier.
    Shipped,
    /// At the recipient's.
    Delivered,
    /// Will not be made.
    Cancelled,
}

impl ItemStatus {
    /// All statuses, in the order of production.
    pub const ALL: [Self; 7] = [
        Self::RequestChange,
        Self::OnHold,
        Self::InProduction,
        Self::Produced,
        Self::Shipped,
        Self::Delivered,
        Self::Cancelled,
    ];

    /// The name in requests, answers and databases.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequestChange => "request-change",
            Self::OnHold => "on-hold",
            Self::InProduction => "in-production",
            Self::Produced => "produced",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }

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
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| UnknownStatus(text.to_owned()))
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
