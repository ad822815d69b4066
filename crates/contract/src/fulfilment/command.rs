//! Commands about an order, with values that do not name an order's ids, so that the same command can be
//! given to several orders.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Action, Tracking};
use pressline_domain::id::{ItemId, ShipmentId};
use pressline_domain::order::Order;
use pressline_domain::pricing::fees::FeeType;
use uuid::Uuid;

/// Items of an order by their places, from 0; `None` for all that the command can concern.
pub(super) type ItemIndexes = Option<Vec<usize>>;

/// A command, and who gives it.
#[derive(Clone, Debug)]
pub(super) struct CommandCase {
    pub(super) command: Command,
    pub(super) by: Role,
    pub(super) reason: Option<&'static str>,
    /// Whether the order has offered it to this caller.
    pub(super) is_offered: bool,
}

/// A command with its values.
#[derive(Clone, Debug)]
pub(super) enum Command {
    /// The service looks at what is due.
    Due,
    ProcessNow,
    Hold {
        items: ItemIndexes,
        /// When it ends, in milliseconds from now.
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
        /// What an approved update changes. Which values those are does not matter to the model.
        edit: Edit,
        keep_fees: bool,
    },
    Refuse,
    AskBack,
    Start(ItemIndexes),
    PutBack(ItemIndexes),
    Need {
        items: ItemIndexes,
        /// The fee to approve, in minor units.
        fee: Option<i64>,
    },
    Answer {
        items: ItemIndexes,
        text: Option<String>,
        accept: Option<bool>,
    },
    Resolve {
        items: ItemIndexes,
        /// Whether the items are cancelled, and then whether their fees are kept.
        cancels: Option<bool>,
    },
    Ship {
        /// Number of the parcel: the same one again is the same shipment.
        parcel: u64,
        /// Items by their places, and units of each; `None` for all that are left.
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

/// Another value of an order.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// These three are chosen by a number.
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

/// Units of a product.
#[derive(Clone, Debug)]
pub(super) struct Goods {
    pub(super) sku: &'static str,
    pub(super) quantity: u32,
    pub(super) files: &'static [&'static str],
}

/// Returns the id of the item at a place; one that no order has where there is none.
pub(super) fn item_at(order: &Order, place: usize) -> ItemId {
    let item = order.state.items.get(place);
    item.map_or(ItemId::new(Uuid::nil()), |item| item.id)
}

/// Returns the ids of the items at these places.
pub(super) fn items_at(order: &Order, places: &ItemIndexes) -> Option<Vec<ItemId>> {
    let places = places.as_ref()?;
    Some(places.iter().map(|place| item_at(order, *place)).collect())
}

/// Returns the id of a shipment, by its place; one that no order has where there is none.
pub(super) fn shipment_at(order: &Order, place: usize) -> ShipmentId {
    let shipment = order.shipments.get(place);
    shipment.map_or(ShipmentId::new(Uuid::nil()), |shipment| shipment.id)
}

impl Command {
    /// Returns the items that the command names; `None` where it names none.
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
            // An answer ends a need for all of its items, whichever of them it names.
            _ => None,
        }
    }

    /// Returns the rows of the table by which the command moves items.
    pub(super) fn rows(&self) -> &'static [&'static str] {
        match self {
            Self::Due => &["release", "due"],
            Self::ProcessNow => &["process-now"],
            Self::Hold { .. } => &["hold", "ask"],
            Self::Release(_) => &["release"],
            Self::Cancel { .. } => &["cancel", "ask"],
            Self::Update(_) => &["ask"],
            Self::WithdrawChange => &["withdraw-change"],
            // What is approved is done to the early items of the change as well.
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

    /// Returns the actions that offer the command: a command that changes an order was offered by one of
    /// them. Empty for commands that are not offered.
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

    /// True where the same command again must not change the order a second time.
    pub(super) fn is_idempotent(&self) -> bool {
        // Each fee line is a line of its own.
        !matches!(self, Self::Correct { .. })
    }

    /// Returns the types of the events that the command can cause.
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
