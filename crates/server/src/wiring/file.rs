//! File of an SQLite database: created for some commands, required by others.

use std::path::Path;

use pressline_cli::CommandError;
use pressline_store_sqlite::SqliteStore;

use crate::config::{Backend, Settings};

/// Creates the SQLite file and its folder, unless they exist. Does nothing for PostgreSQL.
pub(crate) fn create_file(settings: &Settings) -> Result<(), CommandError> {
    match settings.backend()? {
        Backend::Sqlite(path) => SqliteStore::create_file(&path).map_err(|error| {
            CommandError::database(format!("the database {}", path.display()), error)
        }),
        Backend::Postgres(_) => Ok(()),
    }
}

/// Returns an error for a missing SQLite file: creating the file would hide a mistyped path.
pub(crate) fn require_existing(settings: &Settings) -> Result<(), CommandError> {
    match settings.backend()? {
        Backend::Sqlite(path) => require_file(&path),
        Backend::Postgres(_) => Ok(()),
    }
}

pub(super) fn require_file(path: &Path) -> Result<(), CommandError> {
    let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let shown = shown.display();
    match path.try_exists() {
        Ok(true) => Ok(()),
        Ok(false) => Err(CommandError::database(
            format!("the database file {shown} does not exist"),
            "`pressline migrate` creates it; database.url says which file it is",
        )),
        Err(error) => Err(CommandError::database(
            format!("the database {shown}"),
            error,
        )),
    }
}
