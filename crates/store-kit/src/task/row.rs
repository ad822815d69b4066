//! Row of a task.

use pressline_backoffice::task::{Task, TaskProgress, TaskSize};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::Timestamp;

use crate::cold_value::{Value, Values};
use crate::corrupt::StoredRow;
use crate::json;

/// Columns of `tasks`, in the order of [`TaskRow`].
pub(super) const COLUMNS: &str = "task_id, operator_id, stores, command, given, created_at, \
                                  all_parts, all_orders, all_items, done_parts, done_orders, \
                                  moved, unchanged, refused, leased_until, finished_at";

pub(super) type TaskRow = (
    String,
    String,
    Option<String>,
    String,
    Option<String>,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    Option<i64>,
    Option<i64>,
);

pub(super) fn values(task: &Task) -> Result<Values, RepositoryError> {
    let stores = task.stores.as_ref().map(json::write).transpose()?;
    let number = |count: u32| Value::from(count);
    Ok(vec![
        ("task_id", task.id.into()),
        ("operator_id", task.operator.into()),
        ("stores", stores.into()),
        ("command", task.command.clone().into()),
        ("created_at", task.created_at.into()),
        ("all_parts", number(task.size.parts)),
        ("all_orders", number(task.size.orders)),
        ("all_items", number(task.size.items)),
    ])
}

pub(super) fn restored(row: TaskRow) -> Result<Task, RepositoryError> {
    let (id, operator, stores, command, given, created_at, parts, orders, items, ..) = &row;
    let (.., done_parts, done_orders, moved, unchanged, refused, leased_until, finished_at) = &row;
    let key = [id.as_str()];
    let at = StoredRow("tasks", &key);
    let number = |column, value: &i64| at.read(column, u32::try_from(*value));
    Ok(Task {
        id: at.read("task_id", id.parse())?,
        operator: at.read("operator_id", operator.parse())?,
        stores: at.read_option("stores", stores.as_deref(), json::read_stores)?,
        command: command.clone(),
        values: at.read_option("given", given.as_deref(), serde_json::from_str)?,
        created_at: Timestamp::from_millis(*created_at),
        size: TaskSize {
            parts: number("all_parts", parts)?,
            orders: number("all_orders", orders)?,
            items: number("all_items", items)?,
        },
        progress: TaskProgress {
            parts: number("done_parts", done_parts)?,
            orders: number("done_orders", done_orders)?,
            moved: number("moved", moved)?,
            unchanged: number("unchanged", unchanged)?,
            refused: number("refused", refused)?,
        },
        leased_until: leased_until.map(Timestamp::from_millis),
        finished_at: finished_at.map(Timestamp::from_millis),
    })
}
