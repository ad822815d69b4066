//! The use cases of files that wait for their import.

use std::sync::Arc;

use pressline_kit::boxed;

use super::{Upload, UploadKey, UploadRepository};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OperatorId, UploadId};
use pressline_domain::runtime::{Clock, IdSource};

/// Maximum number of files of an operator: some, because imports can be open in several tabs.
const OF_OPERATOR: u32 = 3;
/// Milliseconds for which a file is kept: a day.
const KEPT: i64 = 24 * 60 * 60 * 1000;

/// Keeps files between the check and the import of them.
#[derive(Clone)]
pub struct UploadService {
    uploads: Arc<dyn UploadRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl UploadService {
    /// Returns a service over these ports.
    pub fn new(
        uploads: Arc<dyn UploadRepository>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            uploads,
            clock,
            ids,
        }
    }

    /// Keeps a file for a day, or until its operator has sent more, and returns its id.
    #[boxed]
    pub async fn keep(
        &self,
        operator: OperatorId,
        upload: &Upload,
    ) -> Result<UploadId, RepositoryError> {
        let now = self.clock.now();
        let id = UploadId::new(self.ids.next(now));
        let key = UploadKey {
            operator,
            upload: id,
        };
        self.uploads
            .keep_upload(key, upload, now, OF_OPERATOR)
            .await?;
        Ok(id)
    }

    /// Returns a file; `None` if the operator has none with this id, or it is no longer kept.
    #[boxed]
    pub async fn find(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError> {
        self.uploads.upload(key).await
    }

    /// Removes a file that was imported.
    #[boxed]
    pub async fn remove(&self, key: UploadKey) -> Result<(), RepositoryError> {
        self.uploads.remove_upload(key).await
    }

    /// Removes at most so many files that are kept no longer; returns how many.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-KEPT);
        self.uploads.prune_uploads(before, limit).await
    }
}
