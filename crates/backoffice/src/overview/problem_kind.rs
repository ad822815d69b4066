//! Why an order needs a decision.

use std::collections::BTreeSet;

use super::open::OpenOrder;
use super::open_orders::OPEN;
use crate::production::{Steps, is_late};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::ItemId;
use pressline_domain::store::StoreSettings;
use pressline_domain::time::Timestamp;

pressline_kit::named! {
    /// Why an order needs a decision.
    #[derive(PartialOrd, Ord)]
    pub enum ProblemKind {
        /// The store has asked for a change.
        Change = "change",
        /// The store has answered a question.
        Answer = "answer",
        /// A cost is not known.
        Unpriced = "unpriced",
        /// An item is late.
        Late = "late",
        /// Units are packed and not shipped. Usual while parcels are labelled: listed on request only.
        Packed = "packed",
        /// The store has not answered a question. The shop has nothing to decide: listed on request only.
        Unanswered = "unanswered",
    }
}

impl ProblemKind {
    /// Kinds that need a decision of the shop.
    pub const DECISIONS: [Self; 4] = [Self::Change, Self::Answer, Self::Unpriced, Self::Late];

    /// Returns the statuses of which an order with such a problem has an item.
    pub(super) fn statuses(self) -> &'static [ItemStatus] {
        match self {
            // What is asked aside of the request, or held meanwhile, waits for the same decision.
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
        let late = items.filter(|state| is_late(state, settings, now));
        let late: Vec<ItemId> = late.map(|state| state.id).collect();
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
