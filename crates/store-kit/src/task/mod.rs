//! Statements about tasks. A part of a task has two JSON documents, its orders and its refused
//! items, because each is read and written as a whole.

mod port;
mod row;

use pressline_backoffice::task::{Task, TaskLease, TaskOrder, TaskRefusal, TaskStep, TaskValues};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::id::{LeaseId, OperatorId, TaskId};
use pressline_domain::value::time::Timestamp;

use crate::cold_store::Db;
use crate::cold_value::Value;
use crate::corrupt::StoredRow;
use crate::failure::{Failure, restore_all};
use crate::json;
use row::{COLUMNS, TaskRow, restored};

pub(super) fn add(db: &mut Db<'_>, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<(), Failure> {
    let added = db.execute(
        "INSERT INTO tasks
             (task_id, operator_id, stores, command, created_at, all_parts, all_orders,
              all_items, done_parts, done_orders, moved, unchanged, refused)
         VALUES
             (:task_id, :operator_id, :stores, :command, :created_at, :all_parts, :all_orders,
              :all_items, 0, 0, 0, 0, 0)
         ON CONFLICT DO NOTHING",
        &row::values(task)?,
    )?;
    if added == 0 {
        // An earlier attempt of this call was committed.
        return Ok(());
    }
    for (position, orders) in (0_i64..).zip(parts) {
        db.execute(
            "INSERT INTO task_parts (task_id, position, listed)
             VALUES (:task_id, :position, :listed)",
            &[
                id(task.id),
                ("position", position.into()),
                ("listed", json::write(orders)?.into()),
            ],
        )?;
    }
    Ok(())
}

pub(super) fn find(db: &mut Db<'_>, task: TaskId) -> Result<Option<Task>, Failure> {
    let text = format!("SELECT {COLUMNS} FROM tasks WHERE task_id = :task_id");
    let found = db.first::<TaskRow>(&text, &[id(task)])?;
    Ok(found.map(restored).transpose()?)
}

/// Returns up to `count` tasks of `operator`, latest first.
pub(super) fn of(db: &mut Db<'_>, operator: OperatorId, count: u32) -> Result<Vec<Task>, Failure> {
    let text = format!(
        "SELECT {COLUMNS}
         FROM tasks
         WHERE operator_id = :operator_id
         ORDER BY created_at DESC, task_id DESC
         LIMIT :count"
    );
    let values = [("operator_id", operator.into()), ("count", count.into())];
    restore_all(db.load::<TaskRow>(&text, &values)?, restored)
}

pub(super) fn part(db: &mut Db<'_>, task: TaskId, part: u32) -> Result<Vec<TaskOrder>, Failure> {
    let found = db.first::<String>(
        "SELECT listed
         FROM task_parts
         WHERE task_id = :task_id
           AND position = :position",
        &[id(task), ("position", part.into())],
    )?;
    let Some(orders) = found else {
        return Ok(Vec::new());
    };
    Ok(read_part(task, "listed", &orders)?)
}

/// Leases `task` to `lease.owner` until `lease.until`. `given` has the operator's values for a task
/// that starts; `None` continues a task that has started. Returns `false` if `task` is finished or
/// leased at the time `now`, or if `given` is `None` before the start or `Some` after it.
pub(super) fn lease(
    db: &mut Db<'_>,
    task: TaskId,
    lease: TaskLease,
    now: Timestamp,
    given: Option<&TaskValues>,
) -> Result<bool, Failure> {
    let mut values = vec![
        id(task),
        ("owner", lease.owner.into()),
        ("until", lease.until.into()),
        ("now", now.into()),
    ];
    let (set, condition) = match given {
        Some(given) => {
            values.push(("given", json::write(given)?.into()));
            (", given = :given", "given IS NULL")
        }
        None => ("", "given IS NOT NULL"),
    };
    let text = format!(
        "UPDATE tasks
         SET lease_owner = :owner, leased_until = :until{set}
         WHERE task_id = :task_id
           AND {condition}
           AND finished_at IS NULL
           AND (leased_until IS NULL OR leased_until <= :now)"
    );
    Ok(db.execute(&text, &values)? > 0)
}

/// Returns `true` if the latest lease of `task` belongs to `owner`.
pub(super) fn is_leased(db: &mut Db<'_>, task: TaskId, owner: LeaseId) -> Result<bool, Failure> {
    let found = db.load::<String>(
        "SELECT lease_owner
         FROM tasks
         WHERE task_id = :task_id
           AND lease_owner = :owner",
        &[id(task), ("owner", owner.into())],
    )?;
    Ok(!found.is_empty())
}

