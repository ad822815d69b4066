//! An in-memory host of print files.

use std::vec;

use async_trait::async_trait;
use pressline_backoffice::file_source::{FetchError, FileReader, FileSource};

/// Serves a file for every name. The names `gone`, `empty`, `broken` and `silent` stand for their
/// faults.
pub(crate) struct HostedFiles;

struct HostedFile {
    pieces: vec::IntoIter<Result<Vec<u8>, FetchError>>,
}

#[async_trait]
impl FileSource for HostedFiles {
    async fn open(&self, url: &str) -> Result<Box<dyn FileReader>, FetchError> {
        let name = url.rsplit('/').next().unwrap_or_default();
        let piece = || Ok(name.as_bytes().to_vec());
        let pieces = match name.split('.').next().unwrap_or_default() {
            "gone" => return Err(FetchError::Status(404)),
            "empty" => Vec::new(),
            "broken" => vec![piece(), Err(FetchError::Closed)],
            "silent" => vec![Err(FetchError::Timeout)],
            _ => vec![piece(), piece()],
        };
        Ok(Box::new(HostedFile {
            pieces: pieces.into_iter(),
        }))
    }
}

#[async_trait]
impl FileReader for HostedFile {
    fn media_type(&self) -> Option<&str> {
        None
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        self.pieces.next().transpose()
    }
}
