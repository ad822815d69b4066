//! Commands about an order. Their values contain no ids, so that the same command can be given to
//! several orders.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Action, Tracking};
use pressline_domain::order::Order;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{ItemId, ShipmentId};
use uuid::Uuid;

/// Positions of items in an order, from 0; `None` for all items to which the command applies.
pub(super) type ItemIndexes = Option<Vec<usize>>;

/// A command and its sender.
#[derive(Clone, Debug)]
pub(super) struct CommandCase {
    pub(super) command: Command,
    pub(super) by: Role,
    pub(super) reason: Option<&'static str>,
    /// Whether the order listed it among the sender's allowed actions.
    pub(super) is_offered: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Command {
    /// The service applies due changes.
    Due,
    ProcessNow,
    Hold {
        items: ItemIndexes,
        /// End of the hold, in milliseconds from now; `None` for an open-ended hold.
        ends_in: Option<i64>,
    },
    Release(ItemIndexes),
    Cancel {
        items: ItemIndexes,
        keep_fees: bool,
    },
    Update(Edit),
    WithdrawChange,
    Approve {
        /// Content change that the approval makes. The model ignores its values.
        edit: Edit,
        keep_fees: bool,
    },
    Refuse,
    AskBack,
    Start(ItemIndexes),
    PutBack(ItemIndexes),
    Need {
        items: ItemIndexes,
        /// Fee to approve, in minor units.
        fee: Option<i64>,
    },
    Answer {
        items: ItemIndexes,
        text: Option<String>,
        accept: Option<bool>,
    },
    Resolve {
        items: ItemIndexes,
        /// `None`: the items continue. Otherwise they are cancelled, and `true` keeps their fees.
        cancels: Option<bool>,
    },
    Ship {
        /// Number of the parcel. The same number means the same shipment.
        parcel: u64,
        /// Positions of items with their units; `None` for all unshipped units.
        units: Option<Vec<(usize, u32)>>,
    },
    UpdateShipment {
        shipment: usize,
        parcel: u64,
    },
    Void(usize),
    Track(usize, Tracking),
    Correct {
        fee: FeeType,
        item: Option<usize>,
        amount: i64,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// The number selects the new value, also of `Note` and `City`.
    Email(u64),
    Note(u64),
    City(u64),
    Quantity(usize, u32),
    Files(usize, &'static [&'static str]),
    Sku(usize, &'static str),
    Mockup(usize, u64),
    Remove(usize),
    Add(Goods),
}

#[derive(Clone, Debug)]
pub(super) struct Goods {
    pub(super) sku: &'static str,
    pub(super) quantity: u32,
    pub(super) files: &'static [&'static str],
}

/// Returns the id of the item at `place`, or the nil id if there is no such item.
pub(super) fn item_at(order: &Order, place: usize) -> ItemId {
    let item = order.state.items.get(place);
    item.map_or(ItemId::new(Uuid::nil()), |item| item.id)
}

pub(super) fn items_at(order: &Order, places: &ItemIndexes) -> Option<Vec<ItemId>> {
    let places = places.as_ref()?;
    Some(places.iter().map(|place| item_at(order, *place)).collect())
}

/// Returns the id of the shipment at `place`, or the nil id if there is no such shipment.
pub(super) fn shipment_at(order: &Order, place: usize) -> ShipmentId {
    let shipment = order.shipments.get(place);
    shipment.map_or(ShipmentId::new(Uuid::nil()), |shipment| shipment.id)
}

impl Command {
    /// Returns the positions of the items that the command names; `None` if it names none.
    pub(super) fn named_items(&self) -> ItemIndexes {
        match self {
            Self::Hold { items, .. }
            | Self::Release(items)
            | Self::Cancel { items, .. }
            | Self::Start(items)
            | Self::PutBack(items)
            | Self::Need { items, .. }
            | Self::Resolve { items, .. } => items.clone(),
            Self::Ship { units, .. } => {
                let units = units.as_ref()?;
                Some(units.iter().map(|(place, _)| *place).collect())
            }
            // An answer ends a need for all its items, even if it names only some.
            _ => None,
        }
    }

