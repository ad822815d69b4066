//! Tasks in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::{at_most, prune};
use crate::task::{Task, TaskLease, TaskOrder, TaskRefusal, TaskRepository, TaskStep};
use pressline_domain::error::Result;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{LeaseId, OperatorId, TaskId, Timestamp};
use pressline_kit::lock;

/// Stores tasks in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryTasks {
    tasks: Arc<Mutex<BTreeMap<TaskId, Inner>>>,
}

#[derive(Debug, Clone)]
struct Inner {
    task: Task,
    parts: Vec<Vec<TaskOrder>>,
    owner: Option<LeaseId>,
    refusals: Vec<TaskRefusal>,
}

#[async_trait]
impl TaskRepository for MemoryTasks {
    async fn add_task(&self, task: &Task, parts: &[Vec<TaskOrder>]) -> Result<()> {
        let inner = Inner {
            task: task.clone(),
            parts: parts.to_vec(),
            owner: None,
            refusals: Vec::new(),
        };
        lock(&self.tasks).insert(task.id, inner);
        Ok(())
    }

    async fn task(&self, id: TaskId) -> Result<Option<Task>> {
        Ok(lock(&self.tasks).get(&id).map(|inner| inner.task.clone()))
    }

    async fn tasks_of(&self, operator: OperatorId, count: u32) -> Result<Vec<Task>> {
        let tasks = lock(&self.tasks);
        let mut own: Vec<Task> = tasks
            .values()
            .filter(|inner| inner.task.operator == operator)
            .map(|inner| inner.task.clone())
            .collect();
        own.sort_by_key(|task| std::cmp::Reverse((task.created_at, task.id)));
        own.truncate(at_most(count));
        Ok(own)
    }

    async fn task_part(&self, id: TaskId, part: u32) -> Result<Vec<TaskOrder>> {
        let tasks = lock(&self.tasks);
        let part = tasks
            .get(&id)
            .and_then(|inner| inner.parts.get(at_most(part)));
        Ok(part.cloned().unwrap_or_default())
    }

    async fn lease_task(
        &self,
        id: TaskId,
        lease: TaskLease,
        now: Timestamp,
        values: Option<&MoveValues>,
    ) -> Result<bool> {
        let mut tasks = lock(&self.tasks);
        let Some(Inner { task, owner, .. }) = tasks.get_mut(&id) else {
            return Ok(false);
        };
        let is_free = task.leased_until.is_none_or(|until| until <= now);
        // Values begin a prepared task; without values, the task must have begun.
        let is_next = task.values.is_none() == values.is_some();
        if !is_free || !is_next || task.finished_at.is_some() {
            return Ok(false);
        }
        if let Some(values) = values {
            task.values = Some(values.clone());
        }
        task.leased_until = Some(lease.until);
        *owner = Some(lease.owner);
        Ok(true)
    }

    async fn advance_task(&self, id: TaskId, lease: TaskLease, step: &TaskStep) -> Result<bool> {
        let mut tasks = lock(&self.tasks);
        let Some(inner) = tasks.get_mut(&id) else {
            return Ok(false);
        };
        let Inner { task, refusals, .. } = inner;
        if inner.owner != Some(lease.owner) {
            return Ok(false);
        }
        // The step is already stored if a worker repeats it after a lost response: no error, and
        // not counted again.
        if task.progress.parts != step.part {
            return Ok(task.progress.parts == step.part + 1);
        }
        task.progress.parts += 1;
        task.progress.orders += step.orders;
        task.progress.moved += step.moved;
        task.progress.unchanged += step.unchanged;
        task.progress.refused += u32::try_from(step.refusals.len()).unwrap_or(u32::MAX);
        refusals.extend(step.refusals.iter().cloned());
        task.finished_at = step.finished_at;
        task.leased_until = step.finished_at.is_none().then_some(lease.until);
        Ok(true)
    }

    async fn release_task(&self, id: TaskId, owner: LeaseId) -> Result<()> {
        if let Some(inner) = lock(&self.tasks).get_mut(&id)
            && inner.owner == Some(owner)
        {
            inner.task.leased_until = None;
        }
        Ok(())
    }

    async fn task_refusals(&self, id: TaskId) -> Result<Vec<TaskRefusal>> {
        let tasks = lock(&self.tasks);
        let inner = tasks.get(&id);
        Ok(inner
            .map(|inner| inner.refusals.clone())
            .unwrap_or_default())
    }

    async fn prune_tasks(&self, before: Timestamp, limit: u32) -> Result<u64> {
        let is_old = |inner: &Inner| inner.task.created_at < before;
        Ok(prune(&self.tasks, limit, is_old))
    }
}
