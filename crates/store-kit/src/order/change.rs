//! Rows written for a change of an order.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::Change;
use pressline_domain::order::Order;
use pressline_kit::words::WordSet;

use super::{CorrectionRow, ItemRow, OrderRow, ShipmentRow, StateRow, fitting_words};
use crate::{EventRow, Weight};

/// Rows of a change of an order, prepared before the thread of a write shard takes them.
#[derive(Debug, Clone)]
pub struct ChangeRows {
    /// Order after the change. The sequence number of its last event is not assigned yet.
    pub order: Order,
    /// Version that the order must have in the database when the change is written.
    pub expected: i32,
    /// Catalog version of the order's prices, checked on writing; `None` skips the check.
    pub priced_with: Option<i64>,
    /// Row of the order's state after the change.
    pub state: StateRow,
    /// Row of the change's event, without its sequence number.
    pub event: EventRow,
    /// Rows of the order's content; `None` if the change does not affect the content.
    pub content: Option<Box<ContentRows>>,
    /// Row of the shipment that the change adds or changes; `None` if it affects no shipment.
    pub shipment: Option<ShipmentRow>,
    /// Rows of the fee lines that the change adds as corrections.
    pub corrections: Vec<CorrectionRow>,
    /// `true` if an earlier attempt may have been committed although its result was lost.
    pub in_doubt: bool,
}

/// Rows of an order's content, that is, of the order and its line items without their state.
#[derive(Debug, Clone)]
pub struct ContentRows {
    /// Row of the order in the table `orders`.
    pub order: OrderRow,
    /// Rows of the line items.
    pub items: Vec<ItemRow>,
    /// `true` if the change removes line items.
    pub removes_items: bool,
    /// Search words for the database's word index, without the words of the order number.
    pub words: String,
}

impl ChangeRows {
    /// Creates the rows of `change`. `join` converts search words for the database's word index.
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

    /// Returns the id of the order's store, as text.
    pub fn store_id(&self) -> &str {
        &self.state.store_id
    }

    /// Returns the id of the order, as text.
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

    /// Returns `true` if the service itself made the change: no request waits for the write.
    pub fn is_by_service(&self) -> bool {
        self.event.actor == Role::Service.as_str()
    }

    /// Returns the order after the write, with `sequence` as the sequence number of its last event.
    pub fn stored(&self, sequence: i64) -> Order {
        self.order.with_sequence(sequence.unsigned_abs())
    }

    /// Returns `true` if `stored` is the result of this change. Does not compare the sequence
    /// number, nor the due time, which the service may have moved meanwhile.
    pub fn has_made(&self, stored: &Order) -> bool {
        let after = self.order.changed(|order| {
            order.state.last_sequence = stored.state.last_sequence;
            order.state.due_at = stored.state.due_at;
        });
        after.is_ok_and(|after| after == *stored)
    }
}
