//! The thread that builds word lists in the background.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use diesel::pg::PgConnection;
use pressline_domain::error::Result;
use pressline_domain::value::StoreId;
use pressline_store_kit::Sql;

use super::build::build_one;
use crate::arrays::load;
use crate::error::Failure;
use crate::session::Manager;

/// Time between two sweeps over all stores. Sweeps find segments with many changed orders, and work
/// left by a server that stopped.
const SWEEP: Duration = Duration::from_secs(15);
/// Pause after each segment, as a multiple of the time that building the segment took: the thread
/// uses at most a tenth of a core.
const PAUSE: u32 = 9;

/// Selects stores with enough orders for another segment of `:orders` orders, or with a segment with
/// more than `:changes` changed orders.
static STORES_TO_LIST: Sql = Sql::new(include_str!("sql/stores_to_list.sql"));

enum Message {
    /// A chunk of the store was closed, so that a segment may be complete.
    ChunkClosed(StoreId),
    Stop,
}

/// Dropping the handle stops the thread, and waits at most until the current segment is built.
pub(crate) struct ListBuilder {
    messages: mpsc::Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl ListBuilder {
    /// The thread connects when it first has work.
    pub(crate) fn start(mut manager: Manager, config: ListConfig) -> io::Result<Self> {
        // Its statements belong to no call.
        manager.on_statement = None;
        let (messages, receiver) = mpsc::channel();
        let mut task = Task {
            manager,
            config,
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

    /// Reports that a chunk of `store` is complete, so that a segment may be.
    pub(crate) fn chunk_closed(&self, store: StoreId) {
        // Fails only if the thread has stopped; a sweep of another server finds the store.
        let _ = self.messages.send(Message::ChunkClosed(store));
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
pub(crate) struct ListConfig {
    /// Number of orders of a new segment.
    pub(crate) orders: i64,
    /// Number of changed orders above which the lists of a segment are rebuilt. A search compares
    /// each changed order with the search key, which takes 3 µs; rebuilding takes 0.3 s.
    pub(crate) changes: i64,
    /// Time between two sweeps over all stores.
    pub(crate) sweep: Duration,
    /// Pause after each segment, as a multiple of the time that building the segment took.
    pub(crate) pause: u32,
}

impl Default for ListConfig {
    fn default() -> Self {
        Self {
            orders: 16_384,
            changes: 64,
            sweep: SWEEP,
            pause: PAUSE,
        }
    }
}

struct Task {
    manager: Manager,
    config: ListConfig,
    connection: Option<PgConnection>,
    /// Queue of stores that may need new lists.
    stores: VecDeque<String>,
}

impl Task {
    fn run(&mut self, messages: &mpsc::Receiver<Message>) {
        let mut next_sweep = Instant::now() + self.config.sweep;
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
                next_sweep = Instant::now() + self.config.sweep;
            } else {
                self.build();
                next_segment = Instant::now() + begun.elapsed() * self.config.pause;
            }
        }
    }

    fn enqueue(&mut self, store_id: String) {
        if !self.stores.contains(&store_id) {
            self.stores.push_back(store_id);
        }
    }

    fn sweep(&mut self) {
        let ListConfig {
            orders, changes, ..
        } = self.config;
        let result: Result<Vec<String>, _> = self.work(|connection| {
            let values = [("orders", orders.into()), ("changes", changes.into())];
            Ok(load(connection, &STORES_TO_LIST, &values)?)
        });
        match result {
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
        let ListConfig {
            orders, changes, ..
        } = self.config;
        let built = self.work(|connection| build_one(connection, &store_id, orders, changes));
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
        self.manager
            .run(&mut self.connection, now, work)
            .map_err(|(_, error)| error)
    }
}
