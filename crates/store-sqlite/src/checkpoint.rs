//! Copies the write-ahead log into the database file, on a thread with its own connection.
//!
//! By default SQLite copies the log within a commit: it copies 1,000 pages and flushes the database
//! file, which delays all waiting orders. The thread leaves only a small rest of this work to
//! commits. The log can restart at its beginning only after all of it is copied, which never
//! happens between the writes of a busy server. Therefore the writing connection itself copies the
//! last pages when the log has reached its limit: few, because the thread has copied the others.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;

use crate::connection::{Opener, Purpose};
use crate::error::{Failure, repository};

/// Minimum number of uncopied pages in the write-ahead log before the checkpoint thread copies
/// them. Copying more pages at a time saves writes, because a page that has changed several times
/// is only written once.
const WORTHWHILE: i32 = 500;
/// Pause of the checkpoint thread between two looks at the write-ahead log. At full load the log
/// grows by about 100 pages in this time.
const PAUSE: Duration = Duration::from_millis(20);
/// Pause of the checkpoint thread after an error, for example because of a full disk. Meanwhile
/// commits keep the log short.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(1);

/// Dropping the handle stops the thread, and waits until it has ended.
pub(crate) struct Checkpoints {
    /// Channel that tells the checkpoint thread about commits; `None` tells the thread to end.
    written: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// The thread opens its connection after the first write.
    pub(crate) fn start(opener: &Arc<Opener>) -> io::Result<Self> {
        // One message suffices to tell that something was written since the last look.
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

    /// Does not wait.
    pub(crate) fn wrote(&self) {
        if let Some(written) = &self.written {
            // A full channel already contains the same message.
            let _ = written.try_send(());
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.written = None;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The panic hook has reported a panic of the thread already.
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
        // `drop` unparks the thread to end the pause early.
        thread::park_timeout(pause);
    }
}

/// Copies the log only if at least [`WORTHWHILE`] pages are uncopied.
fn look(opener: &Opener, connection: &mut Option<SqliteConnection>) -> Result<(), RepositoryError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(opener.open(Purpose::Checkpoint)?),
    };
    let (_, pages, copied) = checkpoint(connection, "NOOP").map_err(repository)?;
    if pages - copied >= WORTHWHILE {
        checkpoint(connection, "PASSIVE").map_err(repository)?;
    }
    Ok(())
}

/// The mode `NOOP` copies nothing. The mode `PASSIVE` copies as many pages as possible without
/// waiting for readers. Returns whether it was hindered, the number of pages in the log, and the
/// number of copied pages.
fn checkpoint(connection: &mut SqliteConnection, mode: &str) -> Result<(i32, i32, i32), Failure> {
    let checkpoint = format!("PRAGMA wal_checkpoint({mode})");
    Ok(sql::<(Integer, Integer, Integer)>(&checkpoint).get_result(connection)?)
}
