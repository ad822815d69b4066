//! Jobs written in groups, and the limits of write shards.

use std::hash::Hash;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use tokio::sync::oneshot;

pub(super) type JobResult<T> = Result<T, RepositoryError>;

/// Writes groups of jobs on a connection that only this writer uses.
pub trait GroupWriter: Send + 'static {
    /// Key that identifies a store, such as its id.
    type Store: Clone + Eq + Hash + Send + 'static;
    /// Data that a caller requests to be written.
    type Job: Send + 'static;
    /// Result of a job, for its caller.
    type Output: Send + 'static;

    /// Returns the store of `job`. All jobs of a store use the same write shard. A job that waits
    /// for a lock also delays the other jobs of its store.
    fn store(job: &Self::Job) -> Self::Store;

    /// Returns the amount of data that `job` writes.
    fn weight(job: &Self::Job) -> Weight;

    /// Returns `true` if `job` is a background job: no request waits for it. Background jobs are
    /// written in separate groups of at most a quarter of the maximum size, and less often while
    /// requests write.
    fn is_background(job: &Self::Job) -> bool;

    /// Writes `jobs` in one transaction. Returns the result of each job after the commit, in the
    /// order of `jobs`.
    ///
    /// If the connection is lost, the writer may try to connect again until `deadline`, and at
    /// least once.
    ///
    /// # Errors
    /// Returns an error if the transaction fails. Nothing is then stored, unless only the result of
    /// the commit was lost. The group is then written again job by job, except after
    /// [`RepositoryError::Unavailable`], which applies to all jobs.
    fn write(
        &mut self,
        jobs: &mut [Self::Job],
        deadline: Instant,
    ) -> JobResult<Vec<JobResult<Self::Output>>>;

    /// Returns `true` if jobs of different stores need separate transactions, because their rows
    /// may be on different nodes. A group is then written store by store.
    fn separates_stores(&mut self) -> bool {
        false
    }

    /// Closes the connection, which may be inside a transaction. Called after a panic.
    fn reset(&mut self);
}

/// Amount of data of one or several writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// Number of line items.
    pub items: usize,
    /// Approximate number of bytes of text.
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

/// Limits and timeouts of write shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Maximum number of waiting writes in a write shard, not counting background writes. If it is
    /// reached, new writes are refused immediately.
    pub queue: usize,
    /// Maximum number of waiting writes per store, not counting background writes. If it is
    /// reached, new writes of the store are refused immediately.
    pub queue_of_store: usize,
    /// Maximum time for which a shard may have waiting writes without interruption. A longer time
    /// counts as overload: only as many writes may then wait as fit into two groups.
    pub backlog: Duration,
    /// Maximum number of writes per transaction.
    pub group: usize,
    /// Maximum total weight of the writes of one transaction.
    pub group_weight: Weight,
    /// Maximum weight of a write that shares a transaction with other writes. A heavier write gets
    /// a transaction of its own.
    pub shared_weight: Weight,
    /// Maximum time from a write's arrival to the start of its transaction. A write that waits
    /// longer fails with [`RepositoryError::Unavailable`].
    pub wait: Duration,
    /// Maximum time that a caller waits for the result of its write. The call then fails with
    /// [`RepositoryError::Timeout`].
    pub patience: Duration,
}

pub(super) enum Entry<W: GroupWriter> {
    Job(Waiting<W>),
    /// Function that runs between two groups, on the writer's connection.
    Alone(Box<dyn FnOnce(&mut W) + Send>),
}

pub(super) struct Waiting<W: GroupWriter> {
    pub(super) job: W::Job,
    pub(super) weight: Weight,
    pub(super) ticket: Ticket<W::Output>,
}

pub(super) struct Ticket<T> {
    pub(super) since: Instant,
    pub(super) response: oneshot::Sender<JobResult<T>>,
}

pub(super) fn late() -> RepositoryError {
    RepositoryError::Unavailable("the writes before it took too long".into())
}

pub(super) fn writer_ended() -> RepositoryError {
    RepositoryError::Refused("the writer ended before it returned a result".into())
}
