//! Repository port for uploaded files.

use async_trait::async_trait;

use super::{Upload, UploadKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::time::Timestamp;

/// Stores files until they are imported. Each call is one transaction.
#[async_trait]
pub trait UploadRepository: Send + Sync {
    /// Stores `upload` with the time `at`. The newest `most` files of the operator are kept,
    /// including this file; older files MUST be removed (`an_operator_keeps_its_newest_files`).
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<(), RepositoryError>;

    /// Returns the file `key`, which MUST be unchanged (`a_kept_file_is_found_as_given`), and MUST
    /// NOT be a file of another operator (`files_of_operators_are_apart`).
    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError>;

    /// Removes the file `key`. A missing file is not an error (`a_removed_file_is_gone`).
    async fn remove_upload(&self, key: UploadKey) -> Result<(), RepositoryError>;

    /// Removes up to `limit` files stored before `before`, and returns their number. MUST NOT
    /// remove other files (`only_old_files_are_pruned`).
    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError>;
}
