//! The use cases of tasks.

use std::sync::Arc;
use std::time::Duration;

use pressline_kit::boxed;

use super::{
    Task, TaskLease, TaskOrder, TaskProgress, TaskRefusal, TaskRepository, TaskSize, TaskState,
    TaskStep, TaskValues,
};
use crate::operator::Operator;
use crate::store::StoreAdmin;
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Caller;
use pressline_domain::id::{LeaseId, TaskId};
use pressline_domain::limits;
use pressline_domain::order::request::MoveDraft;
use pressline_domain::order::{ChosenItems, OrderError, OrderScope, OrderService};
use pressline_domain::report::Report;
use pressline_domain::runtime::{Clock, IdSource};

/// Orders of a part: what is done again, without effect, if a server stops in the middle of it.
const PART: usize = 100;
/// Milliseconds for which a lease lasts, far more than a part takes.
const LEASE: i64 = 60_000;
/// How long to wait before a part is tried again, while the storage is unavailable or too slow: in all half as long as a
/// lease lasts.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(10),
    Duration::from_secs(15),
];
/// Tasks of an operator that are carried out at the same time.
const RUNNING: usize = 3;
/// Tasks of an operator that are listed.
const LISTED: u32 = 50;
/// Milliseconds for which a task is kept: a week.
const KEPT: i64 = 7 * 24 * 60 * 60 * 1000;

/// Prepares tasks, carries them out, and says how far they are.
#[derive(Clone)]
pub struct TaskService {
    tasks: Arc<dyn TaskRepository>,
    orders: OrderService,
    stores: StoreAdmin,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

/// A task that this process has leased, to be carried out.
#[derive(Debug, Clone)]
pub struct TaskRun {
    task: Task,
    lease: TaskLease,
    operator: Operator,
    by: Caller,
}

/// Why a request about a task failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// There is no such task, or the operator may not see it.
    #[error("there is no such task")]
    NotFound,
    /// The operator has enough tasks that run.
    #[error("{RUNNING} of your tasks are running; wait until one is done")]
    TooMany,
    /// The values of the command are wrong.
    #[error("the command has {} problems", .0.violations.len())]
    Invalid(Report),
    /// The repository failed.
    #[error("the repository failed")]
    Repository(#[from] RepositoryError),
}

impl TaskService {
    /// Returns a service over these ports and use cases.
    pub fn new(
        tasks: Arc<dyn TaskRepository>,
        orders: OrderService,
        stores: StoreAdmin,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            tasks,
            orders,
            stores,
            clock,
            ids,
        }
    }

    /// Lists the orders of a command, at most [`limits::TASK_ORDERS`]. It is not given yet.
    #[boxed]
    pub async fn prepare(
        &self,
        operator: &Operator,
        command: &str,
        mut orders: Vec<TaskOrder>,
    ) -> Result<TaskId, TaskError> {
        orders.truncate(limits::TASK_ORDERS);
        let now = self.clock.now();
        let items = orders.iter().map(|order| order.items.len()).sum();
        let parts: Vec<Vec<TaskOrder>> = orders.chunks(PART).map(<[_]>::to_vec).collect();
        let task = Task {
            id: TaskId::new(self.ids.next(now)),
            operator: operator.id,
            stores: operator.stores.clone(),
            command: command.to_owned(),
            values: None,
            created_at: now,
            size: TaskSize {
                parts: number(parts.len()),
                orders: number(orders.len()),
                items: number(items),
            },
            progress: TaskProgress::default(),
            leased_until: None,
            finished_at: None,
        };
        self.tasks.add_task(&task, &parts).await?;
        Ok(task.id)
    }

    /// Returns a task that an operator may see.
    #[boxed]
    pub async fn find(&self, operator: &Operator, id: TaskId) -> Result<Task, TaskError> {
        let task = self.tasks.task(id).await?;
        let seen = task.filter(|task| task.is_seen_by(operator));
        seen.ok_or(TaskError::NotFound)
    }

    /// Returns how far a task is now.
    pub fn state(&self, task: &Task) -> TaskState {
        task.state(self.clock.now())
    }

    /// Returns the latest tasks of an operator, the newest first.
    #[boxed]
    pub async fn list(&self, operator: &Operator) -> Result<Vec<Task>, TaskError> {
        Ok(self.tasks.tasks_of(operator.id, LISTED).await?)
    }

    /// Returns all items that a task was refused.
    #[boxed]
    pub async fn refusals(
        &self,
        operator: &Operator,
        id: TaskId,
    ) -> Result<Vec<TaskRefusal>, TaskError> {
        self.find(operator, id).await?;
        Ok(self.tasks.task_refusals(id).await?)
    }

    /// Begins a prepared task with the values of a command, whose orders are not read. Returns the
    /// run that carries it out; `None` if it has begun already.
    #[boxed]
    pub async fn begin(
        &self,
        operator: &Operator,
        id: TaskId,
        values: &MoveDraft,
        by: Caller,
    ) -> Result<Option<TaskRun>, TaskError> {
        let task = self.find(operator, id).await?;
        if self.state(&task) != TaskState::Prepared {
            return Ok(None);
        }
        let draft = MoveDraft {
            command: task.command.as_str().into(),
            ..values.clone()
        };
        draft.check_values().map_err(TaskError::Invalid)?;
        let values = TaskValues::from_draft(&draft);
        self.leased(task, operator, by, Some(values)).await
    }

