//! Tasks whose storage fails temporarily.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryTasks;
use pressline_backoffice::task::{
    Task, TaskError, TaskItem, TaskLease, TaskOrder, TaskProgress, TaskRefusal, TaskRepository,
    TaskService, TaskState, TaskStep,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Command;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{LeaseId, OperatorId, TaskId, Timestamp};

use super::moves::ready;
use super::{Desk, named};
use crate::fixture::*;

type Failure = fn() -> RepositoryError;

/// In-memory tasks. `advance_task` fails with each of `failures`, the last first, and then
/// succeeds.
struct FaultyTasks {
    tasks: MemoryTasks,
    failures: Mutex<Vec<Failure>>,
}

#[async_trait]
impl TaskRepository for FaultyTasks {
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<(), RepositoryError> {
        self.tasks.add_task(task, parts).await
    }

    async fn task(&self, id: TaskId) -> Result<Option<Task>, RepositoryError> {
        self.tasks.task(id).await
    }

    async fn tasks_of(
        &self,
        operator: OperatorId,
        count: u32,
    ) -> Result<Vec<Task>, RepositoryError> {
        self.tasks.tasks_of(operator, count).await
    }

    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>, RepositoryError> {
        self.tasks.task_part(id, part).await
    }

    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&MoveValues>,
    ) -> Result<bool, RepositoryError> {
        self.tasks.lease_task(id, lease, now, values).await
    }

    async fn advance_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        step: &TaskStep,
    ) -> Result<bool, RepositoryError> {
        if let Some(failure) = self.failures.lock().unwrap().pop() {
            return Err(failure());
        }
        self.tasks.advance_task(id, lease, step).await
    }

    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<(), RepositoryError> {
        self.tasks.release_task(id, owner).await
    }

    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>, RepositoryError> {
        self.tasks.task_refusals(id).await
    }

    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.tasks.prune_tasks(before, limit).await
    }
}

struct Outcome {
    result: Result<(), TaskError>,
    state: TaskState,
    progress: TaskProgress,
    pauses: Vec<Duration>,
}

async fn carried_out(failures: Vec<Failure>) -> Outcome {
    let mut shop = Shop::open().await;
    ready(&mut shop, 3).await;
    let desk = Desk::new(&shop);
    let tasks = Arc::new(FaultyTasks {
        tasks: MemoryTasks::default(),
        failures: Mutex::new(failures),
    });
    let service = TaskService::new(
        tasks,
        shop.service.moves.clone(),
        desk.stores.clone(),
        shop.clock.clone(),
        Arc::new(CountedIds::default()),
    );
    let mut orders = Vec::new();
    for number in ["DEMO-1", "DEMO-2", "DEMO-3"] {
        let name = named(number);
        let found = shop.service.read.get(desk.scope(), &name).await;
        let order = found.unwrap().order;
        let items = order.state.items.iter().map(|item| TaskItem {
            id: item.id,
            code: item.code(&order.service_order_id),
        });
        orders.push(TaskOrder {
            number: order.service_order_id.clone(),
            items: items.collect(),
        });
    }
    let operator = &desk.operator;
    let id = service.prepare(operator, Command::Start, orders);
    let id = id.await.unwrap();
    let values = MoveValues::default();
    let run = service.begin(operator, id, values, desk.caller()).await;
    let pauses = Mutex::new(Vec::new());
    let pause = |length| {
        pauses.lock().unwrap().push(length);
        std::future::ready(())
    };
    let result = service.run(run.unwrap().unwrap(), pause).await;
    let task = service.find(operator, id).await.unwrap();
    Outcome {
        result,
        state: service.state(&task),
        progress: task.progress,
        pauses: pauses.into_inner().unwrap(),
    }
}

fn unavailable() -> RepositoryError {
    RepositoryError::Unavailable("no room".into())
}

fn refused() -> RepositoryError {
    RepositoryError::Refused("a defect".into())
}

#[tokio::test]
async fn a_retried_part_counts_the_moves_of_each_attempt() {
    let outcome = carried_out(vec![unavailable; 3]).await;
    outcome.result.unwrap();
    assert_eq!(outcome.state, TaskState::Done);
    let progress = TaskProgress {
        parts: 1,
        orders: 3,
        moved: 3,
        unchanged: 0,
        refused: 0,
    };
    assert_eq!(outcome.progress, progress);
    assert_eq!(outcome.pauses.len(), 3);
    assert!(outcome.pauses.is_sorted());
}

#[tokio::test]
async fn a_task_is_interrupted_after_storage_failures_of_30_seconds() {
    let outcome = carried_out(vec![unavailable; 100]).await;
    assert!(matches!(outcome.result, Err(TaskError::Repository(_))));
    assert_eq!(outcome.state, TaskState::Interrupted);
    assert_eq!(outcome.progress, TaskProgress::default());
    let paused: Duration = outcome.pauses.iter().sum();
    assert!((25..=35).contains(&paused.as_secs()), "{paused:?}");
}

#[tokio::test]
async fn a_permanent_failure_interrupts_a_task_immediately() {
    let outcome = carried_out(vec![refused]).await;
    assert!(matches!(outcome.result, Err(TaskError::Repository(_))));
    assert_eq!(outcome.state, TaskState::Interrupted);
    assert!(outcome.pauses.is_empty());
}
