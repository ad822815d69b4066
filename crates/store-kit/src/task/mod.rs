//! Statements about tasks. A part of a task has two JSON documents, its orders and its refused
//! items, because each is read and written as a whole.

mod row;

use async_trait::async_trait;
use pressline_backoffice::task::{
    Task, TaskLease, TaskOrder, TaskRefusal, TaskRepository, TaskStep,
};
use pressline_domain::error::Result;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{LeaseId, OperatorId, TaskId, Timestamp};

use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::failure::Failure;
use crate::json;
use crate::sql::Value;
use row::TaskRow;

fn find(db: &mut Db<'_>, task: TaskId) -> Result<Option<Task>, Failure> {
    let text = "SELECT
             task_id, operator_id, stores, command, given, created_at, all_parts, all_orders,
             all_items, done_parts, done_orders, moved, unchanged, refused, leased_until,
             finished_at
         FROM tasks WHERE task_id = :task_id";
    Ok(db
        .first::<TaskRow>(text, &[of_task(task)])?
        .map(TaskRow::restore)
        .transpose()?)
}

/// Returns `true` if the latest lease of `task` belongs to `owner`.
fn is_leased(db: &mut Db<'_>, task: TaskId, owner: LeaseId) -> Result<bool, Failure> {
    let owners = db.load::<String>(
        "SELECT lease_owner
         FROM tasks
         WHERE task_id = :task_id
           AND lease_owner = :owner",
        &[of_task(task), ("owner", owner.into())],
    )?;
    Ok(!owners.is_empty())
}

fn of_task(task: TaskId) -> (&'static str, Value<'static>) {
    ("task_id", task.into())
}

fn read_part<T: serde::de::DeserializeOwned>(
    task: TaskId,
    column: &'static str,
    text: &str,
) -> Result<Vec<T>> {
    let key = task.to_string();
    StoredRow("task_parts", &[&key]).read(column, serde_json::from_str(text))
}

#[async_trait]
impl TaskRepository for ColdStore {
    #[tracing::instrument(name = "db.task.add", level = "debug", skip_all)]
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<()> {
        let (task, parts) = (task.clone(), parts.to_vec());
        self.call(Access::Transaction, move |db| {
            let added = db.execute(
                "INSERT INTO tasks
                     (task_id, operator_id, stores, command, created_at, all_parts,
                      all_orders, all_items, done_parts, done_orders, moved, unchanged, refused)
                 VALUES
                     (:task_id, :operator_id, :stores, :command, :created_at, :all_parts,
                      :all_orders, :all_items, 0, 0, 0, 0, 0)
                 ON CONFLICT DO NOTHING",
                &row::values(&task)?,
            )?;
            if added == 0 {
                // An earlier attempt of this call was committed.
                return Ok(());
            }
            for (position, orders) in (0_i64..).zip(&parts) {
                db.execute(
                    "INSERT INTO task_parts (task_id, position, listed)
                     VALUES (:task_id, :position, :listed)",
                    &[
                        of_task(task.id),
                        ("position", position.into()),
                        ("listed", json::write(orders)?.into()),
                    ],
                )?;
            }
            Ok(())
        })
        .await
    }

    #[tracing::instrument(name = "db.task.find", level = "debug", skip_all)]
    async fn task(&self, id: TaskId) -> Result<Option<Task>> {
        self.call(Access::Read, move |db| find(db, id)).await
    }

    #[tracing::instrument(name = "db.task.list", level = "debug", skip_all)]
    async fn tasks_of(&self, operator: OperatorId, count: u32) -> Result<Vec<Task>> {
        let rows = self.load::<TaskRow>(
            "SELECT
                 task_id, operator_id, stores, command, given, created_at, all_parts, all_orders,
                 all_items, done_parts, done_orders, moved, unchanged, refused, leased_until,
                 finished_at
             FROM tasks
             WHERE operator_id = :operator_id
             ORDER BY created_at DESC, task_id DESC
             LIMIT :count",
            vec![("operator_id", operator.into()), ("count", count.into())],
        );
        rows.await?.into_iter().map(TaskRow::restore).collect()
    }

