//! The master key that seals, and sealing all keys of all stores with another one, page by page
//! within one transaction.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Text;
use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, KeyOwner, MasterKeyId, ResealReport, StoreRecord};

use super::directory::Stores;
use super::row::KeyRow;
use crate::cold::{Cold, Value, execute, load};
use crate::schema::{store_keys, webhook_secrets};
use crate::webhook::SecretRow;

/// Stores whose keys are in memory at once. Two keys of 100 bytes each make some 50 KB a page.
const PAGE: i64 = 200;

impl<C, F> Stores<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<Text>: LoadQuery<'q, C, String>,
{
    /// The id of the master key that seals.
    ///
    /// # Errors
    /// As the database fails, and where a column does not hold what it should.
    pub fn sealing_key(&mut self) -> Result<Option<MasterKeyId>, F> {
        self.locked_sealing_key("")
    }

    /// The id of the master key that seals, whose row is locked by this clause.
    fn locked_sealing_key(&mut self, lock: &str) -> Result<Option<MasterKeyId>, F> {
        let text = format!("SELECT master_key_id FROM sealing_key WHERE id = 1 {lock}");
        let stored = load::<Text, String, _>(self.connection, &text, &[])?.pop();
        let id = stored.map(|id| id.parse::<MasterKeyId>()).transpose();
        Ok(id.map_err(|error| RepositoryError::Corrupt {
            kind: "sealing_key",
            field: "master_key_id",
            key: "1".to_owned(),
            source: error.into(),
        })?)
    }

    /// Makes sure that the keys of a store which are not stored yet are sealed with the master key
    /// that seals. The first key of all decides which one that is.
    pub(super) fn claim(&mut self, record: &StoreRecord) -> Result<(), F> {
        let stored = load::<Text, String, _>(
            self.connection,
            "SELECT key_id FROM store_keys WHERE store_id = :store_id",
            &[("store_id", Value::text(&record.store.id.to_string()))],
        )?;
        for key in &record.keys {
            if stored.contains(&key.id.to_string()) {
                continue;
            }
            self.claim_key(key.sealed_with, self.locks.shared)?;
        }
        Ok(())
    }

    /// Makes sure that this master key seals, and locks its row by this clause. The first key of all
    /// decides which one it is.
    pub(crate) fn claim_key(&mut self, sealed_with: MasterKeyId, lock: &str) -> Result<(), F> {
        self.insert_sealing_key(sealed_with)?;
        if self.locked_sealing_key(lock)? != Some(sealed_with) {
            return Err(RepositoryError::Stale.into());
        }
        Ok(())
    }

    /// Stores the master key that seals, unless there is one.
    fn insert_sealing_key(&mut self, id: MasterKeyId) -> Result<(), F> {
        execute(
            self.connection,
            "INSERT INTO sealing_key (id, master_key_id) VALUES (1, :id) ON CONFLICT DO NOTHING",
            &[("id", Value::text(&id.to_string()))],
        )?;
        Ok(())
    }

    /// Seals all keys, and the secrets of all webhook endpoints, with the master key `with`, and reports those that could not be opened.
    ///
    /// # Errors
    /// As the database fails, [`RepositoryError::Stale`] where another master key than the expected
    /// one seals, and [`RepositoryError::Corrupt`] where a key's row does not hold what it should.
    pub fn reseal(
        &mut self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: &dyn KeyIssuer,
    ) -> Result<ResealReport, F>
    where
        for<'q> Cold<store_keys::SqlType>: LoadQuery<'q, C, KeyRow>,
        for<'q> Cold<webhook_secrets::SqlType>: LoadQuery<'q, C, SecretRow>,
    {
        if expected.is_none() {
            self.insert_sealing_key(with)?;
        }
        // Waits for transactions that add keys; those that come later wait for this one.
        if self.locked_sealing_key(self.locks.exclusive)? != expected.or(Some(with)) {
            return Err(RepositoryError::Stale.into());
        }
        execute(
            self.connection,
            "UPDATE sealing_key SET master_key_id = :id WHERE id = 1",
            &[("id", Value::text(&with.to_string()))],
        )?;
        let mut report = ResealReport::default();
        let mut after = String::new();
        while let Some(last) = self.last_of_page(&after)? {
            self.reseal_page(&after, &last, with, issuer, &mut report)?;
            after = last;
        }
        crate::webhook::sealing::reseal::<_, F>(self.connection, with, issuer, &mut report)?;
        Ok(report)
    }

    /// The last of the next stores that have keys, in the order of their ids.
    fn last_of_page(&mut self, after: &str) -> Result<Option<String>, F> {
        let mut ids = load::<Text, String, _>(
            self.connection,
            "SELECT DISTINCT store_id
             FROM store_keys
             WHERE store_id > :after
             ORDER BY store_id
             LIMIT :limit",
            &[
                ("after", Value::text(after)),
                ("limit", Value::BigInt(PAGE)),
            ],
        )?;
        Ok(ids.pop())
    }

    /// Seals the keys of the stores after one id, up to another.
    fn reseal_page(
        &mut self,
        after: &str,
        last: &str,
        with: MasterKeyId,
        issuer: &dyn KeyIssuer,
        report: &mut ResealReport,
    ) -> Result<(), F>
    where
        for<'q> Cold<store_keys::SqlType>: LoadQuery<'q, C, KeyRow>,
    {
        let page = [("after", Value::text(after)), ("last", Value::text(last))];
        // Before the keys: this locks the stores, in the order in which a change of one store
        // locks.
        execute(
            self.connection,
            "UPDATE stores
             SET version = version + 1
             WHERE store_id > :after
               AND store_id <= :last
               AND store_id IN (SELECT store_id FROM store_keys)",
            &page,
        )?;
        let keys = load::<store_keys::SqlType, KeyRow, _>(
            self.connection,
            "SELECT store_keys.*
             FROM store_keys
             WHERE store_id > :after
               AND store_id <= :last",
            &page,
        )?;
        for row in keys {
            let (store, key) = row.clone().restore_with_store()?;
            let Some(sealed) = report.reseal(KeyOwner::Store(store), &key, with, issuer) else {
                continue;
            };
            execute(
                self.connection,
                "UPDATE store_keys
                 SET sealed = :sealed, sealed_with = :sealed_with
                 WHERE store_id = :store_id
                   AND key_id = :key_id",
                &[
                    ("sealed", Value::binary(&sealed)),
                    ("sealed_with", Value::text(&with.to_string())),
                    ("store_id", Value::text(&row.store_id)),
                    ("key_id", Value::text(&row.key_id)),
                ],
            )?;
        }
        Ok(())
    }
}
