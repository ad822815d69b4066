//! Copies the write-ahead log into the database file, on a thread with a connection of its own.
//!
//! By default SQLite does this within a commit, and all orders that wait are delayed by it: 1,000
//! pages are copied and the database file is flushed. Here a commit does only what is left of this
//! work. The log can begin again at its start once all of it is copied, which never happens between
//! the writes of a busy server. Therefore the connection that writes copies the last pages itself
//! when the log has reached its limit: few, because the thread has copied the others.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Integer;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;

use crate::connection::{Opener, Purpose};
use crate::error::{Failure, repository};

/// Pages that are not copied yet from which the thread begins. Copying more at once writes pages
/// once that have changed several times.
const WORTHWHILE: i32 = 500;
/// Time between two looks at the log. At full load it grows by about 100 pages meanwhile.
const PAUSE: Duration = Duration::from_millis(20);
/// Pause after an error, such as a full disk. Commits still keep the log short.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// The thread that copies the log. It ends when this is dropped.
pub(crate) struct Checkpoints {
    /// Nothing when the thread shall end.
    written: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(QueryableByName)]
struct Log {
    #[diesel(sql_type = Integer)]
    log: i32,
    #[diesel(sql_type = Integer)]
    checkpointed: i32,
}

impl Checkpoints {
    /// Starts the thread. It opens its connection when something was written.
    ///
    /// # Errors
    /// Where the system starts no thread.
    pub(crate) fn start(opener: &Arc<Opener>) -> io::Result<Self> {
        // One message is enough to say that something was written since the last look.
        let (written, receiver) = sync_channel(1);
        let opener = Arc::clone(opener);
        let thread = thread::Builder::new()
            .name("sqlite-checkpoint".to_owned())
            .spawn(move || run(&opener, &receiver))?;
        Ok(Self {
            written: Some(written),
            thread: Some(thread),
        })
    }

    /// Lets the thread look at the log soon, because something was written. Does not wait.
    pub(crate) fn wrote(&self) {
        if let Some(written) = &self.written {
            // A message that is not taken yet says the same.
            let _ = written.try_send(());
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.written = None;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

fn run(opener: &Opener, written: &Receiver<()>) {
    let mut connection = None;
    while written.recv().is_ok() {
        let pause = match look(opener, &mut connection) {
            Ok(()) => PAUSE,
            Err(error) => {
                tracing::warn!(%error, "the write-ahead log cannot be copied");
                connection = None;
                PAUSE_AFTER_ERROR
            }
        };
        // Ends early when the thread shall end.
        thread::park_timeout(pause);
    }
}

/// Copies the log if enough of it is not copied yet.
fn look(opener: &Opener, connection: &mut Option<SqliteConnection>) -> Result<(), RepositoryError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(opener.open(Purpose::Checkpoint)?),
    };
    let log = checkpoint(connection, "NOOP").map_err(repository)?;
    if log.log - log.checkpointed >= WORTHWHILE {
        checkpoint(connection, "PASSIVE").map_err(repository)?;
    }
    Ok(())
}

/// Runs a checkpoint of a mode. Returns the state of the log after it.
///
/// `NOOP` copies nothing. `PASSIVE` waits for nothing, and copies what no read needs in the file as
/// it was.
fn checkpoint(connection: &mut SqliteConnection, mode: &str) -> Result<Log, Failure> {
    Ok(sql_query(format!("PRAGMA wal_checkpoint({mode})")).get_result(connection)?)
}
