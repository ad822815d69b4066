//! Tasks: commands about more orders than one call moves. The orders are listed when a task is
//! prepared, and moved part by part once it has begun.

mod port;
mod service;

use std::collections::BTreeSet;

use crate::operator::Operator;
use pressline_domain::field::Field;
use pressline_domain::id::{ItemId, OperatorId, StoreId, TaskId};
use pressline_domain::order::request::MoveDraft;
use pressline_domain::time::Timestamp;

pub use port::{TaskLease, TaskRepository, TaskStep};
pub use service::{TaskError, TaskRun, TaskService};

pressline_kit::named! {
    /// How far a task is.
    pub enum TaskState {
        /// Its orders are listed, and it waits for the values of its command.
        Prepared = "prepared",
        /// A server carries it out.
        Running = "running",
        /// It has begun, and no server carries it out: one has stopped meanwhile, or the storage has
        /// failed.
        Interrupted = "interrupted",
        /// Every order was looked at.
        Done = "done",
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// Who has prepared it.
    pub operator: OperatorId,
    /// The stores that its orders can belong to: those of the operator; `None` for all.
    pub stores: Option<BTreeSet<StoreId>>,
    /// The command, by its name.
    pub command: String,
    /// The values of the command; `None` until it has begun.
    pub values: Option<TaskValues>,
    /// When it was prepared.
    pub created_at: Timestamp,
    /// How much is to be done.
    pub size: TaskSize,
    /// How much is done.
    pub progress: TaskProgress,
    /// Until when a server carries it out, unless it says so again.
    pub leased_until: Option<Timestamp>,
    /// When it was done.
    pub finished_at: Option<Timestamp>,
}

/// How much a task has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskSize {
    /// Number of parts.
    pub parts: u32,
    /// Number of orders in all parts.
    pub orders: u32,
    /// Number of items of these orders.
    pub items: u32,
}

/// How much of a task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskProgress {
    /// Number of parts.
    pub parts: u32,
    /// Number of orders in these parts.
    pub orders: u32,
    /// Items that have moved.
    pub moved: u32,
    /// Items of which all was so already.
    pub unchanged: u32,
    /// Items that were refused.
    pub refused: u32,
}

/// The values of a task's command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the fields are those of `MoveDraft`")]
pub struct TaskValues {
    pub reason: Option<String>,
    pub until: Option<i64>,
    pub keep_fees: Option<bool>,
    pub code: Option<String>,
    pub text: Option<String>,
    pub amount: Option<String>,
    pub to: Option<String>,
}

/// An order of a task, with the items that are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskOrder {
    /// The service order id.
    pub number: String,
    /// The items, at least one.
    pub items: Vec<TaskItem>,
}

/// An item of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskItem {
    /// Its id.
    pub id: ItemId,
    /// Its code.
    pub code: String,
}

/// An item that a task was refused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskRefusal {
    /// The service order id.
    pub order: String,
    /// The code of the item.
    pub item: String,
    /// Why, in few words.
    pub reason: String,
}

impl Task {
    /// Returns how far the task is.
    pub fn state(&self, now: Timestamp) -> TaskState {
        let is_leased = self.leased_until.is_some_and(|until| until > now);
        match (&self.values, self.finished_at) {
            (_, Some(_)) => TaskState::Done,
            (None, None) => TaskState::Prepared,
            (Some(_), None) if is_leased => TaskState::Running,
            (Some(_), None) => TaskState::Interrupted,
        }
    }

    /// Returns whether an operator may see the task: its own, and those of stores that it reaches.
    pub fn is_seen_by(&self, operator: &Operator) -> bool {
        let reaches_all = match (&operator.stores, &self.stores) {
            (None, _) => true,
            (Some(own), Some(stores)) => stores.is_subset(own),
            (Some(_), None) => false,
        };
        self.operator == operator.id || reaches_all
    }
}

impl TaskValues {
    fn from_draft(draft: &MoveDraft) -> Self {
        let text = |field: &Field<String>| field.text().map(str::to_owned);
        Self {
            reason: text(&draft.reason),
            until: draft.until.value().copied(),
            keep_fees: draft.keep_fees.value().copied(),
            code: text(&draft.code),
            text: text(&draft.text),
            amount: text(&draft.amount),
            to: text(&draft.to),
        }
    }

    fn draft(&self, command: &str) -> MoveDraft {
        fn field<T: Clone>(value: &Option<T>) -> Field<T> {
            value.clone().map_or(Field::Absent, Field::Value)
        }
        MoveDraft {
            command: command.into(),
            orders: Field::Absent,
            reason: field(&self.reason),
            until: field(&self.until),
            keep_fees: field(&self.keep_fees),
            code: field(&self.code),
            text: field(&self.text),
            amount: field(&self.amount),
            to: field(&self.to),
        }
    }
}
