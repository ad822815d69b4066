//! Weight of an order: the amount of data to write.

use crate::{ItemRow, OrderRow, Weight};

impl Weight {
    /// Maximum weight of the orders in one transaction, to limit how long other orders wait: the
    /// items of 64 ordinary orders and the bytes of the largest order.
    pub const GROUP: Self = Self {
        items: 256,
        bytes: 1 << 20,
    };

    /// Maximum weight of an order that shares its transaction: ten ordinary orders. A larger order
    /// gets its own transaction, so that it does not delay the small orders of a group.
    pub const SHARED: Self = Self {
        items: 32,
        bytes: 128 << 10,
    };

    /// Returns the weight of `order` with its `items`.
    pub fn new(order: &OrderRow, items: &[ItemRow]) -> Self {
        Self {
            items: items.len(),
            bytes: usize::try_from(order.size).unwrap_or_default(),
        }
    }
}
