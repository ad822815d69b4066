//! Statements about the progress of items, and about the records of production.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pressline_backoffice::production::{
    ItemProgress, ItemRef, ProductionRecord, ProgressRecord, ProgressRepository, Stamp, StepName,
};
use pressline_domain::error::{RepositoryError, Result, Source};
use pressline_domain::value::{ItemId, OrderId, StoreId, Timestamp};

use super::distinct;
use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::failure::{Failure, restore_all};
use crate::json;
use crate::sql::{Row, Values};

/// Order id, item id, revision, units done at each step, and number of misprinted units.
type ProgressRow = (String, String, i64, String, i64);

#[derive(Clone, PartialEq, Row)]
pub(crate) struct RecordRow {
    pub(crate) store_id: String,
    pub(crate) order_uuid: String,
    pub(crate) item_id: String,
    pub(crate) revision: i64,
    pub(crate) operator_id: String,
    pub(crate) recorded_at: i64,
    pub(crate) step: Option<String>,
    pub(crate) units: i64,
    pub(crate) reason: Option<String>,
    pub(crate) once: Option<String>,
}

impl RecordRow {
    fn new(record: &ProductionRecord) -> Self {
        let (step, units, reason) = match &record.recorded {
            ProgressRecord::Done { step, units } => (Some(step.to_string()), *units, None),
            ProgressRecord::Misprint { units, reason } => (None, *units, Some(reason.clone())),
        };
        Self {
            store_id: record.place.store.to_string(),
            order_uuid: record.place.order.to_string(),
            item_id: record.place.item.to_string(),
            revision: record.revision.into(),
            operator_id: record.stamp.by.to_string(),
            recorded_at: record.stamp.at.as_millis(),
            step,
            units: units.into(),
            reason,
            once: record.once.clone(),
        }
    }

    fn restore(self) -> Result<ProductionRecord> {
        let number = self.revision.to_string();
        let key = [&self.store_id, &self.order_uuid, &self.item_id, &number].map(String::as_str);
        let stored = StoredRow("production_records", &key);
        let units = stored.read("units", u32::try_from(self.units))?;
        let recorded = match (self.step, self.reason) {
            (Some(step), None) => ProgressRecord::Done {
                step: stored.read("step", step.parse())?,
                units,
            },
            (None, Some(reason)) => ProgressRecord::Misprint { units, reason },
            _ => return Err(stored.corrupt("step", "neither a step nor a reason, or both")),
        };
        Ok(ProductionRecord {
            place: ItemRef {
                store: stored.read("store_id", self.store_id.parse())?,
                order: stored.read("order_uuid", self.order_uuid.parse())?,
                item: stored.read("item_id", self.item_id.parse())?,
            },
            revision: stored.read("revision", u32::try_from(self.revision))?,
            stamp: Stamp {
                by: stored.read("operator_id", self.operator_id.parse())?,
                at: Timestamp::from_millis(self.recorded_at),
            },
            recorded,
            once: self.once,
        })
    }
}

/// Returns records of `item`, or of all items of `order` if `item` is `None`, latest first.
fn records(
    db: &mut Db<'_>,
    store: StoreId,
    order: OrderId,
    item: Option<ItemId>,
    count: u32,
) -> Result<Vec<ProductionRecord>, Failure> {
    let mut values = vec![
        ("store_id", store.into()),
        ("order_uuid", order.into()),
        ("count", count.into()),
    ];
    let text = if let Some(item) = item {
        values.push(("item_id", item.into()));
        "SELECT
             store_id, order_uuid, item_id, revision, operator_id, recorded_at, step, units, reason,
             once
         FROM production_records
         WHERE store_id = :store_id
           AND order_uuid = :order_uuid
           AND item_id = :item_id
         ORDER BY recorded_at DESC, item_id DESC, revision DESC
         LIMIT :count"
    } else {
        "SELECT
             store_id, order_uuid, item_id, revision, operator_id, recorded_at, step, units, reason,
             once
         FROM production_records
         WHERE store_id = :store_id
           AND order_uuid = :order_uuid
         ORDER BY recorded_at DESC, item_id DESC, revision DESC
         LIMIT :count"
    };
    let rows = db.load(text, &values)?;
    restore_all(rows, RecordRow::restore)
}

fn of_item(place: ItemRef) -> Values<'static> {
    vec![
        ("store_id", place.store.into()),
        ("order_uuid", place.order.into()),
        ("item_id", place.item.into()),
    ]
}

fn done_text(done: &BTreeMap<StepName, u32>) -> Result<String, RepositoryError> {
    let by_name: BTreeMap<&str, u32> = done
        .iter()
        .map(|(step, units)| (step.as_str(), *units))
        .collect();
    json::write(&by_name)
}

