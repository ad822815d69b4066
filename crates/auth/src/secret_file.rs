//! Files that contain a secret, and the rule who may have access to them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use zeroize::Zeroizing;

/// Content of a file with a secret.
///
/// Only the owner may have access to such a file; if root owns it, its group may also read it.
/// PostgreSQL has this rule for its private key, because container platforms pass secrets to a
/// non-root service by its group.
#[derive(Debug)]
pub struct SecretFile {
    /// Up to `limit` bytes of [`SecretFile::read`].
    pub content: Zeroizing<Vec<u8>>,
    /// `None` if the permissions of the file are right.
    pub exposed: Option<Exposed>,
}

/// Permission bits of a file to which others have access. The text follows the file's name in a
/// message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exposed(pub u32);

impl SecretFile {
    /// Reads up to `limit` bytes of the file at `path`. The caller decides whether it refuses an
    /// exposed file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or read.
    pub fn read(path: &Path, limit: u64) -> io::Result<Self> {
        let file = File::open(path)?;
        // Asks the open file, because the file at the path can change between two accesses.
        let metadata = file.metadata()?;
        let mode = metadata.mode() & 0o777;
        let exposed = (!is_private(mode, metadata.uid())).then_some(Exposed(mode));
        // A vector that grows would leave copies of the secret in memory.
        let capacity = usize::try_from(metadata.len().clamp(256, limit.max(256))).unwrap_or(256);
        let mut content = Zeroizing::new(Vec::with_capacity(capacity));
        file.take(limit).read_to_end(&mut content)?;
        Ok(Self { content, exposed })
    }
}

impl fmt::Display for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(mode) = self;
        write!(
            f,
            "is open to others (mode {mode:04o}): run `chmod 600` on it; only where root owns it may its group read it \
             too (0640)"
        )
    }
}

fn is_private(mode: u32, owner: u32) -> bool {
    let allowed = if owner == 0 { 0o740 } else { 0o700 };
    mode & !allowed & 0o777 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_root_may_share_a_secret_and_only_for_reading() {
        const SOMEBODY: u32 = 1000;
        for (mode, owner) in [(0o600, SOMEBODY), (0o400, SOMEBODY), (0o640, 0), (0o440, 0)] {
            assert!(is_private(mode, owner), "{mode:o} of {owner}");
        }
        for (mode, owner) in [
            (0o640, SOMEBODY),
            (0o604, SOMEBODY),
            (0o660, 0),
            (0o644, 0),
            (0o602, 0),
        ] {
            assert!(!is_private(mode, owner), "{mode:o} of {owner}");
        }
    }
}
