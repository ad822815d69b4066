//! Statements about the progress of items, and about the records of production.

use std::collections::BTreeMap;

use pressline_backoffice::production::{
    ItemProgress, ItemRef, ProductionRecord, ProgressRecord, Stamp, StepName,
};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::value::id::{ItemId, OrderId, StoreId};
use pressline_domain::value::time::Timestamp;

use super::order_texts;
use super::statements::records_text;
use crate::cold_store::Db;
use crate::cold_value::Values;
use crate::corrupt::StoredRow;
use crate::failure::{Failure, restore_all};
use crate::json;

/// Order id, item id, revision, units done at each step, and number of misprinted units.
type ProgressRow = (String, String, i64, String, i64);

/// Item id, revision, operator, time, step, units, reason, and idempotency key of the request.
type RecordRow = (
    String,
    i64,
    String,
    i64,
    Option<String>,
    i64,
    Option<String>,
    Option<String>,
);

/// Stores `progress`, and adds `record` to the records of production. Returns `false` unless the
/// revision in the database is `progress.revision` - 1.
pub(super) fn record(
    db: &mut Db<'_>,
    progress: &ItemProgress,
    record: &ProductionRecord,
) -> Result<bool, Failure> {
    let mut values = of_item(progress.place);
    values.extend([
        ("revision", progress.revision.into()),
        ("done", done_text(&progress.done)?.into()),
        ("misprints", progress.misprints.into()),
    ]);
    // Inserting nothing means that another call has stored the first revision.
    let text = if progress.revision == 1 {
        "INSERT INTO item_progress (store_id, order_uuid, item_id, revision, done, misprints)
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
    if db.execute(text, &values)? == 0 {
        return Ok(false);
    }
    add_record(db, record)?;
    Ok(true)
}

fn add_record(db: &mut Db<'_>, record: &ProductionRecord) -> Result<(), Failure> {
    let (step, units, reason) = match &record.recorded {
        ProgressRecord::Done { step, units } => (Some(step.to_string()), *units, None),
        ProgressRecord::Misprint { units, reason } => (None, *units, Some(reason.clone())),
    };
    let mut values = of_item(record.place);
    values.extend([
        ("revision", record.revision.into()),
        ("operator_id", record.stamp.by.into()),
        ("recorded_at", record.stamp.at.into()),
        ("step", step.into()),
        ("units", units.into()),
        ("reason", reason.into()),
        ("once", record.once.clone().into()),
    ]);
    db.run(
        "INSERT INTO production_records
             (store_id, order_uuid, item_id, revision, operator_id, recorded_at, step, units, reason, once)
         VALUES
             (:store_id, :order_uuid, :item_id, :revision, :operator_id, :recorded_at, :step, :units, :reason, :once)",
        &values,
    )
}

/// Returns the progress of the items of `orders`, sorted by order id and item id. Omits items
/// without progress.
pub(super) fn progress(
    db: &mut Db<'_>,
    store: StoreId,
    orders: &[OrderId],
) -> Result<Vec<ItemProgress>, Failure> {
    let text = db.dialect.progress();
    let values = [
        ("store_id", store.into()),
        ("orders", json::write(&order_texts(orders))?.into()),
    ];
    let rows = db.load::<ProgressRow>(&text, &values)?;
    restore_all(rows, |row| restored_progress(store, row))
}

/// Returns records of `item`, or of all items of `order` if `item` is `None`, latest first.
pub(super) fn records(
    db: &mut Db<'_>,
    store: StoreId,
    order: OrderId,
    item: Option<ItemId>,
    count: u32,
) -> Result<Vec<ProductionRecord>, Failure> {
    let text = records_text(item.is_some());
    let mut values = vec![
        ("store_id", store.into()),
        ("order_uuid", order.into()),
        ("count", count.into()),
    ];
    values.extend(item.map(|item| ("item_id", item.into())));
    let rows = db.load::<RecordRow>(&text, &values)?;
    restore_all(rows, |row| restored_record(store, order, row))
}

fn of_item(place: ItemRef) -> Values {
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
    let steps = by_name.into_iter();
    let steps: Result<_, _> = steps
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

fn restored_record(
    store: StoreId,
    order: OrderId,
    (item, revision, operator, at, step, units, reason, once): RecordRow,
) -> Result<ProductionRecord, RepositoryError> {
    let (store_id, order_uuid, number) =
        (store.to_string(), order.to_string(), revision.to_string());
    let key = [store_id.as_str(), &order_uuid, &item, &number];
    let stored = StoredRow("production_records", &key);
    let units = stored.read("units", u32::try_from(units))?;
    let recorded = match (step, reason) {
        (Some(step), None) => ProgressRecord::Done {
            step: stored.read("step", step.parse())?,
            units,
        },
        (None, Some(reason)) => ProgressRecord::Misprint { units, reason },
        _ => return Err(stored.corrupt("step", "neither a step nor a reason, or both")),
    };
    Ok(ProductionRecord {
        place: ItemRef {
            store,
            order,
            item: stored.read("item_id", item.parse())?,
        },
        revision: stored.read("revision", u32::try_from(revision))?,
        stamp: Stamp {
            by: stored.read("operator_id", operator.parse())?,
            at: Timestamp::from_millis(at),
        },
        recorded,
        once,
    })
}
