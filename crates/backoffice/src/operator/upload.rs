//! Files that operators upload for an import. They are stored until the import is confirmed.

use std::sync::Arc;

use async_trait::async_trait;

use pressline_domain::error::Result;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::{OperatorId, Timestamp, UploadId};
use pressline_kit::boxed;

/// Key of an uploaded file. Files of different operators with the same id are different files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UploadKey {
    /// Operator who uploaded the file.
    pub operator: OperatorId,
    /// Id of the file, from [`UploadService::keep`].
    pub upload: UploadId,
}

/// A file that an operator has uploaded for an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Kind of import, as a string that only the caller interprets.
    pub kind: String,
    /// File name on the operator's computer.
    pub name: String,
    /// Content of the file, up to [`limits::FILE`](crate::limits::FILE) bytes.
    pub bytes: Vec<u8>,
}

/// Stores files until they are imported. Each call is one transaction.
#[async_trait]
pub trait UploadRepository: Send + Sync {
    /// Stores `upload` with its upload time `at`. Keeps the newest `most` files of the operator,
    /// including this file; older files MUST be removed (`an_operator_keeps_its_newest_files`).
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<()>;

    /// Returns the file `key`; `None` if it does not exist. The file MUST be unchanged
    /// (`a_kept_file_is_found_as_given`), and MUST NOT be a file of another operator
    /// (`files_of_operators_are_apart`).
    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>>;

    /// Removes the file `key`. A missing file is not an error (`a_removed_file_is_gone`).
    async fn remove_upload(&self, key: UploadKey) -> Result<()>;

    /// Removes up to `limit` files stored before `before`, and returns their number. MUST NOT
    /// remove other files (`only_old_files_are_pruned`).
    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// Maximum number of files per operator: more than 1, because imports can be open in several tabs.
const OPERATOR_FILES: u32 = 3;
const LIFETIME: i64 = 24 * 60 * 60 * 1000;

/// Stores uploaded files between their check and their import.
#[derive(Clone)]
pub struct UploadService {
    /// Stores the files.
    pub files: Arc<dyn UploadRepository>,
    /// Gives the current time, for the age of files.
    pub clock: Arc<dyn Clock>,
    /// Generates ids of files.
    pub ids: Arc<dyn IdSource>,
}

impl UploadService {
    /// Stores `upload` for a day, and returns its id. Keeps the operator's three newest files.
    #[boxed]
    pub async fn keep(&self, operator: OperatorId, upload: &Upload) -> Result<UploadId> {
        let now = self.clock.now();
        let id = UploadId::new(self.ids.next(now));
        let key = UploadKey {
            operator,
            upload: id,
        };
        self.files
            .keep_upload(key, upload, now, OPERATOR_FILES)
            .await?;
        Ok(id)
    }

    /// Removes up to `limit` expired files and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64> {
        let before = self.clock.now().plus_millis(-LIFETIME);
        self.files.prune_uploads(before, limit).await
    }
}
