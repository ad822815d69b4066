//! Cases about tasks.

use pressline_backoffice::task::{
    Task, TaskItem, TaskLease, TaskOrder, TaskProgress, TaskRefusal, TaskSize, TaskStep,
};
use pressline_domain::fulfilment::Command;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::{
    ItemId, LeaseId, OperatorId, Prefix, ServiceOrderId, StoreId, TaskId, Timestamp,
};

use crate::at_once::at_once;
use crate::check::same;
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_prepared_task_is_found_as_given,
    an_operator_lists_its_latest_tasks,
    a_task_begins_once_with_its_values,
    one_server_at_a_time_has_a_task,
    of_concurrent_leases_of_a_task_one_is_given,
    a_lost_lease_adds_nothing,
    a_step_is_added_once,
    a_task_that_was_released_can_be_leased,
    refusals_are_kept_in_order,
    only_old_tasks_are_pruned,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;
/// Duration of a lease in milliseconds.
const LEASE: i64 = 1000;

fn number(store: &str, number: i64) -> ServiceOrderId {
    let prefix = Prefix::from_name(store);
    ServiceOrderId { prefix, number }
}

/// Returns a task of two parts, and its parts.
fn sample(random: &mut Random, created_at: Timestamp) -> (Task, Vec<Vec<TaskOrder>>) {
    let mut order = |number: ServiceOrderId| TaskOrder {
        items: vec![TaskItem {
            id: ItemId::new(random.uuid()),
            code: format!("{number}-1"),
        }],
        number,
    };
    let parts = vec![
        vec![order(number("SUN", 1)), order(number("SUN", 2))],
        vec![order(number("MOON", 7))],
    ];
    let task = Task {
        id: TaskId::new(random.uuid()),
        operator: OperatorId::new(random.uuid()),
        stores: Some([StoreId::new(random.uuid())].into()),
        command: Command::Hold,
        values: None,
        created_at,
        size: TaskSize {
            parts: 2,
            orders: 3,
            items: 3,
        },
        progress: TaskProgress::default(),
        leased_until: None,
        finished_at: None,
    };
    (task, parts)
}

fn values() -> MoveValues {
    MoveValues {
        reason: "wrong 'blank' ä".into(),
        until: NOW.into(),
        ..MoveValues::default()
    }
}

fn lease(random: &mut Random, from: Timestamp) -> TaskLease {
    TaskLease {
        owner: LeaseId::new(random.uuid()),
        until: from.plus_millis(LEASE),
    }
}

fn step(part: u32, refused: &[&str]) -> TaskStep {
    let refusals = refused.iter().map(|item| TaskRefusal {
        order: number("SUN", 1),
        item: (*item).to_owned(),
        reason: "on-hold".to_owned(),
    });
    TaskStep {
        part,
        orders: 2,
        moved: 1,
        unchanged: 3,
        refusals: refusals.collect(),
        finished_at: None,
    }
}

/// Stores and starts a task; returns its id and lease.
async fn begun(adapters: &Adapters, random: &mut Random) -> Result<(TaskId, TaskLease), CaseError> {
    let (task, parts) = sample(random, at(0));
    adapters.tasks.add_task(&task, &parts).await?;
    let (lease, values) = (lease(random, at(0)), values());
    let given = adapters
        .tasks
        .lease_task(task.id, lease, at(0), Some(&values));
    same("a lease", &given.await?, &true)?;
    Ok((task.id, lease))
}

async fn a_prepared_task_is_found_as_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (task, parts) = sample(random, at(0));
    same("before", &tasks.task(task.id).await?, &None)?;
    tasks.add_task(&task, &parts).await?;
    same(
        "the task",
        &tasks.task(task.id).await?.as_ref(),
        &Some(&task),
    )?;
    for (position, part) in (0..).zip(&parts) {
        same("a part", &tasks.task_part(task.id, position).await?, part)?;
    }
    same("no part", &tasks.task_part(task.id, 2).await?, &Vec::new())?;
    let unbound = Task {
        id: TaskId::new(random.uuid()),
        stores: None,
        ..task
    };
    tasks.add_task(&unbound, &parts).await?;
    same(
        "of all stores",
        &tasks.task(unbound.id).await?,
        &Some(unbound),
    )
}

async fn an_operator_lists_its_latest_tasks(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (other, parts) = sample(random, at(9));
    tasks.add_task(&other, &parts).await?;
    let operator = OperatorId::new(random.uuid());
    let mut own = Vec::new();
    for millis in 0..3 {
        let (task, parts) = sample(random, at(millis));
        let task = Task { operator, ..task };
        tasks.add_task(&task, &parts).await?;
        own.insert(0, task);
    }
    own.truncate(2);
    same("the latest", &tasks.tasks_of(operator, 2).await?, &own)
}

async fn a_task_begins_once_with_its_values(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (task, parts) = sample(random, at(0));
    tasks.add_task(&task, &parts).await?;
    let (first, second) = (lease(random, at(0)), lease(random, at(0)));
    let early = tasks.lease_task(task.id, first, at(0), None).await?;
    same("without values", &early, &false)?;
    let given = values();
    let began = tasks
        .lease_task(task.id, first, at(0), Some(&given))
        .await?;
    same("with values", &began, &true)?;
    // The first lease has expired by then.
    let other = MoveValues::default();
    let again = tasks.lease_task(task.id, second, at(2 * LEASE), Some(&other));
    same("with other values", &again.await?, &false)?;
    let found = tasks
        .task(task.id)
        .await?
        .ok_or_else(|| CaseError::new("no task"))?;
    same("values", &found.values, &Some(given))?;
    same("lease", &found.leased_until, &Some(first.until))
}

