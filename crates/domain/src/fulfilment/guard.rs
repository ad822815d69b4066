//! Guards: conditions of the table of commands besides an item's status.

use super::holder::Holder;
use super::item_state::ItemState;
use super::window::{all_complete, window_of_all};
use super::{SnapshotParts, is_complete};
use crate::order::OrderKind;
use crate::value::Timestamp;

macro_rules! guards {
    ($($guard:ident $text:literal;)*) => {
        /// Condition in a row of [`TABLE`](super::TABLE), in addition to the item's status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Guard {
            $(#[doc = $text] $guard),*
        }

        impl Guard {
            /// Returns the condition in words.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$guard => $text),*
                }
            }
        }
    };
}

guards! {
    Always "in every case";
    HasLabel "the order has a label of the store";
    FilesDecide "incomplete: pending-design; complete: cooling-off; no window and all items complete: ready";
    Complete "the item has become complete; its window begins again";
    Incomplete "the item has become incomplete";
    WindowEnded "all early items that are not suspended are in cooling-off, and the window of each has ended";
    AllComplete "all early items that are not suspended are in cooling-off";
    OwnHold "the store holds it";
    OperatorHold "an operator holds it";
    HoldEnded "its hold has an end, which has come";
    NothingShipped "no unit of it has been shipped";
    NoChangePending "no other change is pending";
    ChangePending "it belongs to the pending change";
    InPendingChange "the pending change names it";
    NoQuestion "it belongs to the pending change, and no question about that is open";
    Needed "something is needed from the store";
    UnitsDecide "fulfilled once shipments hold all its units; in production until then";
    ParcelUnderWay "the shipment is neither delivered nor returned";
    AllDelivered "all shipments with its units are delivered";
    AllArrived "all shipments with its units are delivered or returned, at least one of them returned";
}

impl Guard {
    /// Returns whether the condition is true for `item` at the time `now`. Always returns `true`
    /// for [`Guard::FilesDecide`], [`Guard::UnitsDecide`] and [`Guard::ParcelUnderWay`]: the
    /// functions that carry out the commands check these conditions.
    pub fn holds(self, order: &SnapshotParts, item: &ItemState, now: Timestamp) -> bool {
        match self {
            Self::Always | Self::FilesDecide | Self::UnitsDecide | Self::ParcelUnderWay => true,
            Self::HasLabel => order.content.kind() == OrderKind::Label,
            Self::Complete => order.line(item.id).is_some_and(is_complete),
            Self::Incomplete => !order.line(item.id).is_some_and(is_complete),
            Self::WindowEnded => window_of_all(&order.state).is_some_and(|end| end <= now),
            Self::AllComplete => all_complete(&order.state),
            Self::OwnHold => item.held_by == Some(Holder::Store),
            Self::OperatorHold => item.held_by == Some(Holder::Operator),
            Self::HoldEnded => item.hold_until.is_some_and(|until| until <= now),
            Self::NothingShipped => item.shipped_quantity == 0,
            Self::NoChangePending => order.state.pending.is_none(),
            Self::ChangePending => order.state.asked(item.id).is_some(),
            Self::InPendingChange => {
                let pending = order.state.pending.as_ref();
                pending.is_some_and(|pending| pending.items.contains(&item.id))
            }
            Self::NoQuestion => {
                let is_asked = order.state.asked(item.id).is_some();
                is_asked && order.state.needs.iter().all(|need| need.change.is_none())
            }
            Self::Needed => order.state.need_of(item.id).is_some(),
            Self::AllDelivered => {
                let arrivals = order.arrivals(item.id);
                arrivals.under_way == 0 && arrivals.returned == 0 && arrivals.delivered > 0
            }
            Self::AllArrived => {
                let arrivals = order.arrivals(item.id);
                arrivals.under_way == 0 && arrivals.returned > 0
            }
        }
    }
}
