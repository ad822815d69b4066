//! Items with what production knows of them.

use super::batch::{BatchNumber, ItemRef};
use super::units::ItemUnits;
use crate::queue::QueueItem;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::time::Timestamp;

/// What production knows of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProduction {
    /// How far its units have come.
    pub units: ItemUnits,
    /// Units that were misprinted, in all.
    pub misprints: u32,
    /// The open batch that it is in.
    pub batch: Option<BatchNumber>,
    /// When it is due; `None` if it was never ready, or its store is promised nothing.
    pub due_at: Option<Timestamp>,
    /// Whether it is late.
    pub is_late: bool,
}

/// An item with what production needs of its order.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducedItem {
    /// Where it is.
    pub place: ItemRef,
    /// The number of its order.
    pub order: ServiceOrderId,
    /// What it is.
    pub line: LineItem,
    /// What moves of it.
    pub state: ItemState,
    /// The store's note to production.
    pub production_note: Option<String>,
    /// The code of the country that the order goes to.
    pub country_code: Option<String>,
    /// How the order is shipped.
    pub kind: OrderKind,
    /// What production knows of it.
    pub production: ItemProduction,
}

/// An item that waits, with what production knows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedItem {
    /// The item with its order.
    pub found: QueueItem,
    /// What production knows of it.
    pub production: ItemProduction,
}

impl ProducedItem {
    /// Returns the item's code.
    pub fn code(&self) -> String {
        self.state.code(&self.order)
    }
}