/// Adds the results in `step` to `task`: the results of the part `step.part`. Sets the end of the
/// lease to `lease.until`, or ends the lease if the task is finished. Returns `true` if the results
/// of the part are then stored, also by an earlier attempt.
pub(super) fn advance(
    db: &mut Db<'_>,
    task: TaskId,
    lease: TaskLease,
    step: &TaskStep,
) -> Result<bool, Failure> {
    // A finished task needs no lease.
    let until = step.finished_at.is_none().then(|| lease.until.as_millis());
    let finished_at = step.finished_at.map(|at| at.as_millis());
    let number = |count: u32| Value::from(count);
    let refused = i64::try_from(step.refusals.len()).unwrap_or(i64::MAX);
    let advanced = db.execute(
        "UPDATE tasks
         SET done_parts = done_parts + 1,
             done_orders = done_orders + :orders,
             moved = moved + :moved,
             unchanged = unchanged + :unchanged,
             refused = refused + :refused,
             leased_until = :until,
             finished_at = :finished_at
         WHERE task_id = :task_id
           AND lease_owner = :owner
           AND done_parts = :part",
        &[
            id(task),
            ("owner", lease.owner.into()),
            ("part", number(step.part)),
            ("orders", number(step.orders)),
            ("moved", number(step.moved)),
            ("unchanged", number(step.unchanged)),
            ("refused", refused.into()),
            ("until", until.into()),
            ("finished_at", finished_at.into()),
        ],
    )?;
    // Either the lease is lost, or an earlier attempt of this call has added the part.
    if advanced == 0 {
        return has_step(db, task, lease.owner, step.part);
    }
    if !step.refusals.is_empty() {
        db.execute(
            "UPDATE task_parts
             SET refusals = :refusals
             WHERE task_id = :task_id
               AND position = :part",
            &[
                id(task),
                ("part", number(step.part)),
                ("refusals", json::write(&step.refusals)?.into()),
            ],
        )?;
    }
    Ok(true)
}

/// Returns `true` if the latest stored results of `task` belong to its part `part`, and the latest
/// lease of `task` belongs to `owner`.
fn has_step(db: &mut Db<'_>, task: TaskId, owner: LeaseId, part: u32) -> Result<bool, Failure> {
    let is_own = is_leased(db, task, owner)?;
    let found = find(db, task)?;
    Ok(is_own && found.is_some_and(|task| task.progress.parts == part + 1))
}

pub(super) fn release(db: &mut Db<'_>, task: TaskId, owner: LeaseId) -> Result<(), Failure> {
    db.run(
        "UPDATE tasks
         SET leased_until = NULL
         WHERE task_id = :task_id
           AND lease_owner = :owner",
        &[id(task), ("owner", owner.into())],
    )
}

pub(super) fn refusals(db: &mut Db<'_>, task: TaskId) -> Result<Vec<TaskRefusal>, Failure> {
    let parts = db.load::<String>(
        "SELECT refusals
         FROM task_parts
         WHERE task_id = :task_id
           AND refusals IS NOT NULL
         ORDER BY position",
        &[id(task)],
    )?;
    let mut refusals: Vec<TaskRefusal> = Vec::new();
    for part in &parts {
        refusals.extend(read_part::<TaskRefusal>(task, "refusals", part)?);
    }
    Ok(refusals)
}

/// Deletes the oldest tasks that were created before `before`.
pub(super) fn prune(db: &mut Db<'_>, before: Timestamp, limit: u32) -> Result<u64, Failure> {
    let old = db.load::<String>(
        "SELECT task_id
         FROM tasks
         WHERE created_at < :before
         ORDER BY created_at
         LIMIT :limit",
        &[("before", before.into()), ("limit", limit.into())],
    )?;
    if old.is_empty() {
        return Ok(0);
    }
    let values = [("ids", json::write(&old)?.into())];
    let of_old = format!("WHERE task_id {}", db.dialect.in_texts(":ids"));
    db.execute(&format!("DELETE FROM task_parts {of_old}"), &values)?;
    let removed = db.execute(&format!("DELETE FROM tasks {of_old}"), &values)?;
    Ok(removed as u64)
}

fn id(task: TaskId) -> (&'static str, Value) {
    ("task_id", task.into())
}

fn read_part<T: serde::de::DeserializeOwned>(
    task: TaskId,
    column: &'static str,
    text: &str,
) -> Result<Vec<T>, RepositoryError> {
    let key = task.to_string();
    StoredRow("task_parts", &[&key]).read(column, serde_json::from_str(text))
}
