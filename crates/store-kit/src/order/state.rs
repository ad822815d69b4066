//! Row of an order's state, the frequently changed values of the order.

use std::num::TryFromIntError;

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::fulfilment::{OrderState, SnapshotParts};
use pressline_domain::order::{LineItem, OrderParts};
use pressline_domain::value::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bitmask::status_bitmask;
use crate::corrupt::StoredRow;
use crate::json::{self, moves};
use crate::sql::Row;

/// Row of an order's state in the table `order_states`.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct StateRow {
    pub store_id: String,
    pub id: String,
    pub version: i32,
    pub updated_at: i64,
    pub last_sequence: i64,
    pub due_at: Option<i64>,
    pub cooling_off_seconds: i32,
    pub item_count: i32,
    pub items: String,
    pub status_bitmask: i16,
    pub pending: Option<String>,
    pub needs: Option<String>,
    pub replaces: Option<String>,
    pub replaced_by: Option<String>,
    pub shipments: i32,
    pub corrections: i32,
}

impl StateRow {
    /// Creates the row of the state of `order`.
    pub fn new(order: &SnapshotParts) -> Result<Self, RepositoryError> {
        let content = &order.content;
        let mut row = Self::first(content, &order.state)?;
        row.shipments = number(order.shipments.len())?;
        row.corrections = number(order.corrections.len())?;
        Ok(row)
    }

    /// Creates the row for an order without shipments and corrections.
    pub(crate) fn first(content: &OrderParts, state: &OrderState) -> Result<Self, RepositoryError> {
        let pending = state.pending.as_ref();
        Ok(Self {
            store_id: content.store_id.to_string(),
            id: content.id.to_string(),
            version: number(state.version)?,
            updated_at: state.updated_at.as_millis(),
            last_sequence: i64::try_from(state.last_sequence).unwrap_or(i64::MAX),
            due_at: state.due_at.map(Timestamp::as_millis),
            cooling_off_seconds: number(state.cooling_off_seconds)?,
            item_count: number(state.item_count)?,
            items: moves::write_items(&state.items)?,
            status_bitmask: status_bitmask(state, content.kind()),
            pending: pending.map(json::write).transpose()?,
            needs: list(&state.needs)?,
            replaces: state.replaces.as_ref().map(ToString::to_string),
            replaced_by: list(&state.replaced_by)?,
            // `new` sets both counts.
            shipments: 0,
            corrections: 0,
        })
    }

    pub(super) fn restore(&self, lines: &[LineItem]) -> Result<OrderState, RepositoryError> {
        let stored = StoredRow("order_states", &[&self.store_id, &self.id]);
        let window = u32::try_from(self.cooling_off_seconds);
        let pending = self.pending.as_deref();
        let ids = lines.iter().map(|line| line.id);
        Ok(OrderState {
            version: stored.read("version", u32::try_from(self.version))?,
            updated_at: Timestamp::from_millis(self.updated_at),
            last_sequence: stored.read("last_sequence", u64::try_from(self.last_sequence))?,
            due_at: self.due_at.map(Timestamp::from_millis),
            cooling_off_seconds: stored.read("cooling_off_seconds", window)?,
            item_count: stored.read("item_count", u32::try_from(self.item_count))?,
            pending: stored.read_option("pending", pending, serde_json::from_str)?,
            needs: stored.read("needs", read_list(self.needs.as_deref()))?,
            replaces: stored.read_option("replaces", self.replaces.as_deref(), str::parse)?,
            replaced_by: stored.read("replaced_by", read_list(self.replaced_by.as_deref()))?,
            items: stored.read("items", moves::read_items(&self.items, ids))?,
        })
    }
}

/// Returns `None` if `values` is empty, as in nearly all orders.
fn list<T: Serialize>(values: &[T]) -> Result<Option<String>, RepositoryError> {
    if values.is_empty() {
        return Ok(None);
    }
    json::write(&values).map(Some)
}

pub(crate) fn read_list<T: DeserializeOwned>(text: Option<&str>) -> Result<Vec<T>, Source> {
    Ok(text
        .map(serde_json::from_str)
        .transpose()?
        .unwrap_or_default())
}

fn number<N: TryInto<i32, Error = TryFromIntError>>(number: N) -> Result<i32, RepositoryError> {
    let number = number.try_into();
    number.map_err(|error| RepositoryError::Refused(error.into()))
}