    /// Returns the names of the table's rows by which the command moves items, such as `hold`.
    pub(super) fn rows(&self) -> &'static [&'static str] {
        match self {
            Self::Due => &["release", "due"],
            Self::ProcessNow => &["process-now"],
            Self::Hold { .. } => &["hold", "ask"],
            Self::Release(_) => &["release"],
            Self::Cancel { .. } => &["cancel", "ask"],
            Self::Update(_) => &["ask"],
            Self::WithdrawChange => &["withdraw-change"],
            // An approved change is also applied to its items in early statuses.
            Self::Approve { .. } => &["decide", "hold", "cancel"],
            Self::Refuse | Self::AskBack => &["decide"],
            Self::Start(_) => &["start"],
            Self::PutBack(_) => &["put-back"],
            Self::Need { .. } => &["need"],
            Self::Answer { .. } => &["answer"],
            Self::Resolve { cancels: None, .. } => &["resolve"],
            Self::Resolve { .. } => &["resolve-cancel"],
            Self::Ship { .. } => &["ship"],
            Self::Void(_) => &["void"],
            Self::Track(..) => &["deliver", "return"],
            Self::UpdateShipment { .. } | Self::Correct { .. } => &[],
        }
    }

    /// Returns the actions that offer the command: if it changes an order, one of them was allowed.
    /// Empty for commands that are not offered.
    pub(super) fn actions(&self) -> &'static [Action] {
        match self {
            Self::ProcessNow => &[Action::ProcessNow],
            Self::Hold { .. } => &[Action::Hold],
            Self::Release(_) => &[Action::Release],
            Self::Cancel { .. } => &[Action::Cancel],
            Self::Update(_) => &[Action::Update, Action::UpdateLabel],
            Self::WithdrawChange => &[Action::WithdrawChange],
            Self::Approve { .. } | Self::Refuse | Self::AskBack => &[Action::Decide],
            Self::Start(_) => &[Action::Start],
            Self::PutBack(_) => &[Action::PutBack],
            Self::Need { .. } => &[Action::Need],
            Self::Answer { .. } => &[Action::Answer],
            Self::Resolve { .. } => &[Action::Resolve],
            Self::Ship { .. } => &[Action::Ship],
            Self::Due
            | Self::Void(_)
            | Self::Track(..)
            | Self::UpdateShipment { .. }
            | Self::Correct { .. } => &[],
        }
    }

    /// Returns whether repeating the command must not change the order again.
    pub(super) fn is_idempotent(&self) -> bool {
        // Repeated fee corrections add one fee line each.
        !matches!(self, Self::Correct { .. })
    }

    /// Returns the types of events that the command can cause, such as `order.held`.
    pub(super) fn events(&self) -> &'static [&'static str] {
        match self {
            Self::Due => &["order.status_changed", "order.released"],
            Self::ProcessNow | Self::Start(_) | Self::PutBack(_) => &["order.status_changed"],
            Self::Hold { .. } => &["order.held", "order.change_requested"],
            Self::Release(_) => &["order.released"],
            Self::Cancel { .. } => &["order.cancelled", "order.change_requested"],
            Self::Update(_) => &["order.updated", "order.change_requested"],
            Self::WithdrawChange => &["order.change_withdrawn"],
            Self::Approve { .. } => &["order.change_approved"],
            Self::Refuse => &["order.change_refused"],
            Self::AskBack | Self::Need { .. } => &["order.action_needed"],
            Self::Answer { .. } => &["order.action_answered"],
            Self::Resolve { .. } => &["order.action_resolved"],
            Self::Ship { .. } => &["shipment.created"],
            Self::UpdateShipment { .. } => &["shipment.updated"],
            Self::Void(_) => &["shipment.voided"],
            Self::Track(_, Tracking::Delivered) => &["shipment.delivered"],
            Self::Track(_, Tracking::Returned) => &["shipment.returned"],
            Self::Correct { .. } => &["order.fees_changed"],
        }
    }
}
