//! Port that stores tasks.

use async_trait::async_trait;

use super::{Task, TaskOrder, TaskRefusal};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{LeaseId, OperatorId, TaskId, Timestamp};

type Result<T> = std::result::Result<T, RepositoryError>;

/// Exclusive right of a server to run a task, until it expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskLease {
    /// Id of the run that holds the lease. Each run of a task has its own id.
    pub owner: LeaseId,
    /// End of the lease: from this time on, another server can lease the task.
    pub until: Timestamp,
}

/// Result of a processed part of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStep {
    /// Index of the part in the task, from 0.
    pub part: u32,
    /// Number of orders in the part.
    pub orders: u32,
    /// Number of items that changed status.
    pub moved: u32,
    /// Number of items that the command left unchanged.
    pub unchanged: u32,
    /// Items for which the command was refused, each with the reason.
    pub refusals: Vec<TaskRefusal>,
    /// Completion time of the task if this is the last part, else `None`.
    pub finished_at: Option<Timestamp>,
}

/// Stores tasks. Each call is one transaction.
#[async_trait]
pub trait TaskRepository: Send + Sync {
    /// Stores `task` with the orders of its `parts`. The task MUST be found as it was given, with
    /// its parts (`a_prepared_task_is_found_as_given`).
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<()>;

    /// Returns the task `id`; `None` if it does not exist.
    async fn task(&self, id: TaskId) -> Result<Option<Task>>;

    /// Returns up to `count` tasks of `operator`, newest first. Tasks of other operators MUST NOT
    /// be among them (`an_operator_lists_its_latest_tasks`).
    async fn tasks_of(&self, operator: OperatorId, count: u32) -> Result<Vec<Task>>;

    /// Returns the orders of the part with the index `part`, from 0; empty if the part does not
    /// exist.
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>>;

    /// Leases the unfinished task `id` and returns `true`. The first lease stores `values` as the
    /// values of the task's command; later leases have `None`. MUST return `false` while another
    /// lease is valid (`one_server_at_a_time_has_a_task`), also in concurrent calls
    /// (`of_concurrent_leases_of_a_task_one_is_given`). MUST also return `false` if `values` are
    /// given for a task that has begun, or missing for a prepared task
    /// (`a_task_begins_once_with_its_values`).
    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&MoveValues>,
    ) -> Result<bool>;

    /// Adds `step`, the result of a part, to the task `id`, and extends its lease; after the last
    /// part, ends the lease. MUST change nothing and return `false` if `lease` is not the latest
    /// lease, or `step` is not the next part (`a_lost_lease_adds_nothing`). Repeating the latest
    /// step MUST NOT add it again (`a_step_is_added_once`).
    async fn advance_task(&self, id: TaskId, lease: TaskLease, step: &TaskStep) -> Result<bool>;

    /// Ends the lease of `owner` early, unless another lease has replaced it
    /// (`a_task_that_was_released_can_be_leased`).
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<()>;

    /// Returns all refused items of the task, sorted by part. Items of the same part have the order
    /// of [`TaskStep::refusals`] (`refusals_are_kept_in_order`).
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>>;

    /// Deletes up to `limit` tasks prepared before `before`, with their data, and returns their
    /// number. MUST keep all others (`only_old_tasks_are_pruned`).
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64>;
}
