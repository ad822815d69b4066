//! The rows that a change of an order writes.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::Change;
use pressline_domain::order::Order;
use pressline_kit::words::WordSet;

use super::{CorrectionRow, ItemRow, OrderRow, ShipmentRow, StateRow, fitting_words};
use crate::{EventRow, Weight};

/// A change of an order, with all that can be made of it before the one thread that writes orders
/// takes it up.
#[derive(Debug, Clone)]
pub struct ChangeRows {
    /// The order after the change. Its latest event has no sequence yet.
    pub order: Order,
    /// The version that the stored order must have.
    pub expected: i32,
    /// The state of the catalog that it was priced with, where it has to be the present one.
    pub priced_with: Option<i64>,
    /// The state after the change.
    pub state: StateRow,
    /// The event, without its sequence.
    pub event: EventRow,
    /// The content, where it changes.
    pub content: Option<Box<ContentRows>>,
    /// The shipment that is new or changed.
    pub shipment: Option<ShipmentRow>,
    /// Fee lines that are new.
    pub corrections: Vec<CorrectionRow>,
}

/// The content of an order.
#[derive(Debug, Clone)]
pub struct ContentRows {
    /// The row without items.
    pub order: OrderRow,
    /// The items.
    pub items: Vec<ItemRow>,
    /// Whether the change removes items.
    pub removes_items: bool,
    /// The search words without those of the number, as the database's index takes them.
    pub words: String,
}

impl ChangeRows {
    /// Returns the rows of a change. `join` makes the text of search words that the database's index
    /// takes.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] where a value cannot be stored, and as [`fitting_words`].
    pub fn new(
        change: Change,
        priced_with: Option<CatalogVersion>,
        join: fn(&WordSet) -> String,
    ) -> Result<Self, RepositoryError> {
        let parts = change.order.parts();
        let content = if change.content_changed {
            Some(Box::new(ContentRows {
                order: OrderRow::new(&change.order)?,
                items: ItemRow::new(parts)?,
                removes_items: change.event.items.iter().any(|item| item.new.is_none()),
                words: join(&fitting_words(parts)?),
            }))
        } else {
            None
        };
        Ok(Self {
            expected: i32::try_from(change.expected_version()).unwrap_or(i32::MAX),
            priced_with: priced_with.map(|version| version.0),
            state: StateRow::new(&change.order)?,
            event: EventRow::new(parts.store_id, &change.event)?,
            content,
            shipment: ShipmentRow::new(&change)?,
            corrections: CorrectionRow::new(&change)?,
            order: change.order,
        })
    }

    /// Returns how much there is to write.
    pub fn weight(&self) -> Weight {
        match &self.content {
            Some(content) => Weight::new(&content.order, &content.items),
            None => Weight {
                items: 1,
                bytes: self.state.items.len(),
            },
        }
    }

    /// True of a change that the service makes by itself: no request waits for it.
    pub fn is_by_service(&self) -> bool {
        self.event.actor == Role::Service.as_str()
    }

    /// Returns the order as it is stored, once its event has this sequence.
    pub fn stored(&self, sequence: i64) -> Order {
        self.order.with_sequence(sequence.unsigned_abs())
    }

    /// True of an order that is stored as this change would leave it. The sequence of the event, and a due
    /// time that the service moved meanwhile, can differ.
    pub fn has_made(&self, stored: &Order) -> bool {
        let after = self.order.changed(|order| {
            order.state.last_sequence = stored.state.last_sequence;
            order.state.due_at = stored.state.due_at;
        });
        after.is_ok_and(|after| after == *stored)
    }
}
