//! Files that wait for their import, in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::operator::{Upload, UploadKey, UploadRepository};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Uploads;

use crate::SqliteStore;
use crate::error::Failure;

fn uploads(connection: &mut SqliteConnection) -> Uploads<'_, SqliteConnection, Failure> {
    Uploads::new(connection)
}

#[async_trait]
impl UploadRepository for SqliteStore {
    #[tracing::instrument(name = "db.upload.keep", level = "debug", skip_all)]
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<(), RepositoryError> {
        let upload = upload.clone();
        self.change_alone(move |connection| uploads(connection).keep(key, &upload, at, most))
            .await
    }

    #[tracing::instrument(name = "db.upload.find", level = "debug", skip_all)]
    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError> {
        self.readers
            .call(move |connection| uploads(connection).find(key))
            .await
    }

    #[tracing::instrument(name = "db.upload.remove", level = "debug", skip_all)]
    async fn remove_upload(&self, key: UploadKey) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| uploads(connection).remove(key))
            .await
    }

    #[tracing::instrument(name = "db.upload.prune", level = "debug", skip_all)]
    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.change_alone(move |connection| uploads(connection).prune(before, limit))
            .await
    }
}
