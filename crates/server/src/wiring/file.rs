//! File of an SQLite database: created for some commands, required by others.

use std::path::Path;

use pressline_cli::CommandError;

use crate::config::{Backend, Settings};

/// Creates the SQLite file of `database.url` and its folder, unless they exist. Does nothing for
/// PostgreSQL.
pub(crate) fn create_file(settings: &Settings) -> Result<(), CommandError> {
    match settings.backend()? {
        Backend::Sqlite(path) => private_file(&path),
        Backend::Postgres(_) => Ok(()),
    }
}

/// Returns an error if the SQLite file of `database.url` does not exist: creating the file would
/// hide a mistyped path.
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

/// Creates the database file `path` and its folder, unless they exist. Only the owner has access to
/// them, because the database contains people's addresses. SQLite creates its additional files,
/// such as the write-ahead log, with the permissions of the database file.
fn private_file(path: &Path) -> Result<(), CommandError> {
    let mut folder = std::fs::DirBuilder::new();
    let mut file = std::fs::OpenOptions::new();
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), |parent| folder.recursive(true).create(parent));
    match made.and_then(|()| file.write(true).create_new(true).open(path).map(drop)) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(
            CommandError::database(format!("the database {}", path.display()), error),
        ),
        _ => Ok(()),
    }
}
