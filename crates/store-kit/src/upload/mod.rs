//! Files that wait for their import: the statements about them.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{Binary, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::operator::{Upload, UploadKey};
use pressline_domain::time::Timestamp;

use crate::cold::{Cold, Value, execute, load};

/// Kind, name and content.
type UploadSql = (Text, Text, Binary);
type UploadRow = (String, String, Vec<u8>);
/// Operator and id.
type KeySql = (Text, Text);
type KeyRow = (String, String);

/// The files that a connection reads and writes. `F` is the error that ends the transaction.
#[derive(Debug)]
pub struct Uploads<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

impl<'c, C, F> Uploads<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> Uploads<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<UploadSql>: LoadQuery<'q, C, UploadRow>,
    for<'q> Cold<KeySql>: LoadQuery<'q, C, KeyRow>,
{
    /// Keeps a file, and removes the operator's files before the newest `most`.
    ///
    /// # Errors
    /// As the database fails.
    pub fn keep(
        &mut self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<(), F> {
        let mut values = key_values(key);
        values.extend([
            ("kind", Value::text(&upload.kind)),
            ("name", Value::text(&upload.name)),
            ("content", Value::binary(&upload.bytes)),
            ("kept_at", Value::BigInt(at.as_millis())),
        ]);
        // The same call again has the same id.
        execute(
            self.connection,
            "INSERT INTO operator_uploads (operator_id, upload_id, kind, name, content, kept_at)
             VALUES (:operator_id, :upload_id, :kind, :name, :content, :kept_at)
             ON CONFLICT DO NOTHING",
            &values,
        )?;
        let older = load::<KeySql, KeyRow, _>(
            self.connection,
            "SELECT operator_id, upload_id
             FROM operator_uploads
             WHERE operator_id = :operator_id
             ORDER BY kept_at DESC, upload_id DESC
             LIMIT 1000
             OFFSET :most",
            &[
                ("operator_id", Value::Text(key.operator.to_string())),
                ("most", Value::BigInt(i64::from(most))),
            ],
        )?;
        self.remove_all(&older)?;
        Ok(())
    }

    /// Returns a file.
    ///
    /// # Errors
    /// As the database fails.
    pub fn find(&mut self, key: UploadKey) -> Result<Option<Upload>, F> {
        let found = load::<UploadSql, UploadRow, _>(
            self.connection,
            "SELECT kind, name, content
             FROM operator_uploads
             WHERE operator_id = :operator_id
               AND upload_id = :upload_id",
            &key_values(key),
        )?;
        let found = found.into_iter().next();
        Ok(found.map(|(kind, name, bytes)| Upload { kind, name, bytes }))
    }

    /// Removes a file.
    ///
    /// # Errors
    /// As the database fails.
    pub fn remove(&mut self, key: UploadKey) -> Result<(), F> {
        self.remove_all(&[(key.operator.to_string(), key.upload.to_string())])?;
        Ok(())
    }

    /// Removes files that were kept before a moment, oldest first.
    ///
    /// # Errors
    /// As the database fails.
    pub fn prune(&mut self, before: Timestamp, limit: u32) -> Result<u64, F> {
        let old = load::<KeySql, KeyRow, _>(
            self.connection,
            "SELECT operator_id, upload_id
             FROM operator_uploads
             WHERE kept_at < :before
             ORDER BY kept_at
             LIMIT :limit",
            &[
                ("before", Value::BigInt(before.as_millis())),
                ("limit", Value::BigInt(i64::from(limit))),
            ],
        )?;
        self.remove_all(&old)
    }

    fn remove_all(&mut self, keys: &[KeyRow]) -> Result<u64, F> {
        let mut removed = 0;
        for (operator_id, upload_id) in keys {
            removed += execute(
                self.connection,
                "DELETE FROM operator_uploads
                 WHERE operator_id = :operator_id
                   AND upload_id = :upload_id",
                &[
                    ("operator_id", Value::text(operator_id)),
                    ("upload_id", Value::text(upload_id)),
                ],
            )?;
        }
        Ok(removed as u64)
    }
}

fn key_values(key: UploadKey) -> Vec<(&'static str, Value)> {
    vec![
        ("operator_id", Value::Text(key.operator.to_string())),
        ("upload_id", Value::Text(key.upload.to_string())),
    ]
}
