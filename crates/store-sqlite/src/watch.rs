//! Detects that the database file, or a file that SQLite keeps with it, was deleted or replaced
//! while it is open.
//!
//! SQLite continues to write to the files that it opened, even if their paths now name other files.
//! These writes are lost when the last connection closes. Only the files' metadata are read:
//! opening the database file by other means than SQLite, and closing it, would release SQLite's
//! locks on it.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_kit::lock;

/// Time for which [`FileWatch::check`] reuses its last result.
const LOOKED_FOR: Duration = Duration::from_secs(1);

/// Device and inode. They identify a file whatever its name.
type Identity = (u64, u64);

/// Compares the files at `paths` with the files that SQLite opened.
#[derive(Debug)]
pub(crate) struct FileWatch {
    /// Paths of the database file, its write-ahead log and the log's index.
    paths: [PathBuf; 3],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    database: Option<Identity>,
    /// Identities of the write-ahead log and its index. Both files exist while a connection is
    /// open. `None` before the first write, and after the writing connection was closed.
    others: Option<[Identity; 2]>,
    looked: Option<Instant>,
    /// The first file that the last check found deleted or replaced.
    missing: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error(
    "{} was deleted or replaced while the service runs: stop the service before files are exchanged; bring back the \
     original file, or restart the service to use the new one",
    path.display()
)]
struct FileReplaced {
    path: PathBuf,
}

impl FileWatch {
    pub(crate) fn new(database: &Path) -> Self {
        let with = |ending: &str| {
            let mut name = OsString::from(database);
            name.push(ending);
            PathBuf::from(name)
        };
        Self {
            paths: [database.to_owned(), with("-wal"), with("-shm")],
            state: Mutex::default(),
        }
    }

    /// Must be called just after the database file was opened. Later calls change nothing.
    pub(crate) fn opened(&self) {
        let mut state = lock(&self.state);
        if state.database.is_none() {
            let [database, ..] = &self.paths;
            state.database = identity(database);
        }
    }

    /// Must be called just after a write, on a connection that stays open.
    pub(crate) fn wrote(&self) {
        let mut state = lock(&self.state);
        if state.others.is_none() {
            let [_, log, index] = &self.paths;
            state.others = identity(log)
                .zip(identity(index))
                .map(|(log, index)| [log, index]);
        }
    }

    /// Forgets the identities of the log and its index, because SQLite removes both files with the
    /// last connection. Keeps the identities if a database file was deleted or replaced before.
    pub(crate) fn closing(&self) {
        if self.look().is_ok() {
            lock(&self.state).others = None;
        }
    }

    /// Looks at most once a second: a call in between gets the result of the last check.
    pub(crate) fn check(&self) -> Result<(), RepositoryError> {
        let state = lock(&self.state);
        if state.looked.is_some_and(|at| at.elapsed() < LOOKED_FOR) {
            return outcome(state.missing.as_ref());
        }
        // `look` locks the state itself.
        drop(state);
        self.look()
    }

    /// Logs changes since the last check.
    pub(crate) fn look(&self) -> Result<(), RepositoryError> {
        let mut state = lock(&self.state);
        let [database, log, index] = &self.paths;
        let database_file = [(database, state.database)].into_iter();
        let others = state.others.map_or([None, None], |others| others.map(Some));
        let known = database_file.chain([log, index].into_iter().zip(others));
        let missing = known
            .filter_map(|(path, known)| known.map(|known| (path, known)))
            .find(|(path, known)| identity(path) != Some(*known))
            .map(|(path, _)| path.clone());
        match (&state.missing, &missing) {
            (before, Some(path)) if before.as_ref() != Some(path) => {
                let problem = FileReplaced { path: path.clone() };
                tracing::error!(%problem, "nothing is written any more");
            }
            (Some(path), None) => {
                tracing::info!(path = %path.display(), "the original file is back")
            }
            _ => {}
        }
        state.looked = Some(Instant::now());
        state.missing = missing;
        outcome(state.missing.as_ref())
    }
}

fn outcome(missing: Option<&PathBuf>) -> Result<(), RepositoryError> {
    match missing {
        Some(path) => Err(RepositoryError::Unavailable(
            FileReplaced { path: path.clone() }.into(),
        )),
        None => Ok(()),
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
