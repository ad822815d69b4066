//! Statements of production that concern a single store; tests check their query plans.

use crate::cold::Cold;
use crate::dialect::Dialect;

pub(super) const FREE: &str =
    "DELETE FROM open_batch_items WHERE store_id = :store_id AND batch = :number";

/// Returns the statement that reads the latest records of an order or, if `of_item`, of an item.
pub(super) fn records_text(of_item: bool) -> String {
    let of_item = if of_item {
        "AND item_id = :item_id"
    } else {
        ""
    };
    format!(
        "SELECT item_id, revision, operator_id, recorded_at, step, units, reason, once
         FROM production_records
         WHERE store_id = :store_id AND order_uuid = :order_uuid {of_item}
         ORDER BY recorded_at DESC, item_id DESC, revision DESC
         LIMIT :count"
    )
}

impl Dialect {
    pub(super) fn progress(&self) -> String {
        format!(
            "SELECT order_uuid, item_id, revision, done, misprints
             FROM item_progress
             WHERE store_id = :store_id AND order_uuid {}
             ORDER BY order_uuid, item_id",
            self.in_texts(":orders")
        )
    }

    pub(super) fn taken(&self) -> String {
        format!(
            "SELECT order_uuid, item_id, batch
             FROM open_batch_items
             WHERE store_id = :store_id AND order_uuid {}
             ORDER BY order_uuid, item_id",
            self.in_texts(":orders")
        )
    }
}

/// Returns the statements about a single store, for tests of their query plans.
pub fn production_statements(dialect: &Dialect, store_id: &str) -> [(&'static str, Cold); 5] {
    let values = [
        ("store_id", store_id.into()),
        ("orders", "[\"order-1\",\"order-2\"]".into()),
        ("order_uuid", "order-1".into()),
        ("item_id", "item-1".into()),
        ("number", 1_i64.into()),
        ("count", 100_i64.into()),
    ];
    [
        ("progress of orders", dialect.progress()),
        ("records of an order", records_text(false)),
        ("records of an item", records_text(true)),
        ("items of orders in open batches", dialect.taken()),
        ("free the items of a batch", FREE.to_owned()),
    ]
    .map(|(name, text)| (name, Cold::new(&text, &values)))
}
