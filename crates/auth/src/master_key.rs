//! The master key: 32 bytes that all stores' secret keys are sealed with, as text or in a file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use pressline_domain::store::MasterKeyId;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// What the key is hashed with to get its id, so that the id is no other hash of the key.
const ID_DOMAIN: &[u8] = b"pressline/master-key-id/v1";
/// Most bytes read from a key file: the key, and room for the white space of an editor.
const MAX_FILE: u64 = 256;

/// The key that the stores' secret keys are sealed with.
///
/// Whoever has it and the database can sign for every store; whoever loses it has to give every
/// store a new key.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct MasterKey([u8; 32]);

/// Why there is no master key. The reasons never hold any of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MasterKeyError {
    /// The text is not a key.
    #[error("a master key is 64 hexadecimal digits (as from `openssl rand -hex 32`), not {found} characters{}", if *.other { " with others among them" } else { "" })]
    Malformed {
        /// How many characters the text has.
        found: usize,
        /// Whether there are characters that aren't hexadecimal digits.
        other: bool,
    },
    /// A file does not hold a key.
    #[error("the master key file {} does not hold a master key", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Box<MasterKeyError>,
    },
    /// The file cannot be read.
    #[error("the master key file {} cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file's permissions let others read the key.
    #[error(
        "the master key file {} is open to others (mode {mode:04o}): run `chmod 600` on it; only where root owns it may its group read it too (0640)",
        path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file cannot be made.
    #[error("the master key file {} cannot be created", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The system gives no random bytes.
    #[error("the system has no randomness for a master key")]
    Random(#[source] getrandom::Error),
}

impl MasterKey {
    /// A key written as 64 hexadecimal digits; white space around them doesn't count.
    ///
    /// # Errors
    /// [`MasterKeyError::Malformed`].
    pub fn from_hex(text: &str) -> Result<Self, MasterKeyError> {
        let text = text.trim_ascii();
        let mut key = Self([0; 32]);
        match hex::decode_to_slice(text, &mut key.0) {
            Ok(()) => Ok(key),
            Err(_) => Err(MasterKeyError::Malformed {
                found: text.chars().count(),
                other: !text.bytes().all(|byte| byte.is_ascii_hexdigit()),
            }),
        }
    }

    /// The key in a file, which must hold 64 hexadecimal digits and be closed to others.
    ///
    /// The rule is the one that PostgreSQL has for its private key: its owner alone, or, where root
    /// owns the file, a group that may read it. The latter is how container platforms hand secrets
    /// to a service that isn't root.
    ///
    /// # Errors
    /// [`MasterKeyError::Read`], [`MasterKeyError::Exposed`], [`MasterKeyError::File`].
    pub fn load(path: &Path) -> Result<Self, MasterKeyError> {
        let unreadable = |source| MasterKeyError::Read {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        // Asked of the open file: what a path leads to can change between two looks.
        if let Some(mode) = exposed(&file).map_err(unreadable)? {
            return Err(MasterKeyError::Exposed {
                path: path.to_owned(),
                mode,
            });
        }
        let mut text = Zeroizing::new(Vec::with_capacity(256));
        file.take(MAX_FILE)
            .read_to_end(&mut text)
            .map_err(unreadable)?;
        let text = Zeroizing::new(String::from_utf8_lossy(&text).into_owned());
        Self::from_hex(&text).map_err(|source| MasterKeyError::File {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }

    /// The key in a file as [`MasterKey::load`] returns it, or `None` where there is no such file.
    ///
    /// # Errors
    /// As [`MasterKey::load`].
    pub fn load_existing(path: &Path) -> Result<Option<Self>, MasterKeyError> {
        match Self::load(path) {
            Err(MasterKeyError::Read { source, .. })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            loaded => loaded.map(Some),
        }
    }

    /// Writes the key into a new file, as [`MasterKey::create`] does. A file that exists is left as
    /// it is.
    ///
    /// # Errors
    /// [`MasterKeyError::Create`].
    pub fn keep(&self, path: &Path) -> Result<(), MasterKeyError> {
        match self.write_new(path) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                Err(MasterKeyError::Create {
                    path: path.to_owned(),
                    source,
                })
            }
            _ => Ok(()),
        }
    }

    /// The key in a file; a new random one where there is no such file yet.
    ///
    /// The file appears whole or not at all, with mode 0600, and is on the disk when this returns.
    /// Of two processes that start at once one makes it and both get the same key. An existing file
    /// is never written to.
    ///
    /// # Errors
    /// As [`MasterKey::load`]; [`MasterKeyError::Create`], [`MasterKeyError::Random`].
    pub fn create(path: &Path) -> Result<Self, MasterKeyError> {
        if let Some(key) = Self::load_existing(path)? {
            return Ok(key);
        }
        let mut key = Self([0; 32]);
        getrandom::fill(&mut key.0).map_err(MasterKeyError::Random)?;
        match key.write_new(path) {
            Ok(()) => Ok(key),
            // Another process was faster, and its key is the key.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::load(path),
            Err(source) => Err(MasterKeyError::Create {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// What tells this key from others in messages, in the database and in front of what it sealed:
    /// the first bytes of a hash of its own, from which the key cannot be found.
    #[must_use]
    pub fn id(&self) -> MasterKeyId {
        let [a, b, c, d, e, f, g, h, ..] = self.derive(ID_DOMAIN);
        MasterKeyId::new([a, b, c, d, e, f, g, h])
    }

    /// 32 bytes for another purpose than sealing, from which the key cannot be found.
    pub(crate) fn derive(&self, domain: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update(domain)
            .chain_update(self.0)
            .finalize()
            .into()
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Writes a file of another name first: a reader must never find half a key under this one.
    fn write_new(&self, path: &Path) -> io::Result<()> {
        let folder = folder_of(path);
        let mut text = Zeroizing::new([0; 65]);
        if let Some((newline, digits)) = text.split_last_mut() {
            hex::encode_to_slice(self.0, digits).map_err(io::Error::other)?;
            *newline = b'\n';
        }
        // Such a file is made with O_EXCL and mode 0600, and goes away if anything fails.
        let mut file = tempfile::Builder::new()
            .prefix(".master-key-")
            .tempfile_in(folder)?;
        file.write_all(text.as_slice())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path)
            .map_err(|refused| refused.error)?;
        sync_folder(folder)
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey(id {})", self.id())
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The file's permission bits, where they let others in.
#[cfg(unix)]
fn exposed(file: &File) -> io::Result<Option<u32>> {
    use std::os::unix::fs::MetadataExt;

    let metadata = file.metadata()?;
    let mode = metadata.mode() & 0o777;
    Ok((!is_private(mode, metadata.uid())).then_some(mode))
}

#[cfg(unix)]
fn is_private(mode: u32, owner: u32) -> bool {
    let allowed = if owner == 0 { 0o740 } else { 0o700 };
    mode & !allowed & 0o777 == 0
}

#[cfg(not(unix))]
fn exposed(_file: &File) -> io::Result<Option<u32>> {
    Ok(None)
}

/// Makes new names in the folder durable: they are on the disk only once their folder is.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_root_may_share_a_key_and_only_for_reading() {
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
