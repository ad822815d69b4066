//! The file to check: from this machine, or fetched from its address.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use pressline_backoffice::file_source::{FetchError, FileSource};
use pressline_domain::media::FileHash;
use sha2::{Digest, Sha256};

use crate::error::{CommandError, Result};

/// Size of a read, in bytes.
const PIECE: usize = 64 * 1024;

/// An open file, at its start, and the digest of its bytes.
pub(super) struct Original {
    pub(super) file: File,
    pub(super) hash: FileHash,
}

/// Returns whether `name` is an address to fetch, not a file of this machine.
pub(super) fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    })
}

/// Opens the file at `path`, and reads it once for its digest.
pub(super) fn open(path: &Path) -> Result<Original> {
    let failed = |error: io::Error| {
        let context = format!("{}: cannot be read", path.display());
        CommandError::other(context, error)
    };
    let mut file = File::open(path).map_err(failed)?;
    // A pipe or a folder cannot be read twice.
    if !file.metadata().map_err(failed)?.is_file() {
        let message = format!("{}: not a regular file", path.display());
        return Err(CommandError::Usage(message));
    }
    let mut digest = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        let length = file.read(&mut piece).map_err(failed)?;
        if length == 0 {
            break;
        }
        digest.update(piece.get(..length).unwrap_or_default());
    }
    file.rewind().map_err(failed)?;
    let hash = FileHash::new(digest.finalize().into());
    Ok(Original { file, hash })
}

/// Fetches the file at `url` into a temporary file without a name, which is deleted when it is
/// closed. Returns the inner error if the host sends no file, which is a result of the check.
pub(super) async fn fetch(
    source: &dyn FileSource,
    url: &str,
) -> Result<Result<Original, FetchError>> {
    let failed = |error: io::Error| CommandError::other("the temporary file", error);
    let mut reader = match source.open(url).await {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(error)),
    };
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut digest = Sha256::new();
    loop {
        match reader.next().await {
            Ok(Some(piece)) => {
                digest.update(&piece);
                file.write_all(&piece).map_err(failed)?;
            }
            Ok(None) => break,
            Err(error) => return Ok(Err(error)),
        }
    }
    file.rewind().map_err(failed)?;
    let hash = FileHash::new(digest.finalize().into());
    Ok(Ok(Original { file, hash }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_files() {
        for url in ["https://a.example/b.png", "HTTP://a.example"] {
            assert!(is_url(url), "{url}");
        }
        for file in ["a.png", "https.png", "./http://a", "file:///a.png"] {
            assert!(!is_url(file), "{file}");
        }
    }
}
