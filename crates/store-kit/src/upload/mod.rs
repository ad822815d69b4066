//! Statements about uploaded files, which wait for their import.

use async_trait::async_trait;
use pressline_backoffice::operator::{Upload, UploadKey, UploadRepository};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::Timestamp;

use crate::cold_store::{Access, ColdStore};
use crate::sql::Values;

type UploadRow = (String, String, Vec<u8>);

fn key_values(key: UploadKey) -> Values<'static> {
    vec![
        ("operator_id", key.operator.into()),
        ("upload_id", key.upload.into()),
    ]
}

#[async_trait]
impl UploadRepository for ColdStore {
    #[tracing::instrument(name = "db.upload.keep", level = "debug", skip_all)]
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<(), RepositoryError> {
        let upload = upload.clone();
        self.call(Access::Transaction, move |db| {
            let mut values = key_values(key);
            values.extend([
                ("kind", upload.kind.clone().into()),
                ("name", upload.name.clone().into()),
                ("content", upload.bytes.clone().into()),
                ("kept_at", at.into()),
            ]);
            // A repeated call has the same id, so its row exists already.
            db.execute(
                "INSERT INTO operator_uploads (operator_id, upload_id, kind, name, content, kept_at)
                 VALUES (:operator_id, :upload_id, :kind, :name, :content, :kept_at)
                 ON CONFLICT DO NOTHING",
                &values,
            )?;
            // SQLite accepts `OFFSET` only after `LIMIT`; no operator has 1000 older files.
            db.run(
                "DELETE FROM operator_uploads
                 WHERE operator_id = :operator_id
                   AND upload_id IN (
                       SELECT upload_id
                       FROM operator_uploads
                       WHERE operator_id = :operator_id
                       ORDER BY kept_at DESC, upload_id DESC
                       LIMIT 1000
                       OFFSET :limit
                   )",
                &[("operator_id", key.operator.into()), ("limit", most.into())],
            )
        })
        .await
    }

    #[tracing::instrument(name = "db.upload.find", level = "debug", skip_all)]
    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError> {
        let row = self
            .load::<UploadRow>(
                "SELECT kind, name, content
             FROM operator_uploads
             WHERE operator_id = :operator_id
               AND upload_id = :upload_id",
                key_values(key),
            )
            .await?
            .pop();
        Ok(row.map(|(kind, name, bytes)| Upload { kind, name, bytes }))
    }

    #[tracing::instrument(name = "db.upload.remove", level = "debug", skip_all)]
    async fn remove_upload(&self, key: UploadKey) -> Result<(), RepositoryError> {
        let text = "DELETE FROM operator_uploads
             WHERE operator_id = :operator_id
               AND upload_id = :upload_id";
        self.execute(text, key_values(key)).await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.upload.prune", level = "debug", skip_all)]
    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        let removed = self.execute(
            "DELETE FROM operator_uploads
             WHERE (operator_id, upload_id) IN (
                 SELECT operator_id, upload_id
                 FROM operator_uploads
                 WHERE kept_at < :before
                 ORDER BY kept_at, operator_id, upload_id
                 LIMIT :limit
             )",
            vec![("before", before.into()), ("limit", limit.into())],
        );
        Ok(removed.await? as u64)
    }
}
