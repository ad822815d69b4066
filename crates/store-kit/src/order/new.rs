//! The rows of an order that is not stored yet.

use pressline_domain::catalog::CatalogVersion;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{ServiceOrderId, StoreId};
use pressline_domain::order::{NewOrder, Order, OrderParts};
use pressline_kit::words::{WordSet, fit};

use crate::{EventRow, ItemRow, OrderRow, StateRow};

/// The search words of an order, but for those of its number.
///
/// # Errors
/// [`RepositoryError::TooLarge`] where they do not [fit].
pub fn fitting_words(parts: &OrderParts) -> Result<WordSet, RepositoryError> {
    let words = parts.words();
    if fit(&words) {
        Ok(words)
    } else {
        Err(RepositoryError::TooLarge("the order's search words"))
    }
}

/// A new order, with all that can be made of it before it has its number, so that the one thread
/// that writes orders has little left to do.
#[derive(Debug, Clone)]
pub struct NewRows {
    /// Nothing once it is [`stored`](Self::stored).
    new: Option<NewOrder>,
    /// Its store.
    pub store: StoreId,
    /// Its row, without its number.
    pub order: OrderRow,
    /// Its search words without those of its number, as the database's index takes them.
    pub words: String,
    /// The rows of its items.
    pub items: Vec<ItemRow>,
    /// Its first state, without the sequence of its event.
    pub state: StateRow,
    /// Its first event, without its sequence.
    pub event: EventRow,
    /// The state of the catalog that it was priced with, where it has to be the present one.
    pub priced_with: Option<i64>,
}

impl NewRows {
    /// Returns the rows of a new order. `join` makes the text of its search words that the
    /// database's index takes.
    ///
    /// # Errors
    /// As [`OrderRow::new`], [`ItemRow::new`] and [`fitting_words`].
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

    /// Its store and the caller's id, which no other order has.
    pub fn key(&self) -> (&str, &str) {
        (&self.order.store_id, &self.order.order_id)
    }

    /// The order with the number that its store gave it and the sequence of its event, once it is
    /// stored.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] where it was asked for before.
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
