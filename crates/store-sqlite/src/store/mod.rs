//! Stores and their keys in SQLite.

mod sealing;

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreDirectory, StoreRecord};
use pressline_store_kit::schema::{store_counters, store_keys, stores};
use pressline_store_kit::{KeyRow, StoreRow, group_by_store};

use crate::SqliteStore;
use crate::error::Failure;

#[async_trait]
impl StoreDirectory for SqliteStore {
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.writer
            .alone(move |writer| writer.run(|connection| add(connection, &record)))
            .await
    }

    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        self.readers
            .call(move |connection| find(connection, id))
            .await
    }

    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        self.readers
            .call(|connection| {
                let rows = stores::table
                    .left_join(store_keys::table.on(store_keys::store_id.eq(stores::store_id)))
                    .select((StoreRow::as_select(), Option::<KeyRow>::as_select()))
                    .order((stores::created_at, stores::store_id, store_keys::position))
                    .load(connection)?;
                Ok(group_by_store(rows)?)
            })
            .await
    }

    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError> {
        let mut record = record.clone();
        record.version = expected.saturating_add(1);
        self.writer
            .alone(move |writer| writer.run(|connection| replace(connection, &record, expected)))
            .await
    }
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>, RepositoryError> {
        self.readers.call(sealing::sealing_key).await
    }

    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport, RepositoryError> {
        let work = move |connection: &mut SqliteConnection| {
            connection.immediate_transaction(|connection| {
                sealing::reseal(connection, expected, with, issuer.as_ref())
            })
        };
        self.writer.alone(move |writer| writer.run(work)).await
    }
}

fn find(connection: &mut SqliteConnection, id: StoreId) -> Result<Option<StoreRecord>, Failure> {
    let rows = stores::table
        .left_join(store_keys::table.on(store_keys::store_id.eq(stores::store_id)))
        .filter(stores::store_id.eq(id.to_string()))
        .select((StoreRow::as_select(), Option::<KeyRow>::as_select()))
        .order(store_keys::position)
        .load(connection)?;
    Ok(group_by_store(rows)?.pop())
}

fn add(connection: &mut SqliteConnection, record: &StoreRecord) -> Result<(), Failure> {
    connection.immediate_transaction(|connection| {
        let row = StoreRow::of(record);
        diesel::insert_into(stores::table)
            .values(&row)
            .execute(connection)?;
        sealing::claim(connection, record)?;
        diesel::insert_into(store_counters::table)
            .values((
                store_counters::store_id.eq(&row.store_id),
                store_counters::last_number.eq(0),
            ))
            .execute(connection)?;
        add_keys(connection, record)
    })
}

/// A store has two keys at most.
fn add_keys(connection: &mut SqliteConnection, record: &StoreRecord) -> Result<(), Failure> {
    for key in KeyRow::of(record) {
        diesel::insert_into(store_keys::table)
            .values(&key)
            .execute(connection)?;
    }
    Ok(())
}

fn replace(
    connection: &mut SqliteConnection,
    record: &StoreRecord,
    expected: u32,
) -> Result<(), Failure> {
    connection.immediate_transaction(|connection| {
        let row = StoreRow::of(record);
        let changed = diesel::update(stores::table.find(&row.store_id))
            .filter(stores::version.eq(i64::from(expected)))
            .set((
                stores::name.eq(&row.name),
                stores::currency.eq(&row.currency),
                stores::strict_catalog.eq(row.strict_catalog),
                stores::require_timestamp.eq(row.require_timestamp),
                stores::allow_unsigned_search.eq(row.allow_unsigned_search),
                stores::enabled.eq(row.enabled),
                stores::version.eq(row.version),
            ))
            .execute(connection)?;
        if changed == 0 {
            return Err(RepositoryError::Stale.into());
        }
        sealing::claim(connection, record)?;
        diesel::delete(store_keys::table.filter(store_keys::store_id.eq(&row.store_id)))
            .execute(connection)?;
        add_keys(connection, record)
    })
}
