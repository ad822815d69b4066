//! The port that keeps the files of imports.

use async_trait::async_trait;

use super::{Upload, UploadKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::time::Timestamp;

/// Keeps files until they are imported. One call is one transaction.
#[async_trait]
pub trait UploadRepository: Send + Sync {
    /// Keeps a file of this moment. Of the operator's files, the newest `most` stay, this one among
    /// them; older ones MUST be removed (`an_operator_keeps_its_newest_files`).
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<(), RepositoryError>;

    /// Returns a file, which MUST be as it was given (`a_kept_file_is_found_as_given`), and MUST NOT
    /// be one of another operator (`files_of_operators_are_apart`).
    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>, RepositoryError>;

    /// Removes a file. One that is missing is no error (`a_removed_file_is_gone`).
    async fn remove_upload(&self, key: UploadKey) -> Result<(), RepositoryError>;

    /// Removes at most so many files that were kept before a moment, and returns how many. MUST
    /// leave all others (`only_old_files_are_pruned`).
    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError>;
}
