//! Rows of shipments and of fee lines that operators added. Each row holds a JSON document, which
//! is read and replaced as a whole.

use pressline_domain::error::RepositoryError;
use pressline_domain::event::Value;
use pressline_domain::fulfilment::{CanonicalNumber, Change};

use crate::json;
use crate::sql::Row;

/// Row of a shipment in the table `shipments`.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct ShipmentRow {
    pub store_id: String,
    pub order_uuid: String,
    pub position: i32,
    pub id: String,
    pub tracking_number: Option<String>,
    pub document: String,
}

/// Row of a fee line that an operator added, in the table `fee_corrections`.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct CorrectionRow {
    pub store_id: String,
    pub order_uuid: String,
    pub position: i32,
    pub document: String,
}

impl ShipmentRow {
    /// Creates the row of the shipment that `change` adds or changes; `None` without a shipment.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if the shipment cannot be written as JSON.
    pub fn new(change: &Change) -> Result<Option<Self>, RepositoryError> {
        let content = &change.order.content;
        // Positions count all shipments, not only the changed one.
        let shipments = (0..).zip(&change.order.shipments);
        let changed_id = change.event.shipment.as_ref().map(|changed| changed.id);
        let mut changed = shipments.filter(|(_, shipment)| Some(shipment.id) == changed_id);
        let row = changed.next().map(|(position, shipment)| {
            Ok(Self {
                store_id: content.store_id.to_string(),
                order_uuid: content.id.to_string(),
                position,
                id: shipment.id.to_string(),
                tracking_number: shipment.tracking_number.as_deref().map(canonical),
                document: json::write(shipment)?,
            })
        });
        row.transpose()
    }
}

fn canonical(number: &str) -> String {
    CanonicalNumber::new(number).as_str().to_owned()
}

impl CorrectionRow {
    /// Creates the rows of the fee lines that `change` adds.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if a fee line cannot be written as JSON.
    pub fn new(change: &Change) -> Result<Vec<Self>, RepositoryError> {
        let content = &change.order.content;
        let is_added = |id| {
            let mut changes = change.event.changes.iter();
            changes.any(|change| matches!(&change.new, Value::Correction(added) if added.id == id))
        };
        // Positions count all fee lines, not only new lines.
        let lines = (0..).zip(&change.order.corrections);
        let added = lines.filter(|(_, line)| is_added(line.id));
        let row = |(position, line)| {
            Ok(Self {
                store_id: content.store_id.to_string(),
                order_uuid: content.id.to_string(),
                position,
                document: json::write(line)?,
            })
        };
        added.map(row).collect()
    }
}