    #[tracing::instrument(name = "db.task.part", level = "debug", skip_all)]
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>> {
        let orders = self
            .load::<String>(
                "SELECT listed
             FROM task_parts
             WHERE task_id = :task_id
               AND position = :position",
                vec![of_task(id), ("position", part.into())],
            )
            .await?
            .pop();
        orders.map_or(Ok(Vec::new()), |orders| read_part(id, "listed", &orders))
    }

    #[tracing::instrument(name = "db.task.lease", level = "debug", skip_all)]
    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&MoveValues>,
    ) -> Result<bool> {
        let values = values.cloned();
        self.call(Access::Change, move |db| {
            let mut parameters = vec![
                of_task(id),
                ("owner", lease.owner.into()),
                ("until", lease.until.into()),
                ("now", now.into()),
            ];
            let text = match &values {
                Some(given) => {
                    parameters.push(("given", json::write(given)?.into()));
                    "UPDATE tasks
                     SET lease_owner = :owner, leased_until = :until, given = :given
                     WHERE task_id = :task_id
                       AND given IS NULL
                       AND finished_at IS NULL
                       AND (leased_until IS NULL OR leased_until <= :now)"
                }
                None => {
                    "UPDATE tasks
                     SET lease_owner = :owner, leased_until = :until
                     WHERE task_id = :task_id
                       AND given IS NOT NULL
                       AND finished_at IS NULL
                       AND (leased_until IS NULL OR leased_until <= :now)"
                }
            };
            let leased = db.execute(text, &parameters)? > 0;
            // An earlier attempt of this call may have got the lease.
            Ok(leased || (db.in_doubt && is_leased(db, id, lease.owner)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.task.advance", level = "debug", skip_all)]
    async fn advance_task(&self, id: TaskId, lease: TaskLease, step: &TaskStep) -> Result<bool> {
        let step = step.clone();
        self.call(Access::Transaction, move |db| {
            // A finished task needs no lease.
            let until = step.finished_at.is_none().then(|| lease.until.as_millis());
            let finished_at = step.finished_at.map(|at| at.as_millis());
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
                    of_task(id),
                    ("owner", lease.owner.into()),
                    ("part", step.part.into()),
                    ("orders", step.orders.into()),
                    ("moved", step.moved.into()),
                    ("unchanged", step.unchanged.into()),
                    ("refused", refused.into()),
                    ("until", until.into()),
                    ("finished_at", finished_at.into()),
                ],
            )?;
            // Either the lease is lost, or an earlier attempt of this call has added the part.
            if advanced == 0 {
                let is_own = is_leased(db, id, lease.owner)?;
                let stored = find(db, id)?;
                let has_part = |task: Task| task.progress.parts == step.part + 1;
                return Ok(is_own && stored.is_some_and(has_part));
            }
            if !step.refusals.is_empty() {
                db.execute(
                    "UPDATE task_parts
                     SET refusals = :refusals
                     WHERE task_id = :task_id
                       AND position = :part",
                    &[
                        of_task(id),
                        ("part", step.part.into()),
                        ("refusals", json::write(&step.refusals)?.into()),
                    ],
                )?;
            }
            Ok(true)
        })
        .await
    }

    #[tracing::instrument(name = "db.task.release", level = "debug", skip_all)]
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<()> {
        let text = "UPDATE tasks
             SET leased_until = NULL
             WHERE task_id = :task_id
               AND lease_owner = :owner";
        let values = vec![of_task(id), ("owner", owner.into())];
        self.execute(text, values).await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.task.refusals", level = "debug", skip_all)]
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>> {
        let parts = self.load::<String>(
            "SELECT refusals
             FROM task_parts
             WHERE task_id = :task_id
               AND refusals IS NOT NULL
             ORDER BY position",
            vec![of_task(id)],
        );
        let mut refusals: Vec<TaskRefusal> = Vec::new();
        for part in parts.await? {
            refusals.extend(read_part::<TaskRefusal>(id, "refusals", &part)?);
        }
        Ok(refusals)
    }

    #[tracing::instrument(name = "db.task.prune", level = "debug", skip_all)]
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64> {
        self.call(Access::Transaction, move |db| {
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
            for task in &old {
                let of_task = [("task_id", task.into())];
                db.execute("DELETE FROM task_parts WHERE task_id = :task_id", &of_task)?;
                db.execute("DELETE FROM tasks WHERE task_id = :task_id", &of_task)?;
            }
            Ok(old.len() as u64)
        })
        .await
    }
}
