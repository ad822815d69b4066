//! The thread that builds lists in the background.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_store_kit::{SqlText, statement};

use super::ListSizes;
use super::build::build_one;
use crate::error::{Failure, Remedy, remedy_of};
use crate::session::{Manager, Plans, is_broken};

/// Between two looks at all stores. They find what a server has left that stopped, and segments with
/// many changed orders.
const SWEEP: Duration = Duration::from_secs(15);
/// Pauses after each segment, in units of the time that it took: so the task uses at most a tenth
/// of one core.
const PAUSE: u32 = 9;

statement! {
    /// The stores that may have something to do.
    pub(crate) struct StoresToList<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/stores_to_list.sql"), &[]),
    {
        /// As in [`ListSizes`].
        orders: &'a i64 = BigInt,
        changes: &'a i64 = BigInt,
    }
}

enum Message {
    /// A chunk of this store was closed, so that a segment may be complete.
    ChunkClosed(StoreId),
    Stop,
}

/// Reports closed chunks to the thread.
#[derive(Clone)]
pub(crate) struct ClosedChunks(mpsc::Sender<Message>);

impl ClosedChunks {
    pub(crate) fn report(&self, store: StoreId) {
        // Fails only where the thread has stopped; the next server to sweep finds the store.
        let _ = self.0.send(Message::ChunkClosed(store));
    }
}

/// The thread. Dropping it ends the thread, at the latest when the segment that it builds is ready.
pub(crate) struct ListBuilder {
    messages: mpsc::Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl ListBuilder {
    /// Starts the thread. It makes a connection when it first has something to do.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub(crate) fn start(manager: Manager, sizes: ListSizes, pace: Pace) -> io::Result<Self> {
        let (messages, receiver) = mpsc::channel();
        let mut task = Task {
            manager,
            sizes,
            pace,
            connection: None,
            stores: VecDeque::new(),
        };
        let thread = thread::Builder::new()
            .name("word lists".to_owned())
            .spawn(move || task.run(&receiver))?;
        Ok(Self {
            messages,
            thread: Some(thread),
        })
    }

    pub(crate) fn closed_chunks(&self) -> ClosedChunks {
        ClosedChunks(self.messages.clone())
    }
}

impl Drop for ListBuilder {
    fn drop(&mut self) {
        let _ = self.messages.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic has been reported already.
            let _ = thread.join();
        }
    }
}

/// How often the thread looks at all stores, and how long it pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) sweep: Duration,
    /// After each segment, in units of the time that it took.
    pub(crate) pause: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            sweep: SWEEP,
            pause: PAUSE,
        }
    }
}

/// What the thread knows.
struct Task {
    manager: Manager,
    sizes: ListSizes,
    pace: Pace,
    connection: Option<PgConnection>,
    /// Stores that may have something to do.
    stores: VecDeque<String>,
}

impl Task {
    fn run(&mut self, messages: &mpsc::Receiver<Message>) {
        let mut next_sweep = Instant::now() + self.pace.sweep;
        let mut next_segment = Instant::now();
        loop {
            let next = match self.stores.is_empty() {
                true => next_sweep,
                false => next_sweep.min(next_segment),
            };
            match messages.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(Message::ChunkClosed(store)) => {
                    self.enqueue(store.to_string());
                    continue;
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let begun = Instant::now();
            if begun >= next_sweep {
                self.sweep();
                next_sweep = Instant::now() + self.pace.sweep;
            } else {
                self.build();
                next_segment = Instant::now() + begun.elapsed() * self.pace.pause;
            }
        }
    }

    fn enqueue(&mut self, store_id: String) {
        if !self.stores.contains(&store_id) {
            self.stores.push_back(store_id);
        }
    }

    /// Looks for stores that have something to do.
    fn sweep(&mut self) {
        let ListSizes { orders, changes } = self.sizes;
        let found: Result<Vec<String>, _> = self.work(|connection| {
            let statement = StoresToList {
                orders: &orders,
                changes: &changes,
            };
            Ok(statement.load(connection)?)
        });
        match found {
            Ok(stores) => stores.into_iter().for_each(|store| self.enqueue(store)),
            // The database may be down, or not migrated yet.
            Err(error) => tracing::debug!(%error, "no store was looked at for lists of words"),
        }
    }

    /// Builds a segment of the first of the stores, which then follows the others.
    fn build(&mut self) {
        let Some(store_id) = self.stores.pop_front() else {
            return;
        };
        let sizes = self.sizes;
        let built = self.work(|connection| build_one(connection, &store_id, sizes));
        match built {
            Ok(true) => {
                tracing::debug!(store = store_id, "lists of words were built");
                self.enqueue(store_id);
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, store = store_id, "no lists of words were built");
            }
        }
    }

    /// Does work on the thread's connection, which is made where there is none.
    fn work<T>(
        &mut self,
        work: impl FnOnce(&mut PgConnection) -> Result<T, Failure>,
    ) -> Result<T, RepositoryError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.manager.connect(Plans::Once, Instant::now())?,
        };
        let begun = Instant::now();
        let done = self
            .manager
            .with_settings(&mut connection, Plans::Once, work);
        let lost = done.as_ref().err().map(remedy_of) == Some(Remedy::Reconnect);
        if !lost && !is_broken(&mut connection) {
            self.connection = Some(connection);
        }
        done.map_err(|failure| self.manager.error(failure, begun.elapsed()))
    }
}
