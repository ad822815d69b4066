//! Tasks: commands about more orders than one call moves. Their page shows the progress.

mod named;
mod page;

use std::collections::BTreeMap;

use pressline_backoffice::queue::QueueItem;
use pressline_backoffice::task::{TaskItem, TaskOrder, TaskRun};
use pressline_domain::fulfilment::Command;
use pressline_domain::value::TaskId;

use crate::pages::order::moves;
use crate::shell::access::Access::Call;
use crate::shell::background::in_background;
use crate::shell::{Answer, FormErrors, Reply, Result, Route, Section, SignedInRequest, routes};
use named::{id, path, refused};
use page::{list, refusals, show};

async fn begin(visit: SignedInRequest) -> Answer {
    let id = id(&visit)?;
    let values = moves::values(visit.form(), &visit);
    let tasks = &visit.services().tasks;
    let begun = tasks.begin(visit.operator(), id, values, visit.by()).await;
    carried_out(&visit, id, begun.map_err(refused), "The task has begun.").await
}

async fn resume(visit: SignedInRequest) -> Answer {
    let id = id(&visit)?;
    let tasks = &visit.services().tasks;
    let resumed = tasks.resume(visit.operator(), id, visit.by()).await;
    carried_out(&visit, id, resumed.map_err(refused), "The task goes on.").await
}

/// Responds that nothing changed if `run` is `Ok(None)`; shows an error on the task's page.
async fn carried_out(
    visit: &SignedInRequest,
    id: TaskId,
    run: Result<Option<TaskRun>>,
    message: &str,
) -> Answer {
    let run = match run {
        Ok(run) => run,
        Err(error) => return page::refuse(visit, FormErrors::from_error(error)?).await,
    };
    let text = match run {
        Some(run) => {
            let tasks = visit.services().tasks.clone();
            // A task takes longer than a request should (ADR 30).
            in_background(async move {
                if let Err(error) = tasks.run(run, actix_web::rt::time::sleep).await {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(task = %id, error, "a task was interrupted");
                }
            });
            message
        }
        None => "Nothing changed.",
    };
    Ok(Reply::done(path(id), text))
}

/// Creates a task and redirects to its page, which asks for the command's values.
pub(crate) async fn prepare(
    visit: &SignedInRequest,
    command: Command,
    items: &[QueueItem],
) -> Answer {
    let mut by_order: BTreeMap<String, TaskOrder> = BTreeMap::new();
    for item in items {
        if let Some((line, state)) = item.item() {
            let number = &item.order.service_order_id;
            let order = by_order
                .entry(number.to_string())
                .or_insert_with(|| TaskOrder {
                    number: number.clone(),
                    items: Vec::new(),
                });
            order.items.push(TaskItem {
                id: line.id,
                code: state.code(number),
            });
        }
    }
    let tasks = &visit.services().tasks;
    let orders = by_order.into_values().collect();
    let prepared = tasks.prepare(visit.operator(), command, orders);
    let id = prepared.await.map_err(refused)?;
    Ok(Reply::redirect(path(id)))
}

pub(crate) const ROUTES: &[Route] = &Section::Queue.routes(routes! {
    page: "/console/tasks", "Tasks", Call("orders/move") => list;
    page: "/console/tasks/{id}", "Task", Call("orders/move") => show;
    action.labelled(moves::bulk_labels): "/console/tasks/{id}", "Move items", Call("orders/move")
        => begin;
    action: "/console/tasks/{id}/continue", "Continue", Call("orders/move") => resume;
    page: "/console/tasks/{id}/refusals.csv", "Download refusals", Call("orders/move") => refusals;
});
