//! Tasks: commands about more orders than one call accepts. Preparing a task lists its orders;
//! running it executes the command part by part.

mod port;
mod service;

use std::collections::BTreeSet;

use crate::operator::Operator;
use pressline_domain::fulfilment::Command;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{ItemId, OperatorId, ServiceOrderId, StoreId, TaskId, Timestamp};

pub use port::{TaskLease, TaskRepository, TaskStep};
pub use service::{TaskError, TaskRun, TaskService};

pressline_kit::named! {
    /// State of a task: prepared, running, interrupted or done.
    pub enum TaskState {
        /// The task has a list of orders, but no values for its command yet.
        Prepared = "prepared",
        /// A server holds the lease and executes the command.
        Running = "running",
        /// The task has begun, but no server holds its lease: a server stopped, or the database
        /// failed.
        Interrupted = "interrupted",
        /// All orders were processed.
        Done = "done",
    }
}

/// Command to execute on a list of orders, with its progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Id of the task, a UUIDv7.
    pub id: TaskId,
    /// Operator who prepared the task.
    pub operator: OperatorId,
    /// Stores that the operator had access to when the task was prepared; `None` for all stores.
    /// All orders of the task belong to stores in this set.
    pub stores: Option<BTreeSet<StoreId>>,
    /// Command to execute, such as [`Command::Hold`].
    pub command: Command,
    /// Values of the command; `None` before the task begins.
    pub values: Option<MoveValues>,
    /// Time at which the task was prepared.
    pub created_at: Timestamp,
    /// Number of parts, orders and items.
    pub size: TaskSize,
    /// Numbers of processed parts, orders and items.
    pub progress: TaskProgress,
    /// End of the lease; `None` if the task is not leased. Each processed part extends the lease.
    pub leased_until: Option<Timestamp>,
    /// Time at which the last part was processed; `None` while the task is unfinished.
    pub finished_at: Option<Timestamp>,
}

/// Number of parts, orders and items that a task processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskSize {
    /// Number of parts. Each part has up to 100 orders and is processed as a whole.
    pub parts: u32,
    /// Number of orders in all parts.
    pub orders: u32,
    /// Number of items of all orders.
    pub items: u32,
}

/// Numbers of parts, orders and items that a task has processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskProgress {
    /// Number of processed parts, up to [`TaskSize::parts`].
    pub parts: u32,
    /// Number of orders in the processed parts.
    pub orders: u32,
    /// Number of items that changed status.
    pub moved: u32,
    /// Number of items that the command left unchanged.
    pub unchanged: u32,
    /// Number of items for which the command was refused.
    pub refused: u32,
}

/// Order of a task, with its selected items.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskOrder {
    /// Service order id, such as `DEMO-17`.
    pub number: ServiceOrderId,
    /// Items of the order on which the command is executed, at least one.
    pub items: Vec<TaskItem>,
}

/// Item on which the task's command is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskItem {
    /// Id of the item within the order.
    pub id: ItemId,
    /// Code of the item, such as `DEMO-17-1`.
    pub code: String,
}

/// Item for which the command was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskRefusal {
    /// Service order id, such as `DEMO-17`.
    pub order: ServiceOrderId,
    /// Code of the item; empty if the item is unknown.
    pub item: String,
    /// Reason for refusing the command for the item, as a short text.
    pub reason: String,
}

impl Task {
    /// Returns the state of the task at the time `now`.
    pub fn state(&self, now: Timestamp) -> TaskState {
        let is_leased = self.leased_until.is_some_and(|until| until > now);
        match (&self.values, self.finished_at) {
            (_, Some(_)) => TaskState::Done,
            (None, None) => TaskState::Prepared,
            (Some(_), None) if is_leased => TaskState::Running,
            (Some(_), None) => TaskState::Interrupted,
        }
    }

    /// Returns whether `operator` prepared the task, or has access to all stores of the task.
    pub fn is_seen_by(&self, operator: &Operator) -> bool {
        let reaches_all = match (&operator.stores, &self.stores) {
            (None, _) => true,
            (Some(own), Some(stores)) => stores.is_subset(own),
            // The task may include stores outside the operator's scope.
            (Some(_), None) => false,
        };
        self.operator == operator.id || reaches_all
    }
}
