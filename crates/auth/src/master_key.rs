//! The master key: 32 bytes, as text or in a file, with which all stores' secret keys are sealed.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pressline_domain::store::MasterKeyId;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::secret_file::{Exposed, SecretFile};

/// Hashed together with the key, so that the id differs from all other hashes of the key.
const ID_DOMAIN: &[u8] = b"pressline/master-key-id/v1";
/// Maximum number of bytes read from a key file: enough for the key and white space from an editor.
const MAX_FILE: u64 = 256;

/// The key that seals the secret keys of stores and webhook endpoints.
///
/// Anyone with the key and the database can sign for every store. If it is lost, every store and
/// every webhook endpoint needs a new key.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct MasterKey([u8; 32]);

/// Reason why a master key cannot be used. The message never contains any part of the key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MasterKeyError {
    /// The text is not 64 hexadecimal digits.
    #[error("a master key is 64 hexadecimal digits (as from `openssl rand -hex 32`), not {found} characters{}", if *.other { " with others among them" } else { "" })]
    Malformed {
        /// Number of characters of the text.
        found: usize,
        /// True if some characters are not hexadecimal digits.
        other: bool,
    },
    /// The content of the key file is not a master key.
    #[error("the master key file {} does not hold a master key", path.display())]
    File {
        /// Path of the key file.
        path: PathBuf,
        /// Reason why the text in the file is not a key.
        #[source]
        source: Box<MasterKeyError>,
    },
    /// The key file cannot be opened or read.
    #[error("the master key file {} cannot be read", path.display())]
    Read {
        /// Path of the key file.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The permissions of the key file let others read or change the key.
    #[error("the master key file {} {}", path.display(), Exposed(*mode))]
    Exposed {
        /// Path of the key file.
        path: PathBuf,
        /// Permission bits of the file.
        mode: u32,
    },
    /// The key file cannot be created.
    #[error("the master key file {} cannot be created", path.display())]
    Create {
        /// Path of the key file.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The system provides no random bytes for a new key.
    #[error("the system has no randomness for a master key")]
    Random(#[source] getrandom::Error),
}

impl MasterKey {
    /// Returns a key from 64 hexadecimal digits; ignores white space around `text`.
    ///
    /// # Errors
    /// Returns [`MasterKeyError::Malformed`] if `text` is anything else.
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

    /// Returns the key in the file at `path`, which must contain 64 hexadecimal digits.
    ///
    /// [`SecretFile`] says who may have access to the file.
    ///
    /// # Errors
    /// Returns [`MasterKeyError::Read`] if the file cannot be read, [`MasterKeyError::Exposed`] if
    /// others have access to it, or [`MasterKeyError::File`] if it does not contain a key.
    pub fn load(path: &Path) -> Result<Self, MasterKeyError> {
        let unreadable = |source| MasterKeyError::Read {
            path: path.to_owned(),
            source,
        };
        let file = SecretFile::read(path, MAX_FILE).map_err(unreadable)?;
        if let Some(Exposed(mode)) = file.exposed {
            return Err(MasterKeyError::Exposed {
                path: path.to_owned(),
                mode,
            });
        }
        // Invalid UTF-8 becomes characters that are not hexadecimal digits.
        let text = Zeroizing::new(String::from_utf8_lossy(&file.content).into_owned());
        Self::from_hex(&text).map_err(|source| MasterKeyError::File {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }

    /// Loads the key like [`MasterKey::load`], but returns `None` if the file does not exist.
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

    /// Writes this key to a new file at `path`, as [`MasterKey::create`] does. Does nothing if the
    /// file exists.
    ///
    /// # Errors
    /// Returns [`MasterKeyError::Create`] if the file cannot be written.
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

    /// Returns the key in the file at `path`. Creates the file with a new random key if it does not
    /// exist.
    ///
    /// The file is created completely or not at all, with mode 0600, and is on the disk when this
    /// returns. If two processes start concurrently, both get the key of the process that was
    /// first. An existing file is never changed.
    ///
    /// # Errors
    /// Same errors as [`MasterKey::load`]; also [`MasterKeyError::Create`] if the file cannot be
    /// written, and [`MasterKeyError::Random`] if the system provides no random bytes.
    pub fn create(path: &Path) -> Result<Self, MasterKeyError> {
        if let Some(key) = Self::load_existing(path)? {
            return Ok(key);
        }
        let mut key = Self([0; 32]);
        getrandom::fill(&mut key.0).map_err(MasterKeyError::Random)?;
        match key.write_new(path) {
            Ok(()) => Ok(key),
            // Another process was faster: use its key.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::load(path),
            Err(source) => Err(MasterKeyError::Create {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Returns the beginning of a hash, so that the key cannot be computed from the id.
    pub fn id(&self) -> MasterKeyId {
        let [a, b, c, d, e, f, g, h, ..] = self.derive(ID_DOMAIN);
        MasterKeyId::new([a, b, c, d, e, f, g, h])
    }

    /// Returns a hash of the key and `domain`, from which the key cannot be computed.
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

    /// Writes to a temporary file first, so that no reader sees part of the key.
    fn write_new(&self, path: &Path) -> io::Result<()> {
        let folder = folder_of(path);
        let mut text = Zeroizing::new([0; 65]);
        if let Some((newline, digits)) = text.split_last_mut() {
            hex::encode_to_slice(self.0, digits).map_err(io::Error::other)?;
            *newline = b'\n';
        }
        // tempfile creates the file with O_EXCL and mode 0600, and removes it if anything fails.
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

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Syncs `folder` to the disk, so that new file names in it survive a crash.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
