//! Statements about batches, and about the items in open batches.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pressline_backoffice::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, BatchRepository, CreatedBatch, ItemRef, NewBatch,
    Stamp,
};
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, StoreId};
use serde_json::json;

use super::header::{HeaderRow, batch_number, read_items};
use super::{by_store, distinct};
use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::failure::{Failure, restore_all};
use crate::json;
use crate::sql::Value;

/// Order id, item id and batch number of an item in an open batch.
type ItemInBatchRow = (String, String, i64);

/// Batches with numbers below `:before`, latest first. A caller limited to some stores must not see a
/// batch that contains an item of another store.
const ALL_BATCHES: Texts = Texts {
    postgres: include_str!("sql/batches.postgres.sql"),
    sqlite: include_str!("sql/batches.sqlite.sql"),
};

/// Like [`ALL_BATCHES`], but only batches that are not closed: they have an index.
const OPEN_BATCHES: Texts = Texts {
    postgres: include_str!("sql/batches_open.postgres.sql"),
    sqlite: include_str!("sql/batches_open.sqlite.sql"),
};

/// Like [`ALL_BATCHES`], but only closed batches.
const CLOSED_BATCHES: Texts = Texts {
    postgres: include_str!("sql/batches_closed.postgres.sql"),
    sqlite: include_str!("sql/batches_closed.sqlite.sql"),
};

/// Locks the batch counter until the transaction ends.
fn next_number(db: &mut Db<'_>) -> Result<BatchNumber, Failure> {
    let text = "SELECT last_number FROM batch_counter WHERE id = 1 FOR UPDATE";
    let latest = db.first::<i64>(text, &[])?.unwrap_or_default();
    Ok(batch_number(
        "batch_counter",
        "last_number",
        latest.saturating_add(1),
    )?)
}

fn add_header(db: &mut Db<'_>, header: &BatchHeader, items: &[ItemRef]) -> Result<(), Failure> {
    let stored: Vec<_> = items
        .iter()
        .map(|place| (place.store, place.order, place.item))
        .collect();
    db.execute(
        "INSERT INTO batches (number, name, items, item_count, created_by, created_at)
         VALUES (:number, :name, :items, :item_count, :created_by, :created_at)",
        &[
            of_batch(header.number),
            ("name", header.name.clone().into()),
            ("items", json::write(&stored)?.into()),
            ("item_count", header.item_count.into()),
            ("created_by", header.created.by.into()),
            ("created_at", header.created.at.into()),
        ],
    )?;
    let store_ids: Vec<StoreId> = by_store(items).into_keys().collect();
    let text = Texts {
        postgres: "INSERT INTO batch_stores (number, store_id)
             SELECT :number, value
             FROM json_array_elements_text(:stores::json) AS given(value)",
        sqlite: "INSERT INTO batch_stores (number, store_id)
             SELECT :number, value
             FROM json_each(:stores)",
    };
    let stores = ("stores", json::write(&store_ids)?.into());
    db.run(text, &[of_batch(header.number), stores])
}

/// Fails, because of the primary key, if an item is already in an open batch.
fn take(
    db: &mut Db<'_>,
    store: StoreId,
    items: &[ItemRef],
    batch: BatchNumber,
) -> Result<(), Failure> {
    let given: Vec<_> = items
        .iter()
        .map(|place| json!({ "order_uuid": place.order, "item_id": place.item }))
        .collect();
    let text = Texts {
        postgres: "INSERT INTO open_batch_items (store_id, order_uuid, item_id, batch)
             SELECT :store_id, order_uuid, item_id, :number
             FROM json_to_recordset(:rows::json) AS given(order_uuid text, item_id text)",
        sqlite: "INSERT INTO open_batch_items (store_id, order_uuid, item_id, batch)
             SELECT :store_id, value ->> 'order_uuid', value ->> 'item_id', :number
             FROM json_each(:rows)",
    };
    let values = [
        ("store_id", store.into()),
        of_batch(batch),
        ("rows", json::write(&given)?.into()),
    ];
    db.run(text, &values)
}

fn taken_of(db: &mut Db<'_>, items: &[ItemRef]) -> Result<BTreeMap<ItemRef, BatchNumber>, Failure> {
    let mut taken = BTreeMap::new();
    for (store, of_store) in by_store(items) {
        let orders: Vec<OrderId> = of_store.iter().map(|place| place.order).collect();
        taken.extend(in_open_batches(db, store, &orders)?);
    }
    taken.retain(|place, _| items.contains(place));
    Ok(taken)
}

fn in_open_batches(
    db: &mut Db<'_>,
    store: StoreId,
    orders: &[OrderId],
) -> Result<BTreeMap<ItemRef, BatchNumber>, Failure> {
    let text = Texts {
        postgres: "SELECT order_uuid, item_id, batch
             FROM open_batch_items
             WHERE store_id = :store_id
               AND order_uuid = ANY(ARRAY(SELECT json_array_elements_text(:orders::json)))
             ORDER BY order_uuid, item_id",
        sqlite: "SELECT order_uuid, item_id, batch
             FROM open_batch_items
             WHERE store_id = :store_id
               AND order_uuid IN (SELECT value FROM json_each(:orders))
             ORDER BY order_uuid, item_id",
    };
    let values = [
        ("store_id", store.into()),
        ("orders", json::write(&distinct(orders))?.into()),
    ];
    let rows = db.load::<ItemInBatchRow>(text, &values)?;
    let items = rows.into_iter().map(|row| restored_item(store, row));
    Ok(items.collect::<Result<_>>()?)
}

