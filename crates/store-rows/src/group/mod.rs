//! Writes in groups: what callers hand in while a transaction runs is written together by the next one.
//!
//! A write joins a bounded queue. A thread with a connection of its own takes all that waits there, up to a limit and
//! without lingering, has it written in one transaction, and answers each caller after the commit. So groups form by
//! themselves under load, and a single write waits for nobody. Where there are several such threads, one makes its
//! group ready and answers its callers while the database works for another.

mod health;
mod metrics;
mod writer;

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

use pressline_domain::ports::RepositoryError;
use tokio::sync::{mpsc, oneshot};

pub use health::{ProbeSize, Probed};
pub use metrics::{Distribution, WriteQueue};

use health::WriteHealth;
use metrics::Metrics;
use writer::Turns;

/// Why a write or anything else that was handed in failed, or what came of it.
type Outcome<T> = Result<T, RepositoryError>;

/// Writes groups of jobs on a connection of its own.
pub trait GroupWriter: Send + 'static {
    /// What is written for one caller.
    type Job: Send + 'static;
    /// What the caller is answered.
    type Done: Send + 'static;

    /// The store that a job belongs to: whatever keeps one job of a store waiting keeps all of them.
    fn store(job: &Self::Job) -> &str;

    /// Writes the jobs in one transaction, and answers what came of each, in their order, once it is committed.
    ///
    /// A connection may be made and made again until the deadline, but must be tried for once.
    ///
    /// # Errors
    /// Where the transaction failed: nothing of it is stored, unless its commit was sent and not answered. A group that
    /// failed is written again job by job, but for [`RepositoryError::Unavailable`], which concerns all of them.
    fn write(&mut self, jobs: &mut [Self::Job], deadline: Instant) -> Outcome<Vec<Outcome<Self::Done>>>;

    /// Gives up the connection, which may be amid a transaction; called after a panic.
    fn reset(&mut self);
}

/// Sizes and times of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Writes that may wait; one more is refused at once.
    pub queue: usize,
    /// Writes of one transaction at most.
    pub group: usize,
    /// How long a write waits to be taken up before it is answered that the database is unavailable.
    pub wait: Duration,
    /// How long its caller waits in all.
    pub patience: Duration,
}

/// What stands in the queue.
enum Entry<W: GroupWriter> {
    /// To be written with others.
    Job(Waiting<W>),
    /// To be done between two groups, on the same connection.
    Alone(Box<dyn FnOnce(&mut W) + Send>),
}

/// A job and who waits for it.
struct Waiting<W: GroupWriter> {
    job: W::Job,
    ticket: Ticket<W::Done>,
}

/// Who waits.
struct Ticket<T> {
    since: Instant,
    answer: oneshot::Sender<Outcome<T>>,
}

/// A queue of writes and the threads that work it off. Dropping it takes nothing more in, and returns when all that
/// was taken in is written and answered.
pub struct Group<W: GroupWriter> {
    /// Nothing only while it is dropped.
    entries: Option<mpsc::Sender<Entry<W>>>,
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
        let (entries, waiting) = mpsc::channel(config.queue.max(1));
        let metrics = Arc::new(Metrics::default());
        let health = Arc::new(WriteHealth::default());
        let waiting = Arc::new(Mutex::new(waiting));
        let threads = writers.into_iter().map(|writer| {
            let waiting = Arc::clone(&waiting);
            let (metrics, health) = (Arc::clone(&metrics), Arc::clone(&health));
            let mut turns = Turns { writer, waiting, config, metrics, health };
            let thread = thread::Builder::new().name("order-writer".to_owned());
            thread.spawn(move || while turns.take() {})
        });
        let threads = threads.collect::<io::Result<_>>()?;
        Ok(Self { entries: Some(entries), threads, config, metrics, health })
    }

    /// Has a job written together with those that wait as well.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, and where nobody took the job up in time;
    /// [`RepositoryError::Timeout`] where it was taken up and not answered in time; and what the writer says.
    pub async fn write(&self, job: W::Job) -> Outcome<W::Done> {
        let (answer, answered) = oneshot::channel();
        self.hand_in(Entry::Job(Waiting { job, ticket: Ticket { since: Instant::now(), answer } }))?;
        match tokio::time::timeout(self.config.patience, answered).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(unanswered())),
            Err(elapsed) => Err(RepositoryError::Timeout(elapsed.into())),
        }
    }

    /// Does something on a writer's connection, in its turn between two groups of this writer.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] at once where the queue is full, and where its turn did not come in time; and
    /// what the work says.
    pub async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut W) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let (answer, answered) = oneshot::channel();
        let (since, wait) = (Instant::now(), self.config.wait);
        self.hand_in(Entry::Alone(Box::new(move |writer| {
            let outcome = if since.elapsed() > wait { Err(late()) } else { work(writer) };
            // Who went away needs no answer.
            drop(answer.send(outcome));
        })))?;
        answered.await.unwrap_or_else(|_| Err(unanswered()))
    }

    /// How the queue stands, and what went through it so far.
    #[must_use]
    pub fn metrics(&self) -> WriteQueue {
        let entries = self.entries.as_ref();
        let waiting = entries.map_or(0, |entries| entries.max_capacity() - entries.capacity());
        self.metrics.read(waiting)
    }

    fn hand_in(&self, entry: Entry<W>) -> Outcome<()> {
        let entries = self.entries.as_ref().ok_or_else(unanswered)?;
        entries.try_send(entry).map_err(|error| {
            self.metrics.refused();
            // What is sent back would be the order itself.
            RepositoryError::Unavailable(match error {
                mpsc::error::TrySendError::Full(_) => "too many writes are waiting".into(),
                mpsc::error::TrySendError::Closed(_) => "no thread writes any more".into(),
            })
        })
    }
}

impl<W: GroupWriter> Drop for Group<W> {
    fn drop(&mut self) {
        drop(self.entries.take());
        // What panicked there has been reported.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl<W: GroupWriter> std::fmt::Debug for Group<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group").field("config", &self.config).finish_non_exhaustive()
    }
}

fn late() -> RepositoryError {
    RepositoryError::Unavailable("the writes before it took too long".into())
}

fn unanswered() -> RepositoryError {
    RepositoryError::Refused("the writer ended before it answered".into())
}
