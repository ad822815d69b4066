//! Page of a task, list of tasks, and a task's refusals as a file.

use std::collections::BTreeMap;

use askama::Template;
use pressline_backoffice::task::{Task, TaskState};

use super::named::{find, id, path, refused};
use crate::pages::order::moves;
use crate::shell::form::with_errors;
use crate::shell::list::{self, count_text};
use crate::shell::{
    Answer, ErrorList, FormErrors, FormField, Frame, Reply, Result, SignedInRequest, counted,
};

#[derive(Template)]
#[template(path = "task/page.html")]
struct TaskPage {
    frame: Frame,
    path: String,
    name: &'static str,
    state: TaskState,
    task: Task,
    refused: Vec<(String, String)>,
    questions: Vec<FormField>,
    errors: Option<FormErrors>,
}

#[derive(Template)]
#[template(path = "task/list.html")]
struct TasksPage {
    frame: Frame,
    rows: Vec<(TaskState, Task)>,
}

pub(super) async fn list(visit: SignedInRequest) -> Answer {
    let tasks = &visit.services().tasks;
    let listed = tasks.list(visit.operator()).await.map_err(refused)?;
    let rows = listed
        .into_iter()
        .map(|task| (tasks.state(&task), task))
        .collect();
    let frame = visit.frame(&["Tasks", "Queue"])?;
    Reply::page(&TasksPage { frame, rows })
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let task = find(&visit).await?;
    Reply::page(&page(&visit, task, None).await?)
}

pub(super) async fn refuse(visit: &SignedInRequest, errors: FormErrors) -> Answer {
    let page = page(visit, find(visit).await?, Some(errors)).await?;
    Reply::form(&page, page.errors.as_ref())
}

async fn page(visit: &SignedInRequest, task: Task, errors: Option<FormErrors>) -> Result<TaskPage> {
    let tasks = &visit.services().tasks;
    let (state, name) = (tasks.state(&task), task.command.label());
    let reading = tasks.refusals(visit.operator(), task.id);
    let refusals = match task.progress.refused {
        0 => Vec::new(),
        _ => reading.await.map_err(refused)?,
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for refusal in refusals {
        *counts.entry(refusal.reason).or_default() += 1;
    }
    // The command's values cannot change once the task has begun.
    let questions = match state {
        TaskState::Prepared => moves::questions(task.command, visit.form()),
        TaskState::Running | TaskState::Interrupted | TaskState::Done => Vec::new(),
    };
    let by_reason = counts.into_iter();
    Ok(TaskPage {
        frame: visit.frame(&[&format!("Task: {name}"), "Queue"])?,
        path: path(task.id),
        name,
        state,
        refused: by_reason
            .map(|(reason, count)| (reason, count_text(count as u64)))
            .collect(),
        questions: with_errors(questions, errors.as_ref()),
        errors,
        task,
    })
}

pub(super) async fn refusals(visit: SignedInRequest) -> Answer {
    let tasks = &visit.services().tasks;
    let refusals = tasks.refusals(visit.operator(), id(&visit)?).await;
    let rows = refusals
        .map_err(refused)?
        .into_iter()
        .map(|refusal| vec![refusal.order.to_string(), refusal.item, refusal.reason]);
    list::csv("refusals.csv", "order,itemCode,reason", rows)
}

fn number(count: u32) -> String {
    count_text(u64::from(count))
}
