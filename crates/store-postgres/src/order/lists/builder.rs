//! The thread that builds word lists in the background.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use pressline_domain::error::Result;
use pressline_domain::value::StoreId;
use pressline_store_kit::{SqlText, statement};

use super::ListSizes;
use super::build::build_one;
use crate::error::Failure;
use crate::session::Manager;

/// Time between two sweeps over all stores. Sweeps find segments with many changed orders, and work
/// left by a server that stopped.
const SWEEP: Duration = Duration::from_secs(15);
/// Pause after each segment, as a multiple of the time that building the segment took: the thread
/// uses at most a tenth of a core.
const PAUSE: u32 = 9;

statement! {
    pub(crate) struct StoresToList<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/stores_to_list.sql"), &[]),
    {
        /// Orders per segment. Selects stores with enough orders for another segment.
        orders: &'a i64 = BigInt,
        changes: &'a i64 = BigInt,
    }
}

enum Message {
    /// A chunk of the store was closed, so that a segment may be complete.
    ChunkClosed(StoreId),
    Stop,
}

#[derive(Clone)]
pub(crate) struct ClosedChunks(mpsc::Sender<Message>);

impl ClosedChunks {
    pub(crate) fn report(&self, store: StoreId) {
        // Fails only if the thread has stopped; a sweep of another server finds the store.
        let _ = self.0.send(Message::ChunkClosed(store));
    }
}

/// Dropping the handle stops the thread, and waits at most until the current segment is built.
pub(crate) struct ListBuilder {
    messages: mpsc::Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl ListBuilder {
    /// The thread connects when it first has work.
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
            // The panic hook has reported a panic already.
            let _ = thread.join();
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) sweep: Duration,
    /// Pause after each segment, as a multiple of the time that building the segment took.
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

struct Task {
    manager: Manager,
    sizes: ListSizes,
    pace: Pace,
    connection: Option<PgConnection>,
    /// Queue of stores that may need new lists.
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
            Err(error) => tracing::debug!(%error, "looking for stores without word lists failed"),
        }
    }

    /// Moves the store to the end of the queue if a segment was built; otherwise removes it.
    fn build(&mut self) {
        let Some(store_id) = self.stores.pop_front() else {
            return;
        };
        let sizes = self.sizes;
        let built = self.work(|connection| build_one(connection, &store_id, sizes));
        match built {
            Ok(true) => {
                tracing::debug!(store = store_id, "word lists were built");
                self.enqueue(store_id);
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, store = store_id, "no word lists were built");
            }
        }
    }

    fn work<T>(&mut self, work: impl FnOnce(&mut PgConnection) -> Result<T, Failure>) -> Result<T> {
        let now = Instant::now();
        let done = self.manager.run(&mut self.connection, now, work);
        done.map_err(|(_, error)| error)
    }
}
