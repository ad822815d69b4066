//! Commands about an order. Their values contain no ids, so that the same command can be given to
//! several orders.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command as TableCommand, Tracking};
use pressline_domain::order::Order;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{ItemId, ShipmentId};
use uuid::Uuid;

use super::table::{self, CommandRow};
use crate::CaseError;

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
    /// A command of operators, and some of stores, that moves items.
    Move {
        command: TableCommand,
        items: ItemIndexes,
        values: Values,
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
    Answer {
        items: ItemIndexes,
        text: Option<String>,
        accept: Option<bool>,
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

/// Values of a command that moves items.
#[derive(Clone, Debug)]
pub(super) enum Values {
    None,
    Hold {
        /// End of the hold, in milliseconds from now; `None` for an open-ended hold.
        ends_in: Option<i64>,
    },
    Cancel {
        keep_fees: bool,
    },
    Need {
        /// Fee to approve, in major units.
        fee: Option<&'static str>,
    },
    Resolve {
        /// `None`: the items continue. Otherwise they are cancelled, and `true` keeps their fees.
        cancels: Option<bool>,
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
            Self::Move { items, .. } => items.clone(),
            Self::Ship { units, .. } => {
                let units = units.as_ref()?;
                Some(units.iter().map(|(place, _)| *place).collect())
            }
            // An answer ends a need for all its items, even if it names only some.
            _ => None,
        }
    }

    /// Returns the command's row in `rules.txt`.
    pub(super) fn row(&self) -> Result<CommandRow, CaseError> {
        table::command(match self {
            Self::Due => "due",
            Self::ProcessNow => "process-now",
            Self::Move {
                values: Values::Resolve { cancels: Some(_) },
                ..
            } => "resolve-cancel",
            Self::Move { command, .. } => command.as_str(),
            Self::Update(_) => "update",
            Self::WithdrawChange => "withdraw-change",
            Self::Approve { .. } => "approve",
            Self::Refuse => "refuse",
            Self::AskBack => "ask-back",
            Self::Answer { .. } => "answer",
            Self::Ship { .. } => "ship",
            Self::UpdateShipment { .. } => "update-shipment",
            Self::Void(_) => "void",
            Self::Track(_, Tracking::Delivered) => "delivered",
            Self::Track(_, Tracking::Returned) => "returned",
            Self::Correct { .. } => "correct",
        })
    }

    /// Returns whether repeating the command must not change the order again.
    pub(super) fn is_idempotent(&self) -> bool {
        // Repeated fee corrections add one fee line each.
        !matches!(self, Self::Correct { .. })
    }
}
