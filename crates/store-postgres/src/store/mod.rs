//! Stores and their keys in PostgreSQL.

mod sealing;

use std::sync::Arc;

use async_trait::async_trait;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreDirectory, StoreRecord};
use pressline_store_kit::schema::{store_counters, store_keys, stores};
use pressline_store_kit::{KeyRow, StoreRow, group_by_store};

use crate::PostgresStore;
use crate::error::Failure;

#[async_trait]
impl StoreDirectory for PostgresStore {
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.pool
            .call(
                move |connection, in_doubt| match add(connection, &record)? {
                    true => Ok(()),
                    // The lost try was committed.
                    false
                        if in_doubt
                            && find(connection, record.store.id)?.as_ref() == Some(&record) =>
                    {
                        Ok(())
                    }
                    false => Err(RepositoryError::Duplicate("a store with this prefix").into()),
                },
            )
            .await
    }

    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| find(connection, id))
            .await
    }

    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        self.pool
            .call(|connection, _| {
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
        self.pool
            .call(
                move |connection, in_doubt| match replace(connection, &record, expected)? {
                    true => Ok(()),
                    false
                        if in_doubt
                            && find(connection, record.store.id)?.as_ref() == Some(&record) =>
                    {
                        Ok(())
                    }
                    false => Err(RepositoryError::Stale.into()),
                },
            )
            .await
    }
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>, RepositoryError> {
        self.pool
            .call(|connection, _| sealing::sealing_key(connection))
            .await
    }

    /// On a connection of its own, because it may take longer than a request.
    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport, RepositoryError> {
        self.at_length(move |connection| {
            sealing::reseal(connection, expected, with, issuer.as_ref())
        })
        .await
    }
}

fn find(connection: &mut PgConnection, id: StoreId) -> Result<Option<StoreRecord>, Failure> {
    let rows = stores::table
        .left_join(store_keys::table.on(store_keys::store_id.eq(stores::store_id)))
        .filter(stores::store_id.eq(id.to_string()))
        .select((StoreRow::as_select(), Option::<KeyRow>::as_select()))
        .order(store_keys::position)
        .load(connection)?;
    Ok(group_by_store(rows)?.pop())
}

/// False where the store, or another one with its prefix, exists.
fn add(connection: &mut PgConnection, record: &StoreRecord) -> Result<bool, Failure> {
    connection.transaction(|connection| {
        // First, so that whoever reseals all keys waits for this transaction, or it for them.
        sealing::claim(connection, record)?;
        let row = StoreRow::of(record);
        let added = diesel::insert_into(stores::table)
            .values(&row)
            .on_conflict_do_nothing()
            .execute(connection)?;
        if added == 0 {
            return Ok(false);
        }
        diesel::insert_into(store_counters::table)
            .values((
                store_counters::store_id.eq(&row.store_id),
                store_counters::last_number.eq(0),
            ))
            .execute(connection)?;
        add_keys(connection, record)?;
        Ok(true)
    })
}

/// A store has two keys at most.
fn add_keys(connection: &mut PgConnection, record: &StoreRecord) -> Result<(), Failure> {
    for key in KeyRow::of(record) {
        diesel::insert_into(store_keys::table)
            .values(&key)
            .execute(connection)?;
    }
    Ok(())
}

/// False where the store does not exist with the expected version.
fn replace(
    connection: &mut PgConnection,
    record: &StoreRecord,
    expected: u32,
) -> Result<bool, Failure> {
    connection.transaction(|connection| {
        sealing::claim(connection, record)?;
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
            return Ok(false);
        }
        diesel::delete(store_keys::table.filter(store_keys::store_id.eq(&row.store_id)))
            .execute(connection)?;
        add_keys(connection, record)?;
        Ok(true)
    })
}
