//! Tasks in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{LeaseId, OperatorId, TaskId};
use pressline_domain::task::{
    Task, TaskLease, TaskOrder, TaskRefusal, TaskRepository, TaskStep, TaskValues,
};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Tasks;

use crate::SqliteStore;
use crate::error::Failure;

fn tasks(connection: &mut SqliteConnection) -> Tasks<'_, SqliteConnection, Failure> {
    Tasks::new(connection)
}

#[async_trait]
impl TaskRepository for SqliteStore {
    #[tracing::instrument(name = "db.task.add", level = "debug", skip_all)]
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<(), RepositoryError> {
        let (task, parts) = (task.clone(), parts.to_vec());
        self.change_alone(move |connection| tasks(connection).add(&task, &parts))
            .await
    }

    #[tracing::instrument(name = "db.task.find", level = "debug", skip_all)]
    async fn task(&self, id: TaskId) -> Result<Option<Task>, RepositoryError> {
        self.readers
            .call(move |connection| tasks(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.task.list", level = "debug", skip_all)]
    async fn tasks_of(
        &self,
        operator: OperatorId,
        count: u32,
    ) -> Result<Vec<Task>, RepositoryError> {
        self.readers
            .call(move |connection| tasks(connection).of(operator, count))
            .await
    }

    #[tracing::instrument(name = "db.task.part", level = "debug", skip_all)]
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>, RepositoryError> {
        self.readers
            .call(move |connection| tasks(connection).part(id, part))
            .await
    }

    #[tracing::instrument(name = "db.task.lease", level = "debug", skip_all)]
    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&TaskValues>,
    ) -> Result<bool, RepositoryError> {
        let values = values.cloned();
        self.change_alone(move |connection| {
            tasks(connection).lease(id, lease, now, values.as_ref())
        })
        .await
    }

    #[tracing::instrument(name = "db.task.advance", level = "debug", skip_all)]
    async fn advance_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        step: &TaskStep,
    ) -> Result<bool, RepositoryError> {
        let step = step.clone();
        self.change_alone(move |connection| tasks(connection).advance(id, lease, &step))
            .await
    }

    #[tracing::instrument(name = "db.task.release", level = "debug", skip_all)]
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| tasks(connection).release(id, owner))
            .await
    }

    #[tracing::instrument(name = "db.task.refusals", level = "debug", skip_all)]
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>, RepositoryError> {
        self.readers
            .call(move |connection| tasks(connection).refusals(id))
            .await
    }

    #[tracing::instrument(name = "db.task.prune", level = "debug", skip_all)]
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.change_alone(move |connection| tasks(connection).prune(before, limit))
            .await
    }
}
