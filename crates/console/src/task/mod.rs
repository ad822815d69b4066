//! Tasks: commands about more orders than one call moves. Their page says how far they are.

mod page;
mod prepare;
mod routes;

use pressline_domain::id::TaskId;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::MoveDraft;
use pressline_domain::task::{Task, TaskError, TaskRun};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use page::{list, refusals, show};
pub(crate) use prepare::prepare;
pub(crate) use routes::ROUTES;

use crate::form::FormErrors;
use crate::message::Message;
use crate::order::moves;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

pub(crate) const TASKS: &str = "/console/tasks";

fn path(id: TaskId) -> String {
    format!("{TASKS}/{id}")
}

/// `not_found` if it is not an id.
fn id(visit: &Visit) -> Result<TaskId, RequestError> {
    visit.parameter("id").parse().map_err(|_| missing())
}

fn missing() -> RequestError {
    RequestError::new(Code::NotFound, TaskError::NotFound.to_string())
}

async fn find(visit: &Visit) -> Result<Task, RequestError> {
    let found = visit.services().tasks.find(visit.operator(), id(visit)?);
    found.await.map_err(refused)
}

fn refused(error: TaskError) -> RequestError {
    match error {
        TaskError::NotFound => missing(),
        TaskError::Invalid(report) => OrderError::from(report).into(),
        TaskError::Repository(error) => error.into(),
        other => RequestError::new(Code::ValidationFailed, other.to_string()),
    }
}

async fn begin(visit: Visit) -> Answer {
    let id = id(&visit)?;
    let values = moves::values(visit.form(), &visit, MoveDraft::default());
    let tasks = &visit.services().tasks;
    let begun = tasks.begin(visit.operator(), id, &values, visit.by()).await;
    carried_out(&visit, id, begun.map_err(refused), "The task has begun.").await
}

async fn resume(visit: Visit) -> Answer {
    let id = id(&visit)?;
    let tasks = &visit.services().tasks;
    let resumed = tasks.resume(visit.operator(), id, visit.by()).await;
    carried_out(&visit, id, resumed.map_err(refused), "The task goes on.").await
}

/// Runs the task in the background, and redirects to its page.
async fn carried_out(
    visit: &Visit,
    id: TaskId,
    run: Result<Option<TaskRun>, RequestError>,
    message: &str,
) -> Answer {
    let run = match run {
        Ok(run) => run,
        Err(error) => return page::refuse(visit, FormErrors::of(error)?).await,
    };
    let text = match run {
        Some(run) => {
            let tasks = visit.services().tasks.clone();
            actix_web::rt::spawn(async move {
                if let Err(error) = tasks.run(run, actix_web::rt::time::sleep).await {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(task = %id, error, "a task was interrupted");
                }
            });
            message
        }
        None => "It was so already.",
    };
    Ok(Reply::redirect(path(id)).with_message(Message::status(text)))
}
