//! Writes in groups: what callers hand in while a transaction runs is written together by the next
//! one.
//!
//! A write joins a bounded queue. A thread with a connection of its own takes all that waits there,
//! up to a limit and without lingering, has it written in one transaction, and answers each caller
//! after the commit. So groups form by themselves under load, and a single write waits for nobody.
//! Where there are several such threads, one makes its group ready and answers its callers while
//! the database works for another.
//!
//! Stores take turns in the queue, so that a store with many or large orders delays the orders of
//! another store by its turn only.

mod health;
mod metrics;
mod queue;
mod writer;

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

/// Work that belongs to no store takes turns with the stores under this name.
const NO_STORE: &str = "";

/// Why a write or anything else that was handed in failed, or what came of it.
type Outcome<T> = Result<T, RepositoryError>;

/// Writes groups of jobs on a connection of its own.
pub trait GroupWriter: Send + 'static {
    /// What is written for one caller.
    type Job: Send + 'static;
    /// What the caller is answered.
    type Output: Send + 'static;

    /// The store that a job belongs to: whatever keeps one job of a store waiting keeps all of
    /// them.
    fn store(job: &Self::Job) -> &str;

    /// How much there is to write for a job.
    fn weight(job: &Self::Job) -> Weight;

    /// Writes the jobs in one transaction, and answers what came of each, in their order, once it
    /// is committed.
    ///
    /// A connection may be made and made again until the deadline, but must be tried for once.
    ///
    /// # Errors
    /// Where the transaction failed: nothing of it is stored, unless its commit was sent and not
    /// answered. A group that failed is written again job by job, but for
    /// [`RepositoryError::Unavailable`], which concerns all of them.
    fn write(
        &mut self,
        jobs: &mut [Self::Job],
        deadline: Instant,
    ) -> Outcome<Vec<Outcome<Self::Output>>>;

    /// Gives up the connection, which may be amid a transaction; called after a panic.
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
}

/// Sizes and times of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Writes that may wait; one more is refused at once.
    pub queue: usize,
    /// Writes of one store that may wait; one more of this store is refused at once.
    pub queue_of_store: usize,
    /// Writes of one transaction at most.
    pub group: usize,
    /// What the writes of one transaction may weigh together. A single write may weigh more.
    pub group_weight: Weight,
    /// How long a write waits to be taken up before it is answered that the database is
    /// unavailable.
    pub wait: Duration,
    /// How long its caller waits in all.
    pub patience: Duration,
}

/// What waits in the queue.
enum Entry<W: GroupWriter> {
    /// To be written with others.
    Job(Waiting<W>),
    /// To be done between two groups, on the same connection.
    Alone(Box<dyn FnOnce(&mut W) + Send>),
}

/// A job and who waits for it.
struct Waiting<W: GroupWriter> {
    job: W::Job,
    weight: Weight,
    ticket: Ticket<W::Output>,
}

/// Who waits.
struct Ticket<T> {
    since: Instant,
    answer: oneshot::Sender<Outcome<T>>,
}

/// A queue of writes and the threads that work it off. Dropping it takes nothing more in, and
/// returns when the groups that were begun are written. (A job that still waits then has no caller
/// any more, and is not written.)
pub struct Group<W: GroupWriter> {
    queue: Arc<Queue<W>>,
    threads: Vec<JoinHandle<()>>,
    config: GroupConfig,
    metrics: Arc<Metrics>,
    health: Arc<WriteHealth>,
}

impl<W: GroupWriter> Group<W> {
    /// A queue, and a thread for each writer. Without any, whatever is handed in is refused.
    ///
    /// # Errors
    /// Where the system starts no thread.
    pub fn start(config: GroupConfig, writers: impl IntoIterator<Item = W>) -> io::Result<Self> {
        let metrics = Arc::new(Metrics::default());
        let queue = Arc::new(Queue::new(config));
        let writers: Vec<W> = writers.into_iter().collect();
        if writers.is_empty() {
            queue.close();
        }
        // Made before the threads, so that those that run end where a further one does not start.
        let health = Arc::new(WriteHealth::default());
        let threads = Vec::with_capacity(writers.len());
        let mut group = Self {
            queue,
            threads,
            config,
            metrics,
            health,
        };
        for writer in writers {
            let (queue, metrics) = (Arc::clone(&group.queue), Arc::clone(&group.metrics));
            let health = Arc::clone(&group.health);
            let mut writing = WriterThread {
                writer,
                queue,
                config,
                metrics,
                health,
            };
            let thread = thread::Builder::new().name("order-writer".to_owned());
            group
                .threads
                .push(thread.spawn(move || while writing.take_group() {})?);
        }
        Ok(group)
    }

    /// Has a job written together with those that wait as well.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, for all or for this store,
    /// and where nobody took the job up in time; [`RepositoryError::Timeout`] where it was taken up
    /// and not answered in time; and what the writer says. A job whose caller has dropped the
    /// future before it was taken up is not written.
    pub async fn write(&self, job: W::Job) -> Outcome<W::Output> {
        let (answer, answered) = oneshot::channel();
        let (store, weight) = (W::store(&job).to_owned(), W::weight(&job));
        let ticket = Ticket {
            since: Instant::now(),
            answer,
        };
        self.hand_in(
            &store,
            Entry::Job(Waiting {
                job,
                weight,
                ticket,
            }),
        )?;
        match tokio::time::timeout(self.config.patience, answered).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(unanswered())),
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    /// Does something on a writer's connection, in its turn between two groups of this writer.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, and where its turn did not
    /// come in time; and what the work says.
    pub async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut W) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let (answer, answered) = oneshot::channel();
        let (since, wait) = (Instant::now(), self.config.wait);
        let work = move |writer: &mut W| {
            if answer.is_closed() {
                return;
            }
            let outcome = if since.elapsed() > wait {
                Err(late())
            } else {
                work(writer)
            };
            // Who went away needs no answer.
            drop(answer.send(outcome));
        };
        self.hand_in(NO_STORE, Entry::Alone(Box::new(work)))?;
        answered.await.unwrap_or_else(|_| Err(unanswered()))
    }

    /// How the queue stands, and what went through it so far.
    #[must_use]
    pub fn metrics(&self) -> WriteQueue {
        self.metrics.read(self.queue.len())
    }

    fn hand_in(&self, store: &str, entry: Entry<W>) -> Outcome<()> {
        self.queue.push(store, entry).map_err(|full| {
            self.metrics.refused();
            RepositoryError::Unavailable(match full {
                Full::Queue => "too many writes are waiting".into(),
                Full::Store => "too many writes of this store are waiting".into(),
                Full::Closed => "no thread writes any more".into(),
            })
        })
    }
}

impl<W: GroupWriter> Drop for Group<W> {
    fn drop(&mut self) {
        self.queue.close();
        // What panicked there has been reported.
        self.threads
            .drain(..)
            .for_each(|thread| drop(thread.join()));
    }
}

impl<W: GroupWriter> std::fmt::Debug for Group<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

fn late() -> RepositoryError {
    RepositoryError::Unavailable("the writes before it took too long".into())
}

fn unanswered() -> RepositoryError {
    RepositoryError::Refused("the writer ended before it answered".into())
}