async fn one_server_at_a_time_has_a_task(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (id, _) = begun(&adapters, random).await?;
    let other = lease(random, at(LEASE));
    let early = tasks.lease_task(id, other, at(LEASE - 1), None).await?;
    same("before its end", &early, &false)?;
    let late = tasks.lease_task(id, other, at(LEASE), None).await?;
    same("at its end", &late, &true)?;
    let unknown = TaskId::new(random.uuid());
    let none = tasks.lease_task(unknown, other, at(0), None).await?;
    same("no such task", &none, &false)
}

async fn of_concurrent_leases_of_a_task_one_is_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (task, parts) = sample(random, at(0));
    adapters.tasks.add_task(&task, &parts).await?;
    let calls = (0..CONCURRENT_CALLS).map(|_| {
        let (tasks, id, lease) = (adapters.tasks.clone(), task.id, lease(random, at(0)));
        async move { tasks.lease_task(id, lease, at(0), Some(&values())).await }
    });
    let mut given = 0;
    for is_given in at_once(calls).await? {
        given += usize::from(is_given?);
    }
    same("leases", &given, &1)
}

async fn a_lost_lease_adds_nothing(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (id, first) = begun(&adapters, random).await?;
    let second = lease(random, at(LEASE));
    tasks.lease_task(id, second, at(LEASE), None).await?;
    let lost = tasks
        .advance_task(id, first, &step(0, &["SUN-1-1"]))
        .await?;
    same("by the first", &lost, &false)?;
    // Parts must be added in order.
    let skipped = tasks.advance_task(id, second, &step(1, &[])).await?;
    same("not the next part", &skipped, &false)?;
    let found = tasks.task(id).await?;
    let progress = found.map(|task| task.progress);
    same("progress", &progress, &Some(TaskProgress::default()))?;
    same("refusals", &tasks.task_refusals(id).await?, &Vec::new())
}

async fn a_step_is_added_once(adapters: Adapters) -> CaseResult {
    let tasks = &adapters.tasks;
    let (id, first) = begun(&adapters, &mut Random::new()).await?;
    let later = TaskLease {
        until: at(5 * LEASE),
        ..first
    };
    // The second call is a repetition after a lost response.
    for _ in 0..2 {
        let added = tasks
            .advance_task(id, later, &step(0, &["SUN-1-1"]))
            .await?;
        same("added", &added, &true)?;
    }
    let found = tasks
        .task(id)
        .await?
        .ok_or_else(|| CaseError::new("no task"))?;
    let progress = TaskProgress {
        parts: 1,
        orders: 2,
        moved: 1,
        unchanged: 3,
        refused: 1,
    };
    same("progress", &found.progress, &progress)?;
    same("lease", &found.leased_until, &Some(at(5 * LEASE)))?;
    let last = TaskStep {
        finished_at: Some(at(9)),
        ..step(1, &[])
    };
    tasks.advance_task(id, later, &last).await?;
    let found = tasks
        .task(id)
        .await?
        .ok_or_else(|| CaseError::new("no task"))?;
    same("done", &found.finished_at, &Some(at(9)))?;
    same("no lease", &found.leased_until, &None)?;
    let after = tasks.lease_task(id, later, at(9 * LEASE), None).await?;
    same("a lease of a task that is done", &after, &false)
}

async fn a_task_that_was_released_can_be_leased(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let (id, first) = begun(&adapters, random).await?;
    let other = lease(random, at(0));
    tasks.release_task(id, other.owner).await?;
    let kept = tasks.lease_task(id, other, at(0), None).await?;
    same("released by another", &kept, &false)?;
    tasks.release_task(id, first.owner).await?;
    let free = tasks.lease_task(id, other, at(0), None).await?;
    same("released", &free, &true)
}

async fn refusals_are_kept_in_order(adapters: Adapters) -> CaseResult {
    let tasks = &adapters.tasks;
    let (id, lease) = begun(&adapters, &mut Random::new()).await?;
    let (first, second) = (step(0, &["b", "a"]), step(1, &["'c' ä"]));
    for step in [&first, &second] {
        tasks.advance_task(id, lease, step).await?;
    }
    let all: Vec<TaskRefusal> = [first.refusals, second.refusals].concat();
    same("refusals", &tasks.task_refusals(id).await?, &all)
}

async fn only_old_tasks_are_pruned(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let tasks = &adapters.tasks;
    let mut ids = Vec::new();
    for millis in 0..5 {
        let (task, parts) = sample(random, at(millis));
        tasks.add_task(&task, &parts).await?;
        ids.push(task.id);
    }
    same("at most two", &tasks.prune_tasks(at(3), 2).await?, &2)?;
    same("the rest", &tasks.prune_tasks(at(3), 10).await?, &1)?;
    let mut left = Vec::new();
    for id in ids {
        left.push((
            tasks.task(id).await?.is_some(),
            tasks.task_part(id, 0).await?.len(),
        ));
    }
    let (gone, kept) = ((false, 0), (true, 2));
    same("left", &left, &vec![gone, gone, gone, kept, kept])
}
