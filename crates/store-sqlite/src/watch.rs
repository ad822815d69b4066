//! Notices when the database file, or a file that SQLite keeps with it, is deleted or replaced
//! while it is open.
//!
//! SQLite continues to write to the files that it opened, even if their paths now name other files.
//! What is written there is lost when the last connection closes. Only the files' metadata are read, because
//! opening the database file by other means than SQLite and closing it again would release SQLite's
//! locks on it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;

/// How long the result of a check is used.
const LOOKED_FOR: Duration = Duration::from_secs(1);

/// What the system knows a file by, whatever its name: device and inode.
type Identity = (u64, u64);

/// Compares the files at the paths with those that were opened.
#[derive(Debug)]
pub(crate) struct FileWatch {
    /// The database, its write-ahead log and the index of that.
    paths: [PathBuf; 3],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    database: Option<Identity>,
    /// The log and its index, which exist as long as a connection is open. Known once one has
    /// written.
    others: Option<[Identity; 2]>,
    looked: Option<Instant>,
    /// The file that is not there any more, and was there at the last look but one.
    missing: Option<PathBuf>,
}

/// A file was deleted or replaced.
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

    /// Takes note of the database file, which was opened just now. Later calls change nothing.
    pub(crate) fn opened(&self) {
        let mut state = self.state();
        if state.database.is_none() {
            let [database, ..] = &self.paths;
            state.database = identity(database);
        }
    }

    /// Notes the log and its index, which a connection that stays open has just written to.
    pub(crate) fn wrote(&self) {
        let mut state = self.state();
        if state.others.is_none() {
            let [_, log, index] = &self.paths;
            state.others = identity(log)
                .zip(identity(index))
                .map(|(log, index)| [log, index]);
        }
    }

    /// Forgets the log and its index, which SQLite removes with the last connection, unless they were
    /// replaced before.
    pub(crate) fn closing(&self) {
        if self.look().is_ok() {
            self.state().others = None;
        }
    }

    /// Checks the files, at most once a second.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where one was deleted or replaced.
    pub(crate) fn check(&self) -> Result<(), RepositoryError> {
        let state = self.state();
        if state.looked.is_some_and(|at| at.elapsed() < LOOKED_FOR) {
            return outcome(state.missing.as_ref());
        }
        drop(state);
        self.look()
    }

    /// Checks the files now. Logs what has changed since the last look.
    ///
    /// # Errors
    /// As [`FileWatch::check`].
    pub(crate) fn look(&self) -> Result<(), RepositoryError> {
        let mut state = self.state();
        let [database, log, index] = &self.paths;
        let known = [(database, state.database)].into_iter();
        let others = state.others.map_or([None, None], |others| others.map(Some));
        let known = known.chain([log, index].into_iter().zip(others));
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;

    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Where files have no such identity nothing is known of them, and nothing is compared.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<Identity> {
    None
}
