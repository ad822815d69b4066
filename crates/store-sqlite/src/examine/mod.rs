//! Examines the file of a database, its folder and their file system before the file is opened.

mod facts;
mod mounts;
mod rules;

use std::path::Path;

use pressline_store_kit::Deficiency;

use crate::SqliteStore;

impl SqliteStore {
    /// Returns the deficiencies of the file at `path`, refusals first. Changes nothing; the file
    /// need not exist.
    ///
    /// Must not be called while this process has the file open: closing a second handle of the file
    /// would release SQLite's locks.
    pub fn examine(path: &Path) -> Vec<Deficiency> {
        rules::deficiencies(&facts::read(path))
    }
}
