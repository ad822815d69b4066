//! Items with their production state.

use super::batch::{BatchNumber, ItemRef};
use super::units::ItemUnits;
use crate::queue::QueueItem;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::value::id::ServiceOrderId;
use pressline_domain::value::time::Timestamp;

/// Production state of an item: units done, misprints, batch and ship-by time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProduction {
    /// Number of units done at each step.
    pub units: ItemUnits,
    /// Total number of misprinted units.
    pub misprints: u32,
    /// Open batch of the item; `None` if it is in no open batch.
    pub batch: Option<BatchNumber>,
    /// Ship-by time; `None` if the item was never ready, or its store has no ship-by time.
    pub due_at: Option<Timestamp>,
    /// `true` if the item is overdue: it is ready or in production, although `due_at` has come.
    pub is_late: bool,
}

/// An item with the data of its order that production needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducedItem {
    /// Store, order and id of the item.
    pub place: ItemRef,
    /// Number of the order, such as `SUN-1042`.
    pub order: ServiceOrderId,
    /// Line item as the store ordered it.
    pub line: LineItem,
    /// State of the item: its number in the order, its status and the number of shipped units.
    pub state: ItemState,
    /// Note of the store to production; `None` if it wrote none.
    pub production_note: Option<String>,
    /// Country code of the shipping address; `None` if the order has no address or the address has
    /// no code.
    pub country_code: Option<String>,
    /// Type of the order; `Label` if the store provides the shipping label.
    pub kind: OrderKind,
    /// Production state of the item: units done, misprints, batch and ship-by time.
    pub production: ItemProduction,
}

/// An item of the queue with its production state.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedItem {
    /// Item of the queue, with its order.
    pub found: QueueItem,
    /// Production state of the item: units done, misprints, batch and ship-by time.
    pub production: ItemProduction,
}

impl ProducedItem {
    /// Returns the item's code, such as `SUN-1042-1`.
    pub fn code(&self) -> String {
        self.state.code(&self.order)
    }
}
