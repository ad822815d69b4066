//! Implements the port of tasks.

use async_trait::async_trait;
use pressline_backoffice::task::{
    Task, TaskLease, TaskOrder, TaskRefusal, TaskRepository, TaskStep, TaskValues,
};
use pressline_domain::error::Result;
use pressline_domain::value::id::{LeaseId, OperatorId, TaskId};
use pressline_domain::value::time::Timestamp;

use crate::cold_store::{Access, ColdStore};

#[async_trait]
impl TaskRepository for ColdStore {
    #[tracing::instrument(name = "db.task.add", level = "debug", skip_all)]
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<()> {
        let (task, parts) = (task.clone(), parts.to_vec());
        self.call(Access::Transaction, move |db| super::add(db, &task, &parts))
            .await
    }

    #[tracing::instrument(name = "db.task.find", level = "debug", skip_all)]
    async fn task(&self, id: TaskId) -> Result<Option<Task>> {
        self.call(Access::Read, move |db| super::find(db, id)).await
    }

    #[tracing::instrument(name = "db.task.list", level = "debug", skip_all)]
    async fn tasks_of(&self, operator: OperatorId, count: u32) -> Result<Vec<Task>> {
        self.call(Access::Read, move |db| super::of(db, operator, count))
            .await
    }

    #[tracing::instrument(name = "db.task.part", level = "debug", skip_all)]
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>> {
        self.call(Access::Read, move |db| super::part(db, id, part))
            .await
    }

    #[tracing::instrument(name = "db.task.lease", level = "debug", skip_all)]
    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&TaskValues>,
    ) -> Result<bool> {
        let values = values.cloned();
        self.call(Access::Change, move |db| {
            let given = super::lease(db, id, lease, now, values.as_ref())?;
            // An earlier attempt of this call may have got the lease.
            Ok(given || (db.in_doubt && super::is_leased(db, id, lease.owner)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.task.advance", level = "debug", skip_all)]
    async fn advance_task(&self, id: TaskId, lease: TaskLease, step: &TaskStep) -> Result<bool> {
        let step = step.clone();
        self.call(Access::Transaction, move |db| {
            super::advance(db, id, lease, &step)
        })
        .await
    }

    #[tracing::instrument(name = "db.task.release", level = "debug", skip_all)]
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<()> {
        self.call(Access::Change, move |db| super::release(db, id, owner))
            .await
    }

    #[tracing::instrument(name = "db.task.refusals", level = "debug", skip_all)]
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>> {
        self.call(Access::Read, move |db| super::refusals(db, id))
            .await
    }

    #[tracing::instrument(name = "db.task.prune", level = "debug", skip_all)]
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64> {
        self.call(Access::Transaction, move |db| {
            super::prune(db, before, limit)
        })
        .await
    }
}
