//! The master key of the embedded default: a file next to the database, which a rotation replaces.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pressline_domain::store::MasterKeyId;

use crate::master_key::{MasterKey, MasterKeyError, folder_of, sync_folder};

/// The file of the master key, and that of the next one during a rotation.
///
/// A rotation has these states, and can be stopped and continued in each of them:
/// 1. `<file>` alone: the key that seals.
/// 2. `<file>.next` as well: the new key. The database is sealed with either of the two.
/// 3. `<file>.<id>` as well: the old key under its id, for backups that were made before.
/// 4. `<file>` has become the new key.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    path: PathBuf,
}

impl KeyFiles {
    /// Returns the files at and next to `path`. They need not exist.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Returns the file of the key.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the key and, during a rotation, the next one. Empty if there is no file.
    ///
    /// # Errors
    /// As [`MasterKey::load`].
    pub fn load(&self) -> Result<Vec<MasterKey>, MasterKeyError> {
        // The next key first: if it becomes the current key in between, it is found there.
        let next = MasterKey::load_existing(&self.next())?;
        let current = MasterKey::load_existing(&self.path)?;
        Ok(current.into_iter().chain(next).collect())
    }

    /// Returns whether a rotation has begun and not ended.
    pub fn is_begun(&self) -> bool {
        self.next().exists()
    }

    /// Makes the next key, or returns the one that an unfinished rotation has made.
    ///
    /// # Errors
    /// As [`MasterKey::create`].
    pub fn begin(&self) -> Result<MasterKey, MasterKeyError> {
        MasterKey::create(&self.next())
    }

    /// Replaces the old key by the next one, and keeps the old one under its id. Call it when
    /// everything is sealed with the next key. Returns the file of the old key.
    ///
    /// # Errors
    /// [`MasterKeyError::Create`], and as [`MasterKey::load`].
    pub fn finish(&self, new: MasterKeyId) -> Result<Option<PathBuf>, MasterKeyError> {
        let mut kept = None;
        match MasterKey::load_existing(&self.path)? {
            Some(old) if old.id() != new => {
                let path = self.sibling(&old.id().to_string());
                old.keep(&path)?;
                kept = Some(path);
            }
            _ => {}
        }
        let replaced =
            fs::rename(self.next(), &self.path).and_then(|()| sync_folder(folder_of(&self.path)));
        match replaced {
            // Another process finished the same rotation first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(kept),
            Err(source) => Err(MasterKeyError::Create {
                path: self.path.clone(),
                source,
            }),
            Ok(()) => Ok(kept),
        }
    }

    fn next(&self) -> PathBuf {
        self.sibling("next")
    }

    fn sibling(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    }
}
