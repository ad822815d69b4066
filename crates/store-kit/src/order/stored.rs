//! Rows of an order, as read from the database.

use std::sync::Arc;

use pressline_domain::check::checked::Checked;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::order::Order;
use serde::de::DeserializeOwned;

use super::state::StateRow;
use super::{ItemRow, OrderRow};
use crate::corrupt::StoredRow;

/// All rows of an order.
#[derive(Debug, Clone)]
pub struct StoredOrder {
    /// Row with the order's content.
    pub order: OrderRow,
    /// Row with the order's state.
    pub state: StateRow,
    /// Rows of the line items, sorted by position.
    pub items: Vec<ItemRow>,
    /// JSON documents of the shipments, sorted by position.
    pub shipments: Vec<String>,
    /// JSON documents of the fee lines that operators added, sorted by position.
    pub corrections: Vec<String>,
}

impl StoredOrder {
    /// Converts the rows to the order, and checks that the values fit together.
    pub fn restore(self) -> Result<Order, RepositoryError> {
        let Self {
            order: row,
            state: state_row,
            items,
            shipments,
            corrections,
        } = self;
        let key = [row.store_id.as_str(), row.id.as_str()];
        let content = row.restore(items)?;
        let state = state_row.restore(&content.items)?;
        let parts = SnapshotParts {
            service_order_id: row.number()?,
            content: Arc::new(content),
            state,
            shipments: StoredRow("shipments", &key).read("document", documents(&shipments))?,
            corrections: StoredRow("fee_corrections", &key)
                .read("document", documents(&corrections))?,
        };
        // A failed check concerns several columns, so the error names the id.
        StoredRow("orders", &key).read("id", Checked::new(parts.with_shipped_units()))
    }
}

fn documents<T: DeserializeOwned>(texts: &[String]) -> Result<Vec<T>, Source> {
    let read = texts.iter().map(|text| Ok(serde_json::from_str(text)?));
    read.collect()
}
