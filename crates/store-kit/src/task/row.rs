//! Row of a task.

use pressline_backoffice::task::{Task, TaskProgress, TaskSize};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Command;
use pressline_domain::value::Timestamp;

use crate::corrupt::StoredRow;
use crate::json;
use crate::sql::{Row, Value, Values};

#[derive(Clone, PartialEq, Row)]
pub(crate) struct TaskRow {
    pub(crate) task_id: String,
    pub(crate) operator_id: String,
    pub(crate) stores: Option<String>,
    pub(crate) command: String,
    pub(crate) given: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) all_parts: i64,
    pub(crate) all_orders: i64,
    pub(crate) all_items: i64,
    pub(crate) done_parts: i64,
    pub(crate) done_orders: i64,
    pub(crate) moved: i64,
    pub(crate) unchanged: i64,
    pub(crate) refused: i64,
    pub(crate) leased_until: Option<i64>,
    pub(crate) finished_at: Option<i64>,
}

pub(super) fn values(task: &Task) -> Result<Values<'static>, RepositoryError> {
    let stores = task.stores.as_ref().map(json::write).transpose()?;
    let number = |count: u32| Value::from(count);
    Ok(vec![
        ("task_id", task.id.into()),
        ("operator_id", task.operator.into()),
        ("stores", stores.into()),
        ("command", task.command.as_str().into()),
        ("created_at", task.created_at.into()),
        ("all_parts", number(task.size.parts)),
        ("all_orders", number(task.size.orders)),
        ("all_items", number(task.size.items)),
    ])
}

impl TaskRow {
    pub(super) fn restore(self) -> Result<Task, RepositoryError> {
        let stored = StoredRow("tasks", &[&self.task_id]);
        let number = |column, value: i64| stored.read(column, u32::try_from(value));
        let command = Command::from_name(&self.command).ok_or("not a command");
        Ok(Task {
            id: stored.read("task_id", self.task_id.parse())?,
            operator: stored.read("operator_id", self.operator_id.parse())?,
            stores: stored.read_option("stores", self.stores.as_deref(), serde_json::from_str)?,
            values: stored.read_option("given", self.given.as_deref(), serde_json::from_str)?,
            created_at: Timestamp::from_millis(self.created_at),
            size: TaskSize {
                parts: number("all_parts", self.all_parts)?,
                orders: number("all_orders", self.all_orders)?,
                items: number("all_items", self.all_items)?,
            },
            progress: TaskProgress {
                parts: number("done_parts", self.done_parts)?,
                orders: number("done_orders", self.done_orders)?,
                moved: number("moved", self.moved)?,
                unchanged: number("unchanged", self.unchanged)?,
                refused: number("refused", self.refused)?,
            },
            leased_until: self.leased_until.map(Timestamp::from_millis),
            finished_at: self.finished_at.map(Timestamp::from_millis),
            command: stored.read("command", command)?,
        })
    }
}
