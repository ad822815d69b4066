//! Rows of an order that is not stored yet.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{NewOrder, Order, OrderParts};
use pressline_domain::value::id::{ServiceOrderId, StoreId};
use pressline_kit::words::{WordSet, fit};

use crate::{EventRow, ItemRow, OrderRow, StateRow};

/// Returns the search words of an order, without the words of its number.
///
/// # Errors
/// [`RepositoryError::TooLarge`] if the words do not [fit].
pub fn fitting_words(parts: &OrderParts) -> Result<WordSet, RepositoryError> {
    let words = parts.words();
    if fit(&words) {
        Ok(words)
    } else {
        Err(RepositoryError::TooLarge("the order's search words"))
    }
}

/// A new order, prepared as far as possible before it has its number, so that the single writer
/// thread has little left to do.
#[derive(Debug, Clone)]
pub struct NewRows {
    /// `None` after [`stored`](Self::stored).
    new: Option<NewOrder>,
    /// Store of the order.
    pub store: StoreId,
    /// Row of the order, without its number.
    pub order: OrderRow,
    /// Search words in the form of the database's index, without the words of the order number.
    pub words: String,
    /// Rows of the line items.
    pub items: Vec<ItemRow>,
    /// First state, without the sequence number of the event.
    pub state: StateRow,
    /// First event, without its sequence number.
    pub event: EventRow,
    /// Catalog version used for pricing. The write requires that it is still current; `None` skips
    /// this check.
    pub priced_with: Option<i64>,
}

impl NewRows {
    /// Creates the rows of a new order. `join` converts search words to the form of the database's
    /// index.
    ///
    /// # Errors
    /// Same errors as [`OrderRow::new`], [`ItemRow::new`] and [`fitting_words`].
    pub fn new(
        new: NewOrder,
        priced_with: Option<CatalogVersion>,
        join: fn(&WordSet) -> String,
    ) -> Result<Self, RepositoryError> {
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

    /// Returns the store's id and the caller's order id. Together they are unique.
    pub fn key(&self) -> (&str, &str) {
        (&self.order.store_id, &self.order.order_id)
    }

    /// Returns the stored order with its `number` and the `sequence` number of its event.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if called before.
    pub fn stored(
        &mut self,
        number: ServiceOrderId,
        sequence: i64,
    ) -> Result<Order, RepositoryError> {
        let new = self
            .new
            .take()
            .ok_or_else(|| RepositoryError::Refused("an order is stored once".into()))?;
        new.stored(number, sequence.unsigned_abs())
    }
}