fn find(db: &mut Db<'_>, number: BatchNumber) -> Result<Option<Batch>, Failure> {
    let Some(header) = header(db, number)? else {
        return Ok(None);
    };
    let items = db
        .first::<String>(
            "SELECT items FROM batches WHERE number = :number",
            &[of_batch(number)],
        )?
        .unwrap_or_default();
    Ok(Some(Batch {
        header,
        items: read_items(number, &items)?,
    }))
}

fn header(db: &mut Db<'_>, number: BatchNumber) -> Result<Option<BatchHeader>, Failure> {
    let text = "SELECT
             number, name, item_count, created_by, created_at, started_by, started_at, closed_by,
             closed_at
         FROM batches WHERE number = :number";
    let header = db.first::<HeaderRow>(text, &[of_batch(number)])?;
    Ok(header.map(HeaderRow::restore).transpose()?)
}

fn of_batch(number: BatchNumber) -> (&'static str, Value<'static>) {
    ("number", number.get().into())
}

fn stamped(number: BatchNumber, stamp: Stamp) -> [(&'static str, Value<'static>); 3] {
    [
        of_batch(number),
        ("by", stamp.by.into()),
        ("at", stamp.at.into()),
    ]
}

fn restored_item(
    store: StoreId,
    (order, item, batch): ItemInBatchRow,
) -> Result<(ItemRef, BatchNumber)> {
    let store_id = store.to_string();
    let stored = StoredRow("open_batch_items", &[&store_id, &order, &item]);
    let place = ItemRef {
        store,
        order: stored.read("order_uuid", order.parse())?,
        item: stored.read("item_id", item.parse())?,
    };
    Ok((place, batch_number("open_batch_items", "batch", batch)?))
}

#[async_trait]
impl BatchRepository for ColdStore {
    #[tracing::instrument(name = "db.batch.create", level = "debug", skip_all)]
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch> {
        let batch = batch.clone();
        self.call(Access::AcrossStores, move |db| {
            let number = next_number(db)?;
            // Checked under the lock of the batch counter: a concurrent batch cannot take the items
            // in between.
            let taken = taken_of(db, &batch.items)?;
            if let Some((_, first)) = taken.first_key_value() {
                // An earlier attempt may have been committed, so that the items are in this very
                // batch.
                let own = if db.in_doubt {
                    own_batch(db, *first, &batch)?
                } else {
                    None
                };
                return Ok(own.map_or(CreatedBatch::Taken(taken), CreatedBatch::Stored));
            }
            // Only now, so that a refused batch uses no number.
            db.execute(
                "UPDATE batch_counter SET last_number = :number WHERE id = 1",
                &[of_batch(number)],
            )?;
            let header = BatchHeader::of_new(number, &batch);
            add_header(db, &header, &batch.items)?;
            for (store, items) in by_store(&batch.items) {
                take(db, store, &items, number)?;
            }
            Ok(CreatedBatch::Stored(header))
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.find", level = "debug", skip_all)]
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>> {
        self.call(Access::Read, move |db| find(db, number)).await
    }

    #[tracing::instrument(name = "db.batch.search", level = "debug", skip_all)]
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>> {
        let query = query.clone();
        self.call(Access::Read, move |db| {
            let text = match query.open {
                None => ALL_BATCHES,
                Some(true) => OPEN_BATCHES,
                Some(false) => CLOSED_BATCHES,
            };
            let before = query
                .before
                .map_or(i64::MAX, |before| i64::from(before.get()));
            let values = [
                ("before", before.into()),
                ("all_stores", query.within.is_none().into()),
                (
                    "stores",
                    json::write(&query.within.iter().flatten().collect::<Vec<_>>())?.into(),
                ),
                ("count", query.count.into()),
            ];
            restore_all(db.load(text, &values)?, HeaderRow::restore)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.start", level = "debug", skip_all)]
    async fn start(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        self.call(Access::Transaction, move |db| {
            db.execute(
                "UPDATE batches
                 SET started_by = :by, started_at = :at
                 WHERE number = :number AND started_at IS NULL AND closed_at IS NULL",
                &stamped(number, stamp),
            )?;
            header(db, number)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.close", level = "debug", skip_all)]
    async fn close(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        self.call(Access::AcrossStores, move |db| {
            let closed = db.execute(
                "UPDATE batches
                 SET closed_by = :by, closed_at = :at
                 WHERE number = :number AND closed_at IS NULL",
                &stamped(number, stamp),
            )?;
            if closed > 0 {
                let stores = db.load::<String>(
                    "SELECT store_id FROM batch_stores WHERE number = :number ORDER BY store_id",
                    &[of_batch(number)],
                )?;
                // A statement per store, because stores may be on different nodes.
                for store in stores {
                    db.execute(
                        "DELETE FROM open_batch_items
                         WHERE store_id = :store_id AND batch = :number",
                        &[("store_id", store.into()), of_batch(number)],
                    )?;
                }
            }
            header(db, number)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.open_items", level = "debug", skip_all)]
    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<BTreeMap<ItemRef, BatchNumber>> {
        let orders = orders.to_vec();
        self.call(Access::Read, move |db| in_open_batches(db, store, &orders))
            .await
    }
}

/// Returns the stored batch `number` if it equals `batch`: an earlier attempt stored it.
fn own_batch(
    db: &mut Db<'_>,
    number: BatchNumber,
    batch: &NewBatch,
) -> Result<Option<BatchHeader>, Failure> {
    let stored = find(db, number)?;
    let is_own = |stored: &Batch| {
        let header = BatchHeader::of_new(stored.header.number, batch);
        stored.header == header && stored.items == batch.items
    };
    Ok(stored.filter(is_own).map(|stored| stored.header))
}
