//! Write shards, as callers see them: they accept jobs and return the results.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;
use std::{io, thread};

use pressline_domain::error::RepositoryError;
use pressline_kit::lock;
use tokio::sync::oneshot;

use super::health::{ProbeResult, ProbeSize, WriteHealth};
use super::job::{
    Entry, GroupConfig, GroupJob as _, GroupWriter, JobResult, StoreOf, Ticket, Waiting, late,
    writer_ended,
};
use super::metrics::WriteQueue;
use super::queue::{CLOSED, Queue, Refusal};
use super::writer::WriterThread;

/// Threads that write jobs in groups, with a queue for each thread. Dropping `WriteShards` finishes
/// the groups in progress. Waiting jobs stay unwritten, because no caller waits for them any more.
pub struct WriteShards<W: GroupWriter> {
    queues: Vec<Arc<Queue<W>>>,
    threads: Vec<JoinHandle<()>>,
    config: GroupConfig,
    /// Statistics without the number of waiting writes.
    metrics: Arc<Mutex<WriteQueue>>,
    health: Arc<WriteHealth>,
}

impl<W: GroupWriter> WriteShards<W> {
    /// Starts a write shard for each of `writers`. Without writers, all writes are refused.
    ///
    /// # Errors
    /// Returns an error if a thread cannot be started.
    pub fn start(config: GroupConfig, writers: impl IntoIterator<Item = W>) -> io::Result<Self> {
        // If a later thread fails to start, dropping `shards` ends the threads started before.
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

    /// Checks that [`WriteShards::write`] would currently accept a job of `store`.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if the queue is full, in total or for this store, or if the
    /// write shard is overloaded.
    pub fn check_room(&self, store: StoreOf<W>) -> JobResult<()> {
        let queue = self.queue_of(&store).ok_or(CLOSED);
        let checked = queue.and_then(|queue| queue.check_room(&Some(store)));
        checked.map_err(|refusal| self.refuse(refusal))
    }

    /// Writes `job` together with other jobs of its write shard. If the future is dropped before
    /// the job's transaction begins, the job is not written.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] immediately if the queue is full, in total or for this
    /// store, or the shard is overloaded; also if the job waited too long for its transaction.
    /// [`RepositoryError::Timeout`] if writing takes too long.
    pub async fn write(&self, job: W::Job) -> JobResult<W::Output> {
        let (response, received) = oneshot::channel();
        let store = job.store();
        let weight = job.weight();
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
            // The transaction may be running, so the result is unknown.
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    /// Runs `work`, which belongs to no store, between two groups on the connection of the least
    /// busy writer.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] immediately if the queue is full or the shard is
    /// overloaded; also if `work` waited too long. Same errors as `work`.
    pub async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut W) -> JobResult<T> + Send + 'static,
    ) -> JobResult<T> {
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

    /// Returns the statistics of all shards.
    pub fn metrics(&self) -> WriteQueue {
        let waiting = self.queues.iter().map(|queue| queue.len()).sum();
        WriteQueue {
            waiting,
            ..*lock(&self.metrics)
        }
    }

    fn push(
        &self,
        queue: Option<&Arc<Queue<W>>>,
        store: Option<StoreOf<W>>,
        entry: Entry<W>,
    ) -> JobResult<()> {
        let pushed = queue
            .ok_or(CLOSED)
            .and_then(|queue| queue.push(store, entry));
        pushed.map_err(|refusal| self.refuse(refusal))
    }

    fn queue_of(&self, store: &StoreOf<W>) -> Option<&Arc<Queue<W>>> {
        self.queues.get(shard_of(store, self.queues.len()))
    }

    fn refuse(&self, refusal: Refusal) -> RepositoryError {
        lock(&self.metrics).refused += 1;
        RepositoryError::Unavailable(refusal.into())
    }
}

/// Returns the write shard of `store`, less than `shards`; the same for the process's life.
pub fn shard_of(store: &impl Hash, shards: usize) -> usize {
    // `DefaultHasher::new` always uses the same keys.
    let mut hasher = DefaultHasher::new();
    store.hash(&mut hasher);
    let shards = u64::try_from(shards.max(1)).unwrap_or(1);
    usize::try_from(hasher.finish() % shards).unwrap_or(0)
}

impl<W: GroupWriter> Drop for WriteShards<W> {
    fn drop(&mut self) {
        // Close all queues before joining, so that the shards end in parallel.
        for queue in &self.queues {
            queue.close();
        }
        for thread in self.threads.drain(..) {
            // The panic hook has reported a panic of the thread already.
            drop(thread.join());
        }
    }
}

impl<W: GroupWriter> WriteShards<W> {
    /// Checks that writes work. Costs nothing if a write in any shard succeeded within the last
    /// second. Otherwise runs `probe` between two groups of the least busy shard. Callers should
    /// reuse the result for a second, so that there is at most one probe per second.
    ///
    /// # Errors
    /// Returns the error of the probe; also an error if writes have been blocked for 30 s.
    pub async fn check(
        &self,
        probe: impl FnOnce(&mut W, ProbeSize) -> ProbeResult + Send + 'static,
    ) -> JobResult<()> {
        let Some(size) = self.health.needed() else {
            return Ok(());
        };
        // A probe that times out in the queue was blocked by other writes.
        let probed = self
            .alone(move |writer| Ok(probe(writer, size)))
            .await
            .unwrap_or_else(ProbeResult::Busy);
        self.health.note(probed)
    }
}
