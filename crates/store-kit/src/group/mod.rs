//! Writes in groups: the writes that arrive while a transaction runs share the next one.
//!
//! There is a lane for each writer: a bounded queue, and a thread with a connection of its own. The
//! thread takes what waits in its queue, up to a limit and without waiting for more, writes it in
//! one transaction, and sends each caller its result after the commit. So groups form by themselves
//! under load, and a single write is not delayed.
//!
//! The writes of a store always join the same lane. Two groups of one process therefore never wait
//! for each other's rows, such as the counter of a store's order numbers.
//!
//! The stores of a lane take turns, so that a store with many or large orders delays the orders of
//! another store by its turn only. What the service does by itself has small groups now and then, so that
//! it delays requests little, however much of it there is.

mod background;
mod health;
mod metrics;
mod queue;
mod writer;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

use pressline_domain::error::RepositoryError;
use tokio::sync::oneshot;

pub use health::{ProbeSize, Probed};
pub use metrics::{Distribution, WriteQueue};

use health::WriteHealth;
use metrics::Metrics;
use queue::{Full, Queue};
use writer::WriterThread;

type Outcome<T> = Result<T, RepositoryError>;

/// Writes groups of jobs on a connection of its own.
pub trait GroupWriter: Send + 'static {
    /// What identifies a store.
    type Store: Clone + Eq + Hash + Send + 'static;
    /// What is written for one caller.
    type Job: Send + 'static;
    /// What the caller receives.
    type Output: Send + 'static;

    /// The store that a job belongs to. All jobs of a store use the same lane, and one that has to
    /// wait for a lock makes the other jobs of its store wait as well.
    fn store(job: &Self::Job) -> Self::Store;

    /// How much there is to write for a job.
    fn weight(job: &Self::Job) -> Weight;

    /// Whether no request waits for a job. Such jobs have groups of their own, of a quarter of the size, and
    /// let the jobs of requests go first.
    fn is_background(job: &Self::Job) -> bool;

    /// Writes the jobs in one transaction. Returns the result of each after the commit, in the
    /// order of the jobs.
    ///
    /// A lost connection may be replaced until the deadline, but at least once.
    ///
    /// # Errors
    /// Where the transaction failed: nothing of it is stored, unless the result of its commit was
    /// lost. The group is then written again job by job, except after
    /// [`RepositoryError::Unavailable`], which concerns all of them.
    fn write(
        &mut self,
        jobs: &mut [Self::Job],
        deadline: Instant,
    ) -> Outcome<Vec<Outcome<Self::Output>>>;

    /// Whether jobs of different stores must not share a transaction, because their rows may be on
    /// different nodes. A group is then written store by store.
    fn separates_stores(&mut self) -> bool {
        false
    }

    /// Closes the connection, which may be within a transaction. Called after a panic.
    fn reset(&mut self);
}

/// How much there is to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// Line items.
    pub items: usize,
    /// Bytes of text, approximately.
    pub bytes: usize,
}

impl Weight {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            items: self.items.saturating_add(other.items),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    fn is_within(self, most: Self) -> bool {
        self.items <= most.items && self.bytes <= most.bytes
    }
}

/// Sizes and times of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Writes that may wait in a lane. One more is refused at once.
    pub queue: usize,
    /// Writes of one store that may wait. One more of this store is refused at once.
    pub queue_of_store: usize,
    /// How long a lane may have writes waiting without a break. After that it is overloaded, and as
    /// many may wait as two groups take.
    pub backlog: Duration,
    /// Maximum number of writes in one transaction.
    pub group: usize,
    /// Maximum weight of the writes of one transaction together.
    pub group_weight: Weight,
    /// A write that weighs more has a transaction of its own.
    pub shared_weight: Weight,
    /// How long a write waits for its transaction before it fails as unavailable.
    pub wait: Duration,
    /// How long its caller waits in all.
    pub patience: Duration,
}

enum Entry<W: GroupWriter> {
    /// To be written with others.
    Job(Waiting<W>),
    /// To be done between two groups, on the same connection.
    Alone(Box<dyn FnOnce(&mut W) + Send>),
}

struct Waiting<W: GroupWriter> {
    job: W::Job,
    weight: Weight,
    ticket: Ticket<W::Output>,
}

struct Ticket<T> {
    since: Instant,
    response: oneshot::Sender<Outcome<T>>,
}

/// Lanes of writes. Dropping them refuses further writes, and returns when the groups that have
/// begun are written. (A job that still waits then has no caller any more, and is not written.)
pub struct Lanes<W: GroupWriter> {
    queues: Vec<Arc<Queue<W>>>,
    threads: Vec<JoinHandle<()>>,
    config: GroupConfig,
    metrics: Arc<Metrics>,
    health: Arc<WriteHealth>,
}

impl<W: GroupWriter> Lanes<W> {
    /// Starts a lane for each writer. Without writers, all writes are refused.
    ///
    /// # Errors
    /// Where the system starts no thread.
    pub fn start(config: GroupConfig, writers: impl IntoIterator<Item = W>) -> io::Result<Self> {
        // If a thread does not start, dropping this ends those that have started.
        let mut lanes = Self {
            queues: Vec::new(),
            threads: Vec::new(),
            config,
            metrics: Arc::default(),
            health: Arc::default(),
        };
        for writer in writers {
            lanes.add(writer)?;
        }
        Ok(lanes)
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

    /// Checks that [`Lanes::write`] would take a job of this store now.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where the queue is full, for all or for this store.
    pub fn check_room(&self, store: W::Store) -> Outcome<()> {
        let queue = self.queue_of(&store).ok_or(Full::Closed);
        let checked = queue.and_then(|queue| queue.check_room(&Some(store)));
        checked.map_err(|full| self.refuse(full))
    }

    /// Writes a job together with others of its lane.
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

    /// How many writes wait in all lanes, and counts of those that were written.
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
        self.queues.get(lane_of(store, self.queues.len()))
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

/// The number of the lane, from 0, that the writes of a store join. It is the same for the whole
/// life of a process.
pub fn lane_of(store: &impl Hash, lanes: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    store.hash(&mut hasher);
    let lanes = u64::try_from(lanes.max(1)).unwrap_or(1);
    usize::try_from(hasher.finish() % lanes).unwrap_or(0)
}

impl<W: GroupWriter> Drop for Lanes<W> {
    fn drop(&mut self) {
        // All of them first, so that the lanes end at the same time.
        for queue in &self.queues {
            queue.close();
        }
        for thread in self.threads.drain(..) {
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

impl<W: GroupWriter> std::fmt::Debug for Lanes<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lanes")
            .field("lanes", &self.queues.len())
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

fn late() -> RepositoryError {
    RepositoryError::Unavailable("the writes before it took too long".into())
}

fn writer_ended() -> RepositoryError {
    RepositoryError::Refused("the writer ended before it returned a result".into())
}
