//! Statuses and stages of a line item.

use std::fmt;
use std::str::FromStr;

pressline_kit::named! {
    /// Progress of a line item or, while suspended, the reason: requested change, need or hold.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ItemStatus {
        /// Print files are missing.
        PendingDesign = "pending-design",
        /// All print files are present. The store can change the item until its cooling-off window
        /// ends.
        CoolingOff = "cooling-off",
        /// Production can start.
        Ready = "ready",
        /// Production has started, and not all units are shipped.
        InProduction = "in-production",
        /// All units are with the carrier.
        Fulfilled = "fulfilled",
        /// All units have arrived.
        Delivered = "delivered",
        /// No parcel is in transit any more, and at least one came back.
        Returned = "returned",
        /// The store has requested a change, which the print shop decides.
        RequestChange = "request-change",
        /// The print shop needs an answer from the store.
        NeedAction = "need-action",
        /// The store or an operator has put the item on hold.
        OnHold = "on-hold",
        /// The store or an operator has cancelled the item: it is not produced.
        Cancelled = "cancelled",
    }
}

pressline_kit::named! {
    /// Progress of an item in three stages. The stage decides who can change the item.
    #[derive(PartialOrd, Ord)]
    pub enum Stage {
        /// The item is `pending-design` or `cooling-off`; the store can change it freely.
        Early = "early",
        /// The item is `ready` or `in-production`; the store must request changes.
        AtWork = "at work",
        /// The item is `fulfilled`, `delivered`, `returned` or `cancelled`; nobody can change it.
        Done = "done",
    }
}

impl ItemStatus {
    /// Returns `true` for `request-change`, `need-action` and `on-hold`: a suspended item later
    /// returns to the status it came from.
    pub fn is_suspended(self) -> bool {
        matches!(self, Self::RequestChange | Self::NeedAction | Self::OnHold)
    }

    /// Returns `true` for `fulfilled`, `delivered`, `returned` and `cancelled`.
    pub fn is_done(self) -> bool {
        !self.is_suspended() && self.stage() == Stage::Done
    }

    /// Returns `true` for `ready` and `in-production`.
    pub fn is_at_work(self) -> bool {
        self.stage() == Stage::AtWork
    }

    /// Returns [`Stage::Done`] also for suspended statuses, which have no stage of their own.
    fn stage(self) -> Stage {
        match self {
            Self::PendingDesign | Self::CoolingOff => Stage::Early,
            Self::Ready | Self::InProduction => Stage::AtWork,
            _ => Stage::Done,
        }
    }
}

/// Status of an item and, while the item is suspended, the status after the suspension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Current status of the item.
    pub status: ItemStatus,
    /// Status that the item returns to; `None` unless it is suspended.
    pub returns_to: Option<ItemStatus>,
}

impl Position {
    /// Returns `returns_to`, or `status` if the item is not suspended.
    pub fn base(self) -> ItemStatus {
        self.returns_to.unwrap_or(self.status)
    }

    /// Returns the stage of [`base`](Self::base).
    pub fn stage(self) -> Stage {
        self.base().stage()
    }

    /// Returns all combinations of `status` and `returns_to` that items can have.
    pub fn all() -> impl Iterator<Item = Self> {
        ItemStatus::ALL.into_iter().flat_map(|status| {
            let bases = ItemStatus::ALL.into_iter().map(Some).chain([None]);
            let positions = bases.map(move |returns_to| Self { status, returns_to });
            positions.filter(|position| position.is_valid())
        })
    }

    /// A suspended item returns to a status that is neither suspended nor done; other items have no
    /// `returns_to`. Early items can be suspended by a hold only.
    pub(super) fn is_valid(self) -> bool {
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

/// Error for a string that is not the name of an item status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status of an item")]
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
        // `on-hold` from four statuses, the other two from `ready` and `in-production`.
        assert_eq!(aside.count(), 8);
        assert_eq!(Position::all().count(), 16);
    }
}
