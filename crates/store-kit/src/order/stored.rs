//! The rows that an order is read from.

use std::sync::Arc;

use pressline_domain::checked::Checked;
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
    /// The content without the items.
    pub order: OrderRow,
    /// The state.
    pub state: StateRow,
    /// The items by their positions.
    pub items: Vec<ItemRow>,
    /// The shipments by their positions: a JSON document each.
    pub shipments: Vec<String>,
    /// The fee lines that operators added, by their positions: a JSON document each.
    pub corrections: Vec<String>,
}

impl StoredOrder {
    /// Returns the order.
    ///
    /// # Errors
    /// [`RepositoryError::Corrupt`] where a column does not hold what it should.
    pub fn restore(self) -> Result<Order, RepositoryError> {
        let Self {
            order: row,
            state,
            items,
            shipments,
            corrections,
        } = self;
        let key = [row.store_id.as_str(), row.id.as_str()];
        let content = row.restore(items)?;
        let state = state.restore(&content.items)?;
        let parts = SnapshotParts {
            service_order_id: row.number()?,
            content: Arc::new(content),
            state,
            shipments: StoredRow("shipments", &key).read("document", documents(&shipments))?,
            corrections: StoredRow("fee_corrections", &key)
                .read("document", documents(&corrections))?,
        };
        // A rule about several columns is broken, so that no column can be named but the id.
        StoredRow("orders", &key).read("id", Checked::new(parts.with_shipped_units()))
    }
}

fn documents<T: DeserializeOwned>(texts: &[String]) -> Result<Vec<T>, Source> {
    let read = texts.iter().map(|text| Ok(serde_json::from_str(text)?));
    read.collect()
}
