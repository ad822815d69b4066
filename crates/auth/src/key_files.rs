//! The master key of the embedded default: a file beside the database, which a rotation replaces.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pressline_domain::store::MasterKeyId;

use crate::master_key::{MasterKey, MasterKeyError, folder_of, sync_folder};

/// The master key in a file, and the one that takes its place during a rotation.
///
/// A rotation goes through these states, and can be stopped in each of them and begun again:
/// 1. `<file>` alone: the key that seals.
/// 2. `<file>.next` as well: the new key. The database is sealed with either of the two.
/// 3. `<file>.<id>` as well: the old key under its id, for backups that were made before.
/// 4. `<file>` has become the new key.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    path: PathBuf,
}

impl KeyFiles {
    /// The files around `path`, none of which need exist.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// The file of the key.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key and, during a rotation, the next one. Empty where there is no file.
    ///
    /// # Errors
    /// As [`MasterKey::load`].
    pub fn load(&self) -> Result<Vec<MasterKey>, MasterKeyError> {
        // In this order: where the next key has just become the key, it is found there.
        let next = MasterKey::load_existing(&self.next())?;
        let current = MasterKey::load_existing(&self.path)?;
        Ok(current.into_iter().chain(next).collect())
    }

    /// Whether a rotation was begun and not finished.
    #[must_use]
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

    /// Puts the next key in the place of the old one, which is kept under its id. To be called when
    /// everything is sealed with the next key. Returns the file of the old key.
    ///
    /// # Errors
    /// [`MasterKeyError::Create`], and as [`MasterKey::load`].
    pub fn finish(&self, new: MasterKeyId) -> Result<Option<PathBuf>, MasterKeyError> {
        let mut kept = None;
        match MasterKey::load_existing(&self.path)? {
            Some(old) if old.id() != new => {
                let path = self.beside(&old.id().to_string());
                old.keep(&path)?;
                kept = Some(path);
            }
            _ => {}
        }
        let replaced =
            fs::rename(self.next(), &self.path).and_then(|()| sync_folder(folder_of(&self.path)));
        match replaced {
            // Another process that rotates as well was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(kept),
            Err(source) => Err(MasterKeyError::Create {
                path: self.path.clone(),
                source,
            }),
            Ok(()) => Ok(kept),
        }
    }

    fn next(&self) -> PathBuf {
        self.beside("next")
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    }
}
