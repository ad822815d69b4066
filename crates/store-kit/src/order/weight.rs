//! How much there is to write for an order.

use crate::{ItemRow, OrderRow, Weight};

impl Weight {
    /// Maximum weight of the orders that share a transaction: the items of 64 ordinary orders, and
    /// the bytes of the largest order. No order waits for more than that.
    pub const GROUP: Self = Self {
        items: 256,
        bytes: 1 << 20,
    };

    /// Maximum weight of an order that shares its transaction: ten ordinary orders. A larger one has a
    /// transaction of its own, and does not delay the small orders of a group.
    pub const SHARED: Self = Self {
        items: 32,
        bytes: 128 << 10,
    };

    /// The weight of an order with its items: the texts whose length the caller decides.
    #[must_use]
    pub fn of(order: &OrderRow, items: &[ItemRow]) -> Self {
        let bytes = order_bytes(order) + items.iter().map(item_bytes).sum::<usize>();
        Self {
            items: items.len(),
            bytes,
        }
    }
}

fn order_bytes(row: &OrderRow) -> usize {
    let texts = [
        &row.label_url,
        &row.email,
        &row.shipping_address,
        &row.billing_address,
        &row.customer_first_name,
        &row.customer_last_name,
        &row.production_note,
    ];
    row.order_id.len()
        + row.fingerprint.len()
        + row.fee_lines.len()
        + texts.into_iter().map(length).sum::<usize>()
}

fn item_bytes(row: &ItemRow) -> usize {
    let texts = [&row.ref_id, &row.name, &row.ship_class];
    let lists = [&row.sku, &row.file_urls, &row.mockup_images, &row.areas];
    texts.into_iter().map(length).sum::<usize>() + lists.into_iter().map(String::len).sum::<usize>()
}

fn length(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}
