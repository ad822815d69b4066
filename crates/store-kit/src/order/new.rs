//! Rows of a new order, before the order is written.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::order::{NewOrder, Order, OrderParts};
use pressline_domain::value::{ServiceOrderId, StoreId};
use pressline_kit::words::{WordSet, fit};

use crate::{EventRow, ItemRow, OrderRow, StateRow};

/// Returns the search words of an order, without the words of the order number.
///
/// # Errors
/// [`RepositoryError::TooLarge`] if the words are too many or too long to be stored, see [`fit`].
pub fn fitting_words(parts: &OrderParts) -> Result<WordSet> {
    let words = parts.words();
    if fit(&words) {
        Ok(words)
    } else {
        Err(RepositoryError::TooLarge("the order's search words"))
    }
}

/// Rows of a new order, prepared before the thread of a write shard assigns the order number.
#[derive(Debug, Clone)]
pub struct NewRows {
    /// The order without its number; `None` after the call of [`stored`](Self::stored).
    new: Option<NewOrder>,
    /// Id of the order's store.
    pub store: StoreId,
    /// Row of the order in the table `orders`, without its number.
    pub order: OrderRow,
    /// Search words for the database's word index, without the words of the order number.
    pub words: String,
    /// Rows of the line items.
    pub items: Vec<ItemRow>,
    /// Row of the order's first state, without the sequence number of the event.
    pub state: StateRow,
    /// Row of the order's first event, without its sequence number.
    pub event: EventRow,
    /// Catalog version of the order's prices, checked on writing; `None` skips the check.
    pub priced_with: Option<i64>,
}

impl NewRows {
    /// Creates the rows of `new`. `join` converts search words for the database's word index.
    pub fn new(
        new: NewOrder,
        priced_with: Option<CatalogVersion>,
        join: fn(&WordSet) -> String,
    ) -> Result<Self> {
        let (parts, placement) = (new.parts(), new.placement());
        Ok(Self {
            store: parts.store_id,
            order: OrderRow::without_number(parts)?,
            words: join(&fitting_words(parts)?),
            items: ItemRow::new(parts)?,
            state: StateRow::first(parts, &placement.state)?,
            event: EventRow::new(parts.store_id, &placement.event)?,
            priced_with: priced_with.map(|version| version.0),
            new: Some(new),
        })
    }

    /// Returns the store id and the store's own order id, as text. Together they are unique.
    pub fn key(&self) -> (&str, &str) {
        (&self.order.store_id, &self.order.order_id)
    }

    /// Returns the order after the write. `sequence` belongs to its event. May be called once.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if called before.
    pub fn stored(&mut self, number: ServiceOrderId, sequence: i64) -> Result<Order> {
        let new = self
            .new
            .take()
            .ok_or_else(|| RepositoryError::Refused("an order is stored once".into()))?;
        new.stored(number, sequence.unsigned_abs())
    }
}
