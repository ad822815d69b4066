//! The statuses of a line item on its way through production.

use std::fmt;
use std::str::FromStr;

pressline_kit::named! {
    /// The status of a line item.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ItemStatus {
        /// Waits for print files.
        PendingDesign = "pending-design",
        /// Complete; the store can still change it until its window ends.
        CoolingOff = "cooling-off",
        /// Can be produced.
        Ready = "ready",
        /// Is being produced.
        InProduction = "in-production",
        /// All its units are with the carrier.
        Fulfilled = "fulfilled",
        /// All its units have arrived.
        Delivered = "delivered",
        /// Has come back.
        Returned = "returned",
        /// The store has asked for a change; the shop decides.
        RequestChange = "request-change",
        /// The shop needs an answer from the store.
        NeedAction = "need-action",
        /// Is held by the store or by an operator.
        OnHold = "on-hold",
        /// Is not produced.
        Cancelled = "cancelled",
    }
}

pressline_kit::named! {
    /// How far an item has come.
    #[derive(PartialOrd, Ord)]
    pub enum Stage {
        /// The store changes it at will.
        Early = "early",
        /// The shop works on it; the store asks for changes.
        AtWork = "at work",
        /// Nothing about it can be changed.
        Done = "done",
    }
}

impl ItemStatus {
    /// True of the statuses from which an item returns to the status that it came from.
    pub fn is_suspended(self) -> bool {
        matches!(self, Self::RequestChange | Self::NeedAction | Self::OnHold)
    }

    /// True of the statuses in which nothing is to be done about an item any more.
    pub fn is_done(self) -> bool {
        !self.is_suspended() && self.stage() == Stage::Done
    }

    /// True of the statuses in which an item is produced.
    pub fn is_at_work(self) -> bool {
        self.stage() == Stage::AtWork
    }

    /// Returns the stage of an item with this status, which is not aside.
    fn stage(self) -> Stage {
        match self {
            Self::PendingDesign | Self::CoolingOff => Stage::Early,
            Self::Ready | Self::InProduction => Stage::AtWork,
            _ => Stage::Done,
        }
    }
}

/// The status of an item and, of one that is aside, the status that it returns to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The status.
    pub status: ItemStatus,
    /// The status that it returns to; `None` unless it is aside.
    pub returns_to: Option<ItemStatus>,
}

impl Position {
    /// Returns the status, or that which the item returns to.
    pub fn base(self) -> ItemStatus {
        self.returns_to.unwrap_or(self.status)
    }

    /// Returns how far the item has come. An aside item is as far as the status it returns to.
    pub fn stage(self) -> Stage {
        self.base().stage()
    }

    /// Returns all positions that an item can have.
    pub fn all() -> impl Iterator<Item = Self> {
        ItemStatus::ALL.into_iter().flat_map(|status| {
            let bases = ItemStatus::ALL.into_iter().map(Some).chain([None]);
            let positions = bases.map(move |returns_to| Self { status, returns_to });
            positions.filter(|position| position.is_valid())
        })
    }

    /// True where an aside item returns to a status that is not aside and not done, and another
    /// item to none. Of early items only those on hold are aside.
    pub fn is_valid(self) -> bool {
        let Some(base) = self.returns_to else {
            return !self.status.is_suspended();
        };
        match base.stage() {
            _ if base.is_suspended() || !self.status.is_suspended() => false,
            Stage::Early => self.status == ItemStatus::OnHold,
            Stage::AtWork => true,
            Stage::Done => false,
        }
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
    use super::*;

    #[test]
    fn names_are_read_back() {
        for status in ItemStatus::ALL {
            assert_eq!(status.as_str().parse(), Ok(status));
        }
        assert!("Shipped".parse::<ItemStatus>().is_err());
    }

    #[test]
    fn an_item_has_eight_plain_positions_and_eight_aside() {
        let aside = Position::all().filter(|position| position.returns_to.is_some());
        // On hold from four statuses, the two others from ready and in-production.
        assert_eq!(aside.count(), 8);
        assert_eq!(Position::all().count(), 16);
    }
}