    /// Returns the run that carries an interrupted task on; `None` if it is not interrupted.
    #[boxed]
    pub async fn resume(
        &self,
        operator: &Operator,
        id: TaskId,
        by: Caller,
    ) -> Result<Option<TaskRun>, TaskError> {
        let task = self.find(operator, id).await?;
        if self.state(&task) != TaskState::Interrupted {
            return Ok(None);
        }
        self.leased(task, operator, by, None).await
    }

    async fn leased(
        &self,
        mut task: Task,
        operator: &Operator,
        by: Caller,
        values: Option<TaskValues>,
    ) -> Result<Option<TaskRun>, TaskError> {
        let own = self.list(operator).await?;
        let is_running = |task: &&Task| self.state(task) == TaskState::Running;
        if own.iter().filter(is_running).count() >= RUNNING {
            return Err(TaskError::TooMany);
        }
        let now = self.clock.now();
        let lease = TaskLease {
            owner: LeaseId::new(self.ids.next(now)),
            until: now.plus_millis(LEASE),
        };
        let given = self.tasks.lease_task(task.id, lease, now, values.as_ref());
        if !given.await? {
            return Ok(None);
        }
        task.values = values.or(task.values);
        Ok(Some(TaskRun {
            task,
            lease,
            operator: operator.clone(),
            by,
        }))
    }

    /// Carries a task out to its end. While the storage is unavailable or too slow, a part is tried again after pauses, for
    /// half a minute; if the storage still fails, the task is left interrupted. `pause` waits.
    pub async fn run<P>(&self, run: TaskRun, pause: impl Fn(Duration) -> P) -> Result<(), TaskError>
    where
        P: Future<Output = ()>,
    {
        let (id, owner) = (run.task.id, run.lease.owner);
        let result = self.carry_out(run, pause).await;
        if result.is_err() {
            // If this fails too, the lease ends by itself.
            drop(self.tasks.release_task(id, owner).await);
        }
        result
    }

    async fn carry_out<P>(
        &self,
        run: TaskRun,
        pause: impl Fn(Duration) -> P,
    ) -> Result<(), TaskError>
    where
        P: Future<Output = ()>,
    {
        let task = &run.task;
        let values = task.values.clone().unwrap_or_default();
        let draft = values.draft(&task.command);
        for part in task.progress.parts..task.size.parts {
            let (mut moved, mut pauses) = (0, PAUSES.into_iter());
            let is_leased = loop {
                let tried = self.carry_out_part(&run, &draft, part, &mut moved);
                match (tried.await, pauses.next()) {
                    (Err(TaskError::Repository(error)), Some(next)) if error.is_transient() => {
                        pause(next).await;
                    }
                    (tried, _) => break tried?,
                }
            };
            if !is_leased {
                // Another server has it.
                return Ok(());
            }
        }
        Ok(())
    }

    /// Gives the command for a part and notes what it has come to, with the items that earlier tries have `moved`. Returns
    /// false if the task is not leased to this run any more.
    async fn carry_out_part(
        &self,
        run: &TaskRun,
        draft: &MoveDraft,
        part: u32,
        moved: &mut usize,
    ) -> Result<bool, TaskError> {
        let task = &run.task;
        let orders = self.tasks.task_part(task.id, part).await?;
        let mut step = self.moved(run, draft, &orders, moved).await?;
        let now = self.clock.now();
        step.part = part;
        step.finished_at = (part + 1 == task.size.parts).then_some(now);
        let lease = TaskLease {
            until: now.plus_millis(LEASE),
            ..run.lease
        };
        Ok(self.tasks.advance_task(task.id, lease, &step).await?)
    }

    /// Gives the command for the orders of a part, of which earlier tries have moved some items; adds those that this one moves.
    async fn moved(
        &self,
        run: &TaskRun,
        draft: &MoveDraft,
        orders: &[TaskOrder],
        moved_before: &mut usize,
    ) -> Result<TaskStep, TaskError> {
        let chosen = orders.iter().map(|order| {
            let ids = order.items.iter().map(|item| item.id.to_string());
            (order.number.clone(), ids.collect())
        });
        let chosen: ChosenItems = chosen.collect();
        let reach = OrderScope::Stores {
            set: &run.operator.stores,
            by_prefix: self.stores.by_prefix(),
        };
        let moved = self.orders.move_items(reach, draft, chosen, &run.by).await;
        let moved = moved.map_err(|error| match error {
            OrderError::Repository(error) => TaskError::Repository(error),
            other => TaskError::Repository(RepositoryError::Refused(other.into())),
        })?;
        let unchanged = moved.unchanged.saturating_sub(*moved_before);
        *moved_before += moved.moved;
        if let Some(failure) = moved.failure {
            return Err(failure.into());
        }
        let code_of = |order: &str, id: &str| {
            let order = orders.iter().find(|other| other.number == order);
            let mut items = order.into_iter().flat_map(|order| &order.items);
            let item = items.find(|item| item.id.to_string() == id);
            item.map(|item| item.code.clone()).unwrap_or_default()
        };
        let refusals = moved.refused.into_iter().map(|refused| TaskRefusal {
            item: code_of(&refused.order, &refused.item),
            order: refused.order,
            reason: refused.reason,
        });
        Ok(TaskStep {
            part: 0,
            orders: number(orders.len()),
            moved: number(*moved_before),
            unchanged: number(unchanged),
            refusals: refusals.collect(),
            finished_at: None,
        })
    }

    /// Removes at most so many tasks that are kept no longer; returns how many.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-KEPT);
        self.tasks.prune_tasks(before, limit).await
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
