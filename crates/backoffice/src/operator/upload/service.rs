//! Service of uploaded files.

use std::sync::Arc;

use pressline_kit::boxed;

use super::{Upload, UploadKey, UploadRepository};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::id::{OperatorId, UploadId};

/// Maximum number of files per operator: more than 1, because imports can be open in several tabs.
const OF_OPERATOR: u32 = 3;
/// Time for which a file is kept, in milliseconds: a day.
const KEPT: i64 = 24 * 60 * 60 * 1000;

/// Stores files between the check and their import.
#[derive(Clone)]
pub struct UploadService {
    uploads: Arc<dyn UploadRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl UploadService {
    /// Creates the service over its ports.
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

    /// Stores `upload` for a day, or until the operator has uploaded more files, and returns its
    /// id.
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

    /// Returns the file `key`; `None` if the operator has no such file, or it has expired.
    #[boxed]
    pub async fn find(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError> {
        self.uploads.upload(key).await
    }

    /// Removes the imported file `key`.
    #[boxed]
    pub async fn remove(&self, key: UploadKey) -> Result<(), RepositoryError> {
        self.uploads.remove_upload(key).await
    }

    /// Removes up to `limit` expired files and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-KEPT);
        self.uploads.prune_uploads(before, limit).await
    }
}
