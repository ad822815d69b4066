//! The rows of an order that is not stored yet.

use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::{NewOrder, Order};
use pressline_domain::ports::RepositoryError;

use crate::{ItemRow, OrderRow};

/// A new order, with all that can be made of it before it has its number, so that the one thread that writes orders
/// has little left to do.
#[derive(Debug, Clone)]
pub struct NewRows {
    new: NewOrder,
    /// Its row; the number is in it once it is [`numbered`](Self::numbered).
    pub order: OrderRow,
    /// The rows of its items.
    pub items: Vec<ItemRow>,
}

impl NewRows {
    /// The rows of a new order.
    ///
    /// # Errors
    /// As [`OrderRow::of`] and [`ItemRow::of`].
    pub fn of(new: NewOrder) -> Result<Self, RepositoryError> {
        let order = OrderRow::without_number(new.parts())?;
        let items = ItemRow::of_parts(new.parts())?;
        Ok(Self { new, order, items })
    }

    /// Its store and the caller's id, which no other order has.
    #[must_use]
    pub fn key(&self) -> (&str, &str) {
        (&self.order.store_id, &self.order.order_id)
    }

    /// Puts the number into the row, and answers the order that has it.
    pub fn numbered(&mut self, number: ServiceOrderId) -> Order {
        self.order.set_number(&number);
        self.new.clone().numbered(number)
    }
}
