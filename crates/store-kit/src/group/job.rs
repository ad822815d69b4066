//! Jobs written in groups, and the limits of write shards.

use std::hash::Hash;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use tokio::sync::oneshot;

pub(super) type JobResult<T> = Result<T, RepositoryError>;

/// Data that one caller wants written.
pub trait GroupJob: Send + 'static {
    /// Type of the store of a job: a store id or a similar key.
    type Store: Clone + Eq + Hash + Send + 'static;

    /// Returns the store of the job. All jobs of a store use the same write shard. A job that waits
    /// for a lock also delays the other jobs of its store.
    fn store(&self) -> Self::Store;

    /// Returns the amount of data to write.
    fn weight(&self) -> Weight;

    /// Returns `true` if the job is a background job: no request waits for its result. Background
    /// jobs have their own groups, of up to a quarter of the maximum size, and let the jobs of
    /// requests go first.
    fn is_background(&self) -> bool;
}

pub(super) type StoreOf<W> = <<W as GroupWriter>::Job as GroupJob>::Store;

/// Writer of groups of jobs, with its own connection.
pub trait GroupWriter: Send + 'static {
    /// Data that one caller wants written.
    type Job: GroupJob;
    /// Result of writing a job, for the job's caller.
    type Output: Send + 'static;

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

/// Limits of the writes that wait, and of the writes that share a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteLimits {
    /// Maximum number of waiting writes in a write shard, at least 1. Further writes are refused
    /// immediately, as unavailable.
    pub queue: usize,
    /// Maximum number of waiting writes per store, at least 1. Further writes are refused, too.
    pub queue_of_store: usize,
    /// Maximum time for which a shard may have waiting writes without a break, for example during a
    /// stall of the disk. After this time the shard counts as overloaded: it refuses further writes
    /// while two full groups wait.
    pub backlog: Duration,
    /// Maximum number of writes per transaction, at least 1.
    pub group: usize,
    /// Maximum total weight of the writes of one transaction. A single write may weigh more.
    pub group_weight: Weight,
}

impl WriteLimits {
    /// Returns `true` if the limits allow any write: no maximum number of writes is 0.
    pub fn permit_writes(&self) -> bool {
        ![self.queue, self.queue_of_store, self.group].contains(&0)
    }
}

impl Default for WriteLimits {
    fn default() -> Self {
        Self {
            queue: 1024,
            queue_of_store: 512,
            backlog: Duration::from_millis(500),
            group: 64,
            group_weight: Weight::GROUP,
        }
    }
}

/// Limits and timeouts of write shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupConfig {
    /// Limits of the waiting writes and of a transaction.
    pub limits: WriteLimits,
    /// Maximum weight of a write that shares a transaction. A heavier write gets its own.
    pub shared_weight: Weight,
    /// Maximum time until a write's transaction begins; then [`RepositoryError::Unavailable`].
    pub wait: Duration,
    /// Maximum time that a caller waits for the result; then [`RepositoryError::Timeout`].
    pub patience: Duration,
}

pub(super) enum Entry<W: GroupWriter> {
    Job(Waiting<W>),
    /// Function that runs on the writer's connection, between two groups of jobs.
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
