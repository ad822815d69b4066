//! Use cases of tasks.

use std::sync::Arc;
use std::time::Duration;

use super::{
    Task, TaskLease, TaskOrder, TaskProgress, TaskRefusal, TaskRepository, TaskSize, TaskState,
    TaskStep,
};
use crate::limits;
use crate::operator::Operator;
use crate::store::StoreAdmin;
use pressline_domain::check::Report;
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{Caller, Command};
use pressline_domain::order::request::{Move, MoveValues};
use pressline_domain::order::{OrderError, OrderMover, OrderScope, OwnOrderIds, RefusedItem};
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::{ItemId, LeaseId, ServiceOrderId, TaskId};
use pressline_kit::boxed;

type Result<T, E = TaskError> = std::result::Result<T, E>;

/// Maximum number of orders in a part. If a server stops within a part, the part is repeated;
/// moving items again has no effect.
const PART: usize = 100;
/// Duration of a lease in milliseconds, far longer than a part takes.
const LEASE: i64 = 60_000;
/// Pauses before retries of a part. Their sum is about half of [`LEASE`].
const PAUSES: [Duration; 5] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(10),
    Duration::from_secs(15),
];
const CONCURRENT_TASKS: usize = 3;
const MAX_TASKS: u32 = 50;
const LIFETIME: i64 = 7 * 24 * 60 * 60 * 1000;

/// Prepares, runs and lists tasks.
#[derive(Clone)]
pub struct TaskService {
    tasks: Arc<dyn TaskRepository>,
    orders: OrderMover,
    stores: StoreAdmin,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    permits: Permits,
}

/// Returns whether leases may be taken now.
type Permits = Arc<dyn Fn() -> bool + Send + Sync>;

/// Task leased by this process, ready to run.
#[derive(Debug, Clone)]
pub struct TaskRun {
    task: Task,
    lease: TaskLease,
    operator: Operator,
    by: Caller,
}

/// Error of a request about a task.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The task does not exist, or the operator may not see it.
    #[error("there is no such task")]
    NotFound,
    /// The operator already has the maximum number of running tasks.
    #[error("{CONCURRENT_TASKS} of your tasks are running; wait until one is done")]
    TooMany,
    /// The values of the command are invalid.
    #[error("the command has {} problems", .0.violations.len())]
    Invalid(Report),
    /// A query failed.
    #[error("the repository failed")]
    Repository(#[from] RepositoryError),
}

