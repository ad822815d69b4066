//! Write shards, through which callers write.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use std::{io, thread};

use pressline_domain::error::RepositoryError;
use tokio::sync::oneshot;

use super::health::{ProbeResult, ProbeSize, WriteHealth};
use super::job::{Entry, GroupConfig, GroupWriter, Outcome, Ticket, Waiting, late, writer_ended};
use super::metrics::{Metrics, WriteQueue};
use super::queue::{Full, Queue};
use super::writer::WriterThread;

/// Write shards of writes. Dropping them refuses further writes, and returns when the groups that have
/// begun are written. (A job that still waits then has no caller any more, and is not written.)
pub struct WriteShards<W: GroupWriter> {
    queues: Vec<Arc<Queue<W>>>,
    threads: Vec<JoinHandle<()>>,
    config: GroupConfig,
    metrics: Arc<Metrics>,
    health: Arc<WriteHealth>,
}

impl<W: GroupWriter> WriteShards<W> {
    /// Starts a shard for each writer. Without writers, all writes are refused.
    ///
    /// # Errors
    /// Where the system starts no thread.
    pub fn start(config: GroupConfig, writers: impl IntoIterator<Item = W>) -> io::Result<Self> {
        // If a thread does not start, dropping this ends those that have started.
        let mut shards = Self {
            queues: Vec::new(),
            threads: Vec::new(),
            config,
            metrics: Arc::default(),
            health: Arc::default(),
        };
        for writer in writers {
            shards.add(writer)?;
        }
        Ok(shards)
    }

    fn add(&mut self, writer: W) -> io::Result<()> {
        let queue = Arc::new(Queue::new(self.config));
        self.queues.push(Arc::clone(&queue));
        let mut writing = WriterThread {
            writer,
            queue,
            config: self.config,
            metrics: Arc::clone(&self.metrics),
            health: Arc::clone(&self.health),
        };
        let thread = thread::Builder::new().name("order-writer".to_owned());
        self.threads
            .push(thread.spawn(move || while writing.take_group() {})?);
        Ok(())
    }

    /// Checks that [`WriteShards::write`] would take a job of this store now.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where the queue is full, for all or for this store.
    pub fn check_room(&self, store: W::Store) -> Outcome<()> {
        let queue = self.queue_of(&store).ok_or(Full::Closed);
        let checked = queue.and_then(|queue| queue.check_room(&Some(store)));
        checked.map_err(|full| self.refuse(full))
    }

    /// Writes a job together with others of its shard.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, for all or for this store,
    /// and where the job waited too long; [`RepositoryError::Timeout`] where writing took too long;
    /// and the errors of the writer. A job whose caller has dropped the future before its
    /// transaction began is not written.
    pub async fn write(&self, job: W::Job) -> Outcome<W::Output> {
        let (response, received) = oneshot::channel();
        let store = W::store(&job);
        let weight = W::weight(&job);
        let ticket = Ticket {
            since: Instant::now(),
            response,
        };
        self.push(
            self.queue_of(&store),
            Some(store),
            Entry::Job(Waiting {
                job,
                weight,
                ticket,
            }),
        )?;
        match tokio::time::timeout(self.config.patience, received).await {
            Ok(response) => response.unwrap_or_else(|_| Err(writer_ended())),
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    /// Does work of no store on the connection of the writer that has least to do, between two of
    /// its groups.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, and where the work waited
    /// too long; and the errors of the work.
    pub async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut W) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let (response, received) = oneshot::channel();
        let (since, wait) = (Instant::now(), self.config.wait);
        let work = move |writer: &mut W| {
            if response.is_closed() {
                return;
            }
            let outcome = if since.elapsed() > wait {
                Err(late())
            } else {
                work(writer)
            };
            // The caller may have given up meanwhile.
            drop(response.send(outcome));
        };
        let queue = self.queues.iter().min_by_key(|queue| queue.load());
        self.push(queue, None, Entry::Alone(Box::new(work)))?;
        received.await.unwrap_or_else(|_| Err(writer_ended()))
    }

    /// How many writes wait in all shards, and counts of those that were written.
    pub fn metrics(&self) -> WriteQueue {
        let waiting = self.queues.iter().map(|queue| queue.len()).sum();
        self.metrics.read(waiting)
    }

    fn push(
        &self,
        queue: Option<&Arc<Queue<W>>>,
        store: Option<W::Store>,
        entry: Entry<W>,
    ) -> Outcome<()> {
        let pushed = queue.ok_or(Full::Closed);
        let pushed = pushed.and_then(|queue| queue.push(store, entry));
        pushed.map_err(|full| self.refuse(full))
    }

    fn queue_of(&self, store: &W::Store) -> Option<&Arc<Queue<W>>> {
        self.queues.get(shard_of(store, self.queues.len()))
    }

    fn refuse(&self, full: Full) -> RepositoryError {
        self.metrics.refused();
        RepositoryError::Unavailable(match full {
            Full::Queue => "too many writes are waiting".into(),
            Full::Backlog => "writes arrive faster than they are written".into(),
            Full::Store => "too many writes of this store are waiting".into(),
            Full::Closed => "no thread writes any more".into(),
        })
    }
}

/// The number of the shard, from 0, that the writes of a store join. It is the same for the whole
/// life of a process.
pub fn shard_of(store: &impl Hash, shards: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    store.hash(&mut hasher);
    let shards = u64::try_from(shards.max(1)).unwrap_or(1);
    usize::try_from(hasher.finish() % shards).unwrap_or(0)
}

impl<W: GroupWriter> Drop for WriteShards<W> {
    fn drop(&mut self) {
        // All of them first, so that the shards end at the same time.
        for queue in &self.queues {
            queue.close();
        }
        for thread in self.threads.drain(..) {
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

impl<W: GroupWriter> std::fmt::Debug for WriteShards<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lanes")
            .field("lanes", &self.queues.len())
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl<W: GroupWriter> WriteShards<W> {
    /// Checks that writes work. Costs nothing where one succeeded within the last second, in any
    /// shard. Otherwise writes a probe, between two groups of the shard that has least to do. Callers
    /// keep the result for a second, so that there is at most one probe a second.
    ///
    /// # Errors
    /// The error of the probe; also where writes have waited for others for 30 s.
    pub async fn check(
        &self,
        probe: impl FnOnce(&mut W, ProbeSize) -> ProbeResult + Send + 'static,
    ) -> Outcome<()> {
        let Some(size) = self.health.needed() else {
            return Ok(());
        };
        // A probe whose turn does not come waits for other writes.
        let probed = self
            .alone(move |writer| Ok(probe(writer, size)))
            .await
            .unwrap_or_else(ProbeResult::Busy);
        self.health.note(probed)
    }
}
