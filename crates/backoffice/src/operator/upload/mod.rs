//! Files that an operator has sent for an import: they wait until the import is confirmed.

mod port;
mod service;

use pressline_domain::id::{OperatorId, UploadId};

pub use port::UploadRepository;
pub use service::UploadService;

/// A file that was sent, and by whom: another operator's file with the same id is another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UploadKey {
    /// Who has sent it.
    pub operator: OperatorId,
    /// Its id.
    pub upload: UploadId,
}

/// A file that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// What it is to be imported as, in the words of the one who stored it.
    pub kind: String,
    /// Its name on the computer of the operator.
    pub name: String,
    /// Its content, at most [`limits::FILE`](pressline_domain::limits::FILE) bytes.
    pub bytes: Vec<u8>,
}
