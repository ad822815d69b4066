//! The port that keeps tasks.

use async_trait::async_trait;

use super::{Task, TaskOrder, TaskRefusal, TaskValues};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{LeaseId, OperatorId, TaskId};
use pressline_domain::time::Timestamp;

type Result<T> = std::result::Result<T, RepositoryError>;

/// The right of one server to carry a task out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskLease {
    /// What names the server, and this run of the task.
    pub owner: LeaseId,
    /// When it ends.
    pub until: Timestamp,
}

/// A part of a task that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStep {
    /// Its position among the parts, from 0.
    pub part: u32,
    /// Number of its orders.
    pub orders: u32,
    /// Items that have moved.
    pub moved: u32,
    /// Items of which all was so already.
    pub unchanged: u32,
    /// Items that were refused.
    pub refusals: Vec<TaskRefusal>,
    /// When it was done, for the last part.
    pub finished_at: Option<Timestamp>,
}

/// Keeps tasks. One call is one transaction.
#[async_trait]
pub trait TaskRepository: Send + Sync {
    /// Stores a task with its orders, part by part. It MUST be found as it was given, with its parts
    /// (`a_prepared_task_is_found_as_given`).
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<()>;

    /// Returns a task; `None` if there is none with this id.
    async fn task(&self, id: TaskId) -> Result<Option<Task>>;

    /// Returns the latest tasks of an operator, the newest first, at most so many. Those of others
    /// MUST NOT be among them (`an_operator_lists_its_latest_tasks`).
    async fn tasks_of(&self, operator: OperatorId, count: u32) -> Result<Vec<Task>>;

    /// Returns the orders of a part, by its position from 0; none if there is no such part.
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>>;

    /// Gives a lease of a task that is not done, and returns whether it did. `values` are given once,
    /// to begin the task; without them, the task MUST have begun
    /// (`a_task_begins_once_with_its_values`). While another lease has not ended, none MUST be given
    /// (`one_server_at_a_time_has_a_task`), also when several calls run at once
    /// (`of_concurrent_leases_of_a_task_one_is_given`).
    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&TaskValues>,
    ) -> Result<bool>;

    /// Adds what a part has come to, and makes the lease end later; of the last part, it ends. MUST
    /// change nothing and return `false` if the latest lease is another one, or the part is not the
    /// next one (`a_lost_lease_adds_nothing`). The same step again MUST NOT be added again
    /// (`a_step_is_added_once`).
    async fn advance_task(&self, id: TaskId, lease: TaskLease, step: &TaskStep) -> Result<bool>;

    /// Ends a lease before its time, unless another one was given
    /// (`a_task_that_was_released_can_be_leased`).
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<()>;

    /// Returns all items that a task was refused, part by part (`refusals_are_kept_in_order`).
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>>;

    /// Removes at most so many tasks that were prepared before a moment, with all that belongs to
    /// them, and returns how many. MUST leave all others (`only_old_tasks_are_pruned`).
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64>;
}
