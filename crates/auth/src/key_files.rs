//! The master key file next to an embedded database, which a rotation replaces.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pressline_domain::store::MasterKeyId;

use crate::master_key::{MasterKey, MasterKeyError, folder_of, sync_folder};

/// The file of the master key and, during a rotation, the file of the next key.
///
/// A rotation passes four states, and can be stopped and continued in each:
/// 1. Only `<file>`: the current key.
/// 2. `<file>.next` also exists: the new key. Each key in the database is sealed with either key.
/// 3. `<file>.<id>` also exists: the old key under its id, for older backups.
/// 4. `<file>` has become the new key.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    path: PathBuf,
}

impl KeyFiles {
    /// Returns the key files with `path` as the current key's file. The files need not exist.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Returns the path of the current key's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current key and, during a rotation, also the next key. Empty if no file exists.
    pub fn load(&self) -> Result<Vec<MasterKey>, MasterKeyError> {
        // Reads the next key first: if it becomes the current key in between, the second read finds
        // it.
        let next = MasterKey::load_existing(&self.next())?;
        let current = MasterKey::load_existing(&self.path)?;
        Ok(current.into_iter().chain(next).collect())
    }

    /// Returns whether a rotation is in progress: `<file>.next` exists.
    pub fn is_begun(&self) -> bool {
        self.next().exists()
    }

    /// Creates the next key, or returns the next key of an unfinished rotation.
    pub fn begin(&self) -> Result<MasterKey, MasterKeyError> {
        MasterKey::create(&self.next())
    }

    /// Makes the next key, which has the id `new`, the current key. Keeps the old key in the file
    /// `<file>.<id>` and returns its path; `None` if there was no old key to keep. Must be called
    /// only after all secret keys are sealed with the next key.
    ///
    /// # Errors
    /// Same errors as [`MasterKey::load`]; [`MasterKeyError::Create`] if a file cannot be written.
    pub fn finish(&self, new: MasterKeyId) -> Result<Option<PathBuf>, MasterKeyError> {
        let mut kept_file = None;
        match MasterKey::load_existing(&self.path)? {
            Some(old) if old.id() != new => {
                let path = self.sibling(&old.id().to_string());
                // Before the rename, so that the old key is never lost.
                old.keep(&path)?;
                kept_file = Some(path);
            }
            _ => {}
        }
        let replaced =
            fs::rename(self.next(), &self.path).and_then(|()| sync_folder(folder_of(&self.path)));
        match replaced {
            // Another process finished the same rotation first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(kept_file),
            Err(source) => Err(MasterKeyError::Create {
                path: self.path.clone(),
                source,
            }),
            Ok(()) => Ok(kept_file),
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