pub(crate) fn read_done(text: &str) -> Result<BTreeMap<StepName, u32>, Source> {
    let by_name: BTreeMap<String, u32> = serde_json::from_str(text)?;
    let steps: Result<_, _> = by_name
        .into_iter()
        .map(|(name, units)| Ok((name.parse::<StepName>()?, units)))
        .collect();
    steps.map_err(|error: pressline_backoffice::production::InvalidStepName| error.into())
}

fn restored_progress(
    store: StoreId,
    (order, item, revision, done, misprints): ProgressRow,
) -> Result<ItemProgress, RepositoryError> {
    let store_id = store.to_string();
    let stored = StoredRow("item_progress", &[&store_id, &order, &item]);
    Ok(ItemProgress {
        place: ItemRef {
            store,
            order: stored.read("order_uuid", order.parse())?,
            item: stored.read("item_id", item.parse())?,
        },
        revision: stored.read("revision", u32::try_from(revision))?,
        done: stored.read("done", read_done(&done))?,
        misprints: stored.read("misprints", u32::try_from(misprints))?,
    })
}

#[async_trait]
impl ProgressRepository for ColdStore {
    #[tracing::instrument(name = "db.progress.record", level = "debug", skip_all)]
    async fn record(&self, progress: &ItemProgress, record: &ProductionRecord) -> Result<()> {
        let (progress, record) = (progress.clone(), record.clone());
        self.call(Access::Transaction, move |db| {
            // An earlier attempt may have been committed after all.
            if db.in_doubt && is_recorded(db, &record)? {
                return Ok(());
            }
            let mut values = of_item(progress.place);
            values.extend([
                ("revision", progress.revision.into()),
                ("done", done_text(&progress.done)?.into()),
                ("misprints", progress.misprints.into()),
            ]);
            let text = if progress.revision == 1 {
                "INSERT INTO item_progress
                     (store_id, order_uuid, item_id, revision, done, misprints)
                 VALUES (:store_id, :order_uuid, :item_id, :revision, :done, :misprints)
                 ON CONFLICT DO NOTHING"
            } else {
                "UPDATE item_progress
                 SET revision = :revision, done = :done, misprints = :misprints
                 WHERE store_id = :store_id
                   AND order_uuid = :order_uuid
                   AND item_id = :item_id
                   AND revision = :revision - 1"
            };
            // Nothing changes if another call has stored this revision.
            if db.execute(text, &values)? == 0 {
                return Err(RepositoryError::Stale.into());
            }
            db.run(
                "INSERT INTO production_records (
                     store_id, order_uuid, item_id, revision, operator_id, recorded_at, step, units,
                     reason, once
                 )
                 VALUES (
                     :store_id, :order_uuid, :item_id, :revision, :operator_id, :recorded_at, :step,
                     :units, :reason, :once
                 )",
                &RecordRow::new(&record).parameters(),
            )
        })
        .await
    }

    #[tracing::instrument(name = "db.progress.find", level = "debug", skip_all)]
    async fn progress(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<ItemProgress>> {
        let orders = orders.to_vec();
        self.call(Access::Read, move |db| {
            let text = Texts {
                postgres: "SELECT order_uuid, item_id, revision, done, misprints
                     FROM item_progress
                     WHERE store_id = :store_id
                       AND order_uuid = ANY(ARRAY(SELECT json_array_elements_text(:orders::json)))
                     ORDER BY order_uuid, item_id",
                sqlite: "SELECT order_uuid, item_id, revision, done, misprints
                     FROM item_progress
                     WHERE store_id = :store_id
                       AND order_uuid IN (SELECT value FROM json_each(:orders))
                     ORDER BY order_uuid, item_id",
            };
            let values = [
                ("store_id", store.into()),
                ("orders", json::write(&distinct(&orders))?.into()),
            ];
            let rows = db.load::<ProgressRow>(text, &values)?;
            restore_all(rows, |row| restored_progress(store, row))
        })
        .await
    }

    #[tracing::instrument(name = "db.progress.records", level = "debug", skip_all)]
    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>> {
        self.call(Access::Read, move |db| {
            records(db, store, order, item, count)
        })
        .await
    }
}

fn is_recorded(db: &mut Db<'_>, record: &ProductionRecord) -> Result<bool, Failure> {
    let place = record.place;
    let (store, order, item) = (place.store, place.order, Some(place.item));
    let records = records(db, store, order, item, u32::MAX)?;
    Ok(records.contains(record))
}
