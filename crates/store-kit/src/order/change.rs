//! Rows that a change of an order writes.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::Change;
use pressline_domain::order::Order;
use pressline_kit::words::WordSet;

use super::{CorrectionRow, ItemRow, OrderRow, ShipmentRow, StateRow, fitting_words};
use crate::{EventRow, Weight};

/// A change of an order, prepared as far as possible before the single writer thread takes it.
#[derive(Debug, Clone)]
pub struct ChangeRows {
    /// Order after the change. Its last event has no sequence number yet.
    pub order: Order,
    /// Version that the stored order must have.
    pub expected: i32,
    /// Catalog version used for pricing. The write requires that it is still current; `None` skips
    /// this check.
    pub priced_with: Option<i64>,
    /// State after the change.
    pub state: StateRow,
    /// Event of the change, without its sequence number.
    pub event: EventRow,
    /// Content of the order; `None` if the change does not affect it.
    pub content: Option<Box<ContentRows>>,
    /// New or changed shipment.
    pub shipment: Option<ShipmentRow>,
    /// New fee lines.
    pub corrections: Vec<CorrectionRow>,
    /// Whether a lost transaction may have made the change.
    pub in_doubt: bool,
}

/// Rows of an order's content.
#[derive(Debug, Clone)]
pub struct ContentRows {
    /// Row of the order.
    pub order: OrderRow,
    /// Rows of the line items.
    pub items: Vec<ItemRow>,
    /// Whether the change removes items.
    pub removes_items: bool,
    /// Search words in the form of the database's index, without the words of the order number.
    pub words: String,
}

impl ChangeRows {
    /// Creates the rows of `change`. `join` converts search words to the form of the database's
    /// index.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if a value cannot be stored. Same errors as [`fitting_words`].
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
            in_doubt: false,
            order: change.order,
        })
    }

    /// Returns the store of the order, in the form of its column.
    pub fn store_id(&self) -> &str {
        &self.state.store_id
    }

    /// Returns the id of the order, in the form of its column.
    pub fn id(&self) -> &str {
        &self.state.id
    }

    /// Returns the amount of data to write.
    pub fn weight(&self) -> Weight {
        match &self.content {
            Some(content) => Weight::new(&content.order, &content.items),
            None => Weight {
                items: 1,
                bytes: self.state.items.len(),
            },
        }
    }

    /// Returns whether the service itself made the change, so that no request waits for it.
    pub fn is_by_service(&self) -> bool {
        self.event.actor == Role::Service.as_str()
    }

    /// Returns the order as stored with event number `sequence`.
    pub fn stored(&self, sequence: i64) -> Order {
        self.order.with_sequence(sequence.unsigned_abs())
    }

    /// Returns whether `stored` is the order that this change produces. The event's sequence number
    /// is ignored, and so is the due time, which the service may have moved meanwhile.
    pub fn has_made(&self, stored: &Order) -> bool {
        let after = self.order.changed(|order| {
            order.state.last_sequence = stored.state.last_sequence;
            order.state.due_at = stored.state.due_at;
        });
        after.is_ok_and(|after| after == *stored)
    }
}
