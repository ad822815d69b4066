//! Tasks in PostgreSQL. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::Connection as _;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{LeaseId, OperatorId, TaskId};
use pressline_domain::task::{
    Task, TaskLease, TaskOrder, TaskRefusal, TaskRepository, TaskStep, TaskValues,
};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Tasks;

use crate::PostgresStore;
use crate::error::Failure;

fn tasks(connection: &mut PgConnection) -> Tasks<'_, PgConnection, Failure> {
    Tasks::new(connection)
}

#[async_trait]
impl TaskRepository for PostgresStore {
    #[tracing::instrument(name = "db.task.add", level = "debug", skip_all)]
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<(), RepositoryError> {
        let (task, parts) = (task.clone(), parts.to_vec());
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| tasks(connection).add(&task, &parts))
            })
            .await
    }

    #[tracing::instrument(name = "db.task.find", level = "debug", skip_all)]
    async fn task(&self, id: TaskId) -> Result<Option<Task>, RepositoryError> {
        self.pool
            .call(move |connection, _| tasks(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.task.list", level = "debug", skip_all)]
    async fn tasks_of(
        &self,
        operator: OperatorId,
        count: u32,
    ) -> Result<Vec<Task>, RepositoryError> {
        self.pool
            .call(move |connection, _| tasks(connection).of(operator, count))
            .await
    }

    #[tracing::instrument(name = "db.task.part", level = "debug", skip_all)]
    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>, RepositoryError> {
        self.pool
            .call(move |connection, _| tasks(connection).part(id, part))
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
        self.pool
            .call(move |connection, in_doubt| {
                let given = tasks(connection).lease(id, lease, now, values.as_ref())?;
                // An earlier try of this call, whose end is not known, may have got the lease.
                Ok(given || (in_doubt && tasks(connection).is_leased(id, lease.owner)?))
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
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| tasks(connection).advance(id, lease, &step))
            })
            .await
    }

    #[tracing::instrument(name = "db.task.release", level = "debug", skip_all)]
    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| tasks(connection).release(id, owner))
            })
            .await
    }

    #[tracing::instrument(name = "db.task.refusals", level = "debug", skip_all)]
    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>, RepositoryError> {
        self.pool
            .call(move |connection, _| tasks(connection).refusals(id))
            .await
    }

    #[tracing::instrument(name = "db.task.prune", level = "debug", skip_all)]
    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| tasks(connection).prune(before, limit))
            })
            .await
    }
}