impl TaskService {
    /// Creates a service that stores tasks in `tasks` and executes their commands on `orders`.
    pub fn new(
        tasks: Arc<dyn TaskRepository>,
        orders: OrderMover,
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
            permits: Arc::new(|| true),
        }
    }

    /// Makes the service begin and resume tasks only while `permits` returns `true`: leases need a
    /// time that all servers agree on.
    #[must_use]
    pub fn permitted_by(self, permits: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self { permits, ..self }
    }

    /// Stores a task that will execute `command` on the first [`limits::TASK_ORDERS`] of `orders`,
    /// and returns its id. [`begin`](Self::begin) starts the task.
    #[boxed]
    pub async fn prepare(
        &self,
        operator: &Operator,
        command: Command,
        mut orders: Vec<TaskOrder>,
    ) -> Result<TaskId> {
        orders.truncate(limits::TASK_ORDERS);
        let now = self.clock.now();
        let items = orders.iter().map(|order| order.items.len()).sum();
        let parts: Vec<Vec<TaskOrder>> = orders.chunks(PART).map(<[_]>::to_vec).collect();
        let task = Task {
            id: TaskId::new(self.ids.next(now)),
            operator: operator.id,
            stores: operator.stores.clone(),
            command,
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

    /// Returns the task `id`; [`TaskError::NotFound`] if `operator` may not see it.
    #[boxed]
    pub async fn find(&self, operator: &Operator, id: TaskId) -> Result<Task> {
        let task = self.tasks.task(id).await?;
        let seen = task.filter(|task| task.is_seen_by(operator));
        seen.ok_or(TaskError::NotFound)
    }

    /// Returns the state of `task` at the current time of the service's clock.
    pub fn state(&self, task: &Task) -> TaskState {
        task.state(self.clock.now())
    }

    /// Returns the latest tasks of `operator`, newest first.
    #[boxed]
    pub async fn list(&self, operator: &Operator) -> Result<Vec<Task>> {
        Ok(self.tasks.tasks_of(operator.id, MAX_TASKS).await?)
    }

    /// Returns all refused items of the task `id`.
    #[boxed]
    pub async fn refusals(&self, operator: &Operator, id: TaskId) -> Result<Vec<TaskRefusal>> {
        self.find(operator, id).await?;
        Ok(self.tasks.task_refusals(id).await?)
    }

    /// Begins a prepared task with the values of its command. Returns the run to execute; `None` if
    /// the task has already begun.
    #[boxed]
    pub async fn begin(
        &self,
        operator: &Operator,
        id: TaskId,
        values: MoveValues,
        by: Caller,
    ) -> Result<Option<TaskRun>> {
        let task = self.find(operator, id).await?;
        if self.state(&task) != TaskState::Prepared {
            return Ok(None);
        }
        // Checked before the lease: a task takes its values only once.
        values.check(task.command).map_err(TaskError::Invalid)?;
        self.leased(task, operator, by, Some(values)).await
    }

    /// Returns the run that continues an interrupted task; `None` if it is not interrupted.
    #[boxed]
    pub async fn resume(
        &self,
        operator: &Operator,
        id: TaskId,
        by: Caller,
    ) -> Result<Option<TaskRun>> {
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
        values: Option<MoveValues>,
    ) -> Result<Option<TaskRun>> {
        if !(self.permits)() {
            let wrong = "the clock of this server is in doubt, so that it begins no tasks";
            return Err(RepositoryError::Unavailable(wrong.into()).into());
        }
        let own = self.list(operator).await?;
        let is_running = |task: &&Task| self.state(task) == TaskState::Running;
        if own.iter().filter(is_running).count() >= CONCURRENT_TASKS {
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

    /// Executes a task to its end. While the database is unavailable or slow, a part is retried for
    /// about half a minute; if it still fails, the task becomes interrupted. Between two attempts,
    /// `pause` is called, and must wait for the given duration.
    pub async fn run<P>(&self, run: TaskRun, pause: impl Fn(Duration) -> P) -> Result<()>
    where
        P: Future<Output = ()>,
    {
        let (id, owner) = (run.task.id, run.lease.owner);
        let result = self.carry_out(run, pause).await;
        if result.is_err() {
            // If this fails too, the lease expires.
            drop(self.tasks.release_task(id, owner).await);
        }
        result
    }

    async fn carry_out<P>(&self, run: TaskRun, pause: impl Fn(Duration) -> P) -> Result<()>
    where
        P: Future<Output = ()>,
    {
        let task = &run.task;
        let values = task.values.clone().unwrap_or_default();
        let given = values.check(task.command).map_err(TaskError::Invalid)?;
        for part in task.progress.parts..task.size.parts {
            // `moved` counts over all attempts at this part.
            let (mut moved, mut pauses) = (0, PAUSES.into_iter());
            let is_leased = loop {
                let tried = self.carry_out_part(&run, &given, part, &mut moved);
                match (tried.await, pauses.next()) {
                    (Err(TaskError::Repository(error)), Some(next)) if error.is_transient() => {
                        pause(next).await;
                    }
                    (tried, _) => break tried?,
                }
            };
            if !is_leased {
                // Another server holds the lease.
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns `false` if the lease is lost. `moved` counts the items of all attempts at this part.
    async fn carry_out_part(
        &self,
        run: &TaskRun,
        given: &Move,
        part: u32,
        moved: &mut usize,
    ) -> Result<bool> {
        let task = &run.task;
        let orders = self.tasks.task_part(task.id, part).await?;
        let mut step = self.moved(run, given, &orders, moved).await?;
        let now = self.clock.now();
        step.part = part;
        step.finished_at = (part + 1 == task.size.parts).then_some(now);
        let lease = TaskLease {
            until: now.plus_millis(LEASE),
            ..run.lease
        };
        Ok(self.tasks.advance_task(task.id, lease, &step).await?)
    }

    /// Leaves `part` and `finished_at` of the result to the caller. Adds to `moved_before`, the
    /// number of items that earlier attempts have moved, even if this attempt fails.
    async fn moved(
        &self,
        run: &TaskRun,
        given: &Move,
        orders: &[TaskOrder],
        moved_before: &mut usize,
    ) -> Result<TaskStep> {
        let items: Vec<(ServiceOrderId, ItemId)> = orders
            .iter()
            .flat_map(|order| {
                let items = order.items.iter();
                items.map(|item| (order.number.clone(), item.id))
            })
            .collect();
        let scope = OrderScope::Stores {
            set: &run.operator.stores,
            by_prefix: self.stores.by_prefix(),
            // The task has read the numbers from the orders.
            own_ids: OwnOrderIds::Ignored,
        };
        let moved = self
            .orders
            .move_items(scope, &items, given, &run.by)
            .await
            .map_err(|error| match error {
                OrderError::Repository(error) => TaskError::Repository(error),
                other => TaskError::Repository(RepositoryError::Refused(other.into())),
            })?;
        // Items moved by an earlier attempt now count as unchanged, although this task moved them.
        let unchanged = moved.unchanged.saturating_sub(*moved_before);
        // Counted even if the part fails: the next attempt finds the part's items unchanged.
        *moved_before += moved.moved;
        if let Some(failure) = moved.failure {
            return Err(failure.into());
        }
        let code_of = |refused: &RefusedItem| {
            let order = orders.iter().find(|order| order.number == refused.order);
            let mut items = order.into_iter().flat_map(|order| &order.items);
            let item = items.find(|item| item.id == refused.item);
            item.map(|item| item.code.clone()).unwrap_or_default()
        };
        let refusals = moved.refused.into_iter().map(|refused| TaskRefusal {
            item: code_of(&refused),
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

    /// Deletes up to `limit` expired tasks and returns their number.
    #[boxed]
    pub async fn prune(&self, limit: u32) -> Result<u64, RepositoryError> {
        let before = self.clock.now().plus_millis(-LIFETIME);
        self.tasks.prune_tasks(before, limit).await
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
