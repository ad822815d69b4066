//! File of an SQLite database: created for some commands, required by others, examined for all.

use std::path::Path;

use pressline_cli::CommandError;
use pressline_store_postgres::{Deficiency, Severity};
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
    let absolute_path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let shown = absolute_path.display();
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

/// Returns the deficiencies of an SQLite file that do not forbid its use. The file is not open yet.
pub(super) fn deficiencies_of_file(settings: &Settings) -> Result<Vec<String>, CommandError> {
    match settings.backend()? {
        Backend::Sqlite(path) => accepted("the database file", SqliteStore::examine(&path)),
        Backend::Postgres(_) => Ok(Vec::new()),
    }
}

/// Returns the texts of the warnings in `deficiencies`, or an error that lists the refusals.
pub(super) fn accepted(
    what: &str,
    deficiencies: Vec<Deficiency>,
) -> Result<Vec<String>, CommandError> {
    let (refused, warnings): (Vec<_>, Vec<_>) = deficiencies
        .into_iter()
        .partition(|deficiency| deficiency.severity == Severity::Refusal);
    let texts = |list: Vec<Deficiency>| list.into_iter().map(|deficiency| deficiency.text);
    let refusals: Vec<String> = texts(refused).collect();
    match refusals.as_slice() {
        [] => Ok(texts(warnings).collect()),
        [refusal] => Err(CommandError::Usage(format!(
            "{what} cannot be used: {refusal}"
        ))),
        refusals => Err(CommandError::Usage(format!(
            "{what} cannot be used:\n  {}",
            refusals.join("\n  ")
        ))),
    }
}
