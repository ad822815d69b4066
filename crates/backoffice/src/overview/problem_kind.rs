//! Reasons why an order needs a decision.

use std::collections::BTreeSet;

use super::open::{OPEN, OpenOrder};
use crate::production::{Steps, is_late};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::{ItemId, Timestamp};

pressline_kit::named! {
    /// Kind of problem that an open order can have. The kinds in [`ProblemKind::DECISIONS`] need a
    /// decision of the print shop.
    #[derive(PartialOrd, Ord)]
    pub enum ProblemKind {
        /// The store has requested a change that is not decided yet.
        Change = "change",
        /// The store has answered an unresolved question.
        Answer = "answer",
        /// A cost of the order is unknown.
        Unpriced = "unpriced",
        /// An item is overdue, see [`is_late`].
        Late = "late",
        /// Units are packed and not shipped. This is normal until the parcel has its label, so it
        /// is listed on request only.
        Packed = "packed",
        /// The store has not answered a question. The print shop has nothing to decide, so it is
        /// listed on request only.
        Unanswered = "unanswered",
    }
}

impl ProblemKind {
    /// Kinds that need a decision of the print shop: all except `Packed` and `Unanswered`.
    pub const DECISIONS: [Self; 4] = [Self::Change, Self::Answer, Self::Unpriced, Self::Late];

    /// Returns statuses to search by: each order with the problem has an item in one of them.
    pub(super) fn statuses(self) -> &'static [ItemStatus] {
        match self {
            // An item that is questioned or on hold can belong to an order with a pending change.
            Self::Change | Self::Answer | Self::Unanswered => &[
                ItemStatus::RequestChange,
                ItemStatus::NeedAction,
                ItemStatus::OnHold,
            ],
            Self::Late | Self::Packed => &[ItemStatus::Ready, ItemStatus::InProduction],
            Self::Unpriced => &OPEN,
        }
    }
}

pub(super) struct OrderProblems {
    pub(super) kinds: BTreeSet<ProblemKind>,
    pub(super) late: Vec<ItemId>,
}

impl OrderProblems {
    pub(super) fn new(
        order: &OpenOrder,
        settings: &StoreSettings,
        steps: &Steps,
        now: Timestamp,
    ) -> Self {
        let items = order.items.iter().map(|item| &item.state);
        let late: Vec<ItemId> = items
            .filter(|state| is_late(state, settings, now))
            .map(|state| state.id)
            .collect();
        let is_answered = order.needs.iter().any(|need| need.answer.is_some());
        let is_unanswered = order.needs.iter().any(|need| need.answer.is_none());
        let kinds = [
            (order.has_change, ProblemKind::Change),
            (is_answered, ProblemKind::Answer),
            (!order.priced, ProblemKind::Unpriced),
            (!late.is_empty(), ProblemKind::Late),
            (order.is_packed(steps), ProblemKind::Packed),
            (is_unanswered, ProblemKind::Unanswered),
        ];
        let present = kinds.into_iter().filter(|(is_so, _)| *is_so);
        Self {
            kinds: present.map(|(_, kind)| kind).collect(),
            late,
        }
    }
}
