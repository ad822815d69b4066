//! Jobs of writers, and the limits of shards.

use std::hash::Hash;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use tokio::sync::oneshot;

pub(super) type Outcome<T> = Result<T, RepositoryError>;

/// Writes groups of jobs on a connection of its own.
pub trait GroupWriter: Send + 'static {
    /// What identifies a store.
    type Store: Clone + Eq + Hash + Send + 'static;
    /// What is written for one caller.
    type Job: Send + 'static;
    /// What the caller receives.
    type Output: Send + 'static;

    /// The store that a job belongs to. All jobs of a store use the same shard, and one that has to
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

    pub(super) fn is_within(self, most: Self) -> bool {
        self.items <= most.items && self.bytes <= most.bytes
    }
}

/// Sizes and times of the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Writes that may wait in a shard. One more is refused at once.
    pub queue: usize,
    /// Writes of one store that may wait. One more of this store is refused at once.
    pub queue_of_store: usize,
    /// How long a shard may have writes waiting without a break. After that it is overloaded, and as
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

pub(super) enum Entry<W: GroupWriter> {
    /// To be written with others.
    Job(Waiting<W>),
    /// To be done between two groups, on the same connection.
    Alone(Box<dyn FnOnce(&mut W) + Send>),
}

pub(super) struct Waiting<W: GroupWriter> {
    pub(super) job: W::Job,
    pub(super) weight: Weight,
    pub(super) ticket: Ticket<W::Output>,
}

pub(super) struct Ticket<T> {
    pub(super) since: Instant,
    pub(super) response: oneshot::Sender<Outcome<T>>,
}

pub(super) fn late() -> RepositoryError {
    RepositoryError::Unavailable("the writes before it took too long".into())
}

pub(super) fn writer_ended() -> RepositoryError {
    RepositoryError::Refused("the writer ended before it returned a result".into())
}
