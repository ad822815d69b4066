//! Files that operators upload for an import. They are stored until the import is confirmed.

mod port;
mod service;

use pressline_domain::value::id::{OperatorId, UploadId};

pub use port::UploadRepository;
pub use service::UploadService;

/// Identifies an uploaded file. Files of different operators with the same id are different files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UploadKey {
    /// Operator who uploaded the file.
    pub operator: OperatorId,
    /// Id of the file, from [`UploadService::keep`].
    pub upload: UploadId,
}

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Kind of import, in the caller's own format.
    pub kind: String,
    /// File name on the operator's computer.
    pub name: String,
    /// Content of the file, up to [`limits::FILE`](pressline_domain::check::limits::FILE) bytes.
    pub bytes: Vec<u8>,
}
