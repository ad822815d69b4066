//! How much there is to write for an order.

use crate::{ItemRow, OrderRow, Weight};

impl Weight {
    /// The most that one transaction writes: as many items as 64 ordinary orders have, and twice
    /// the bytes of the largest order, so that the orders of other stores never wait for more than
    /// that.
    pub const GROUP: Self = Self {
        items: 256,
        bytes: 2 << 20,
    };

    /// Returns the weight of an order with its items.
    #[must_use]
    pub fn of(order: &OrderRow, items: &[ItemRow]) -> Self {
        Self {
            items: items.len(),
            bytes: usize::try_from(order.size).unwrap_or_default(),
        }
    }
}
