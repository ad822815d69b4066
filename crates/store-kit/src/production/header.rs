//! Rows of batches.

use pressline_backoffice::production::{BatchHeader, BatchNumber, ItemRef, Stamp};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{ItemId, OrderId, StoreId, Timestamp};

use crate::corrupt::StoredRow;
use crate::sql::Row;

#[derive(Clone, PartialEq, Row)]
pub(crate) struct HeaderRow {
    pub(crate) number: i64,
    pub(crate) name: Option<String>,
    pub(crate) item_count: i64,
    pub(crate) created_by: String,
    pub(crate) created_at: i64,
    pub(crate) started_by: Option<String>,
    pub(crate) started_at: Option<i64>,
    pub(crate) closed_by: Option<String>,
    pub(crate) closed_at: Option<i64>,
}

/// Names `table` and `column` in an error.
pub(crate) fn batch_number(
    table: &'static str,
    column: &'static str,
    number: i64,
) -> Result<BatchNumber, RepositoryError> {
    let key = number.to_string();
    let stored = StoredRow(table, &[&key]);
    let given = u32::try_from(number).ok().and_then(BatchNumber::new);
    stored.read(column, given.ok_or("not the number of a batch"))
}

impl HeaderRow {
    pub(super) fn restore(self) -> Result<BatchHeader, RepositoryError> {
        let key = self.number.to_string();
        let stored = StoredRow("batches", &[&key]);
        let stamp = |column, by: Option<String>, at: Option<i64>| match (by, at) {
            (None, None) => Ok(None),
            (Some(by), Some(at)) => Ok(Some(Stamp {
                by: stored.read(column, by.parse())?,
                at: Timestamp::from_millis(at),
            })),
            _ => Err(stored.corrupt(column, "who without when, or when without who")),
        };
        let created = Stamp {
            by: stored.read("created_by", self.created_by.parse())?,
            at: Timestamp::from_millis(self.created_at),
        };
        Ok(BatchHeader {
            number: batch_number("batches", "number", self.number)?,
            name: self.name,
            item_count: stored.read("item_count", u32::try_from(self.item_count))?,
            created,
            started: stamp("started_by", self.started_by, self.started_at)?,
            closed: stamp("closed_by", self.closed_by, self.closed_at)?,
        })
    }
}

pub(super) fn read_items(number: BatchNumber, text: &str) -> Result<Vec<ItemRef>, RepositoryError> {
    let key = number.get().to_string();
    let stored = StoredRow("batches", &[&key]);
    let items: Vec<(StoreId, OrderId, ItemId)> =
        stored.read("items", serde_json::from_str(text))?;
    let place = |(store, order, item)| ItemRef { store, order, item };
    Ok(items.into_iter().map(place).collect())
}
