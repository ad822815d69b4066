//! The task that a path names.

use pressline_backoffice::task::{Task, TaskError};
use pressline_domain::order::OrderError;
use pressline_domain::value::TaskId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::{Result, SignedInRequest};

const TASKS: &str = "/console/tasks";

pub(super) fn path(id: TaskId) -> String {
    format!("{TASKS}/{id}")
}

pub(super) fn id(visit: &SignedInRequest) -> Result<TaskId> {
    visit.parameter("id").parse().map_err(|_| missing())
}

fn missing() -> RequestError {
    RequestError::new(Code::NotFound, TaskError::NotFound.to_string())
}

pub(super) async fn find(visit: &SignedInRequest) -> Result<Task> {
    visit
        .services()
        .tasks
        .find(visit.operator(), id(visit)?)
        .await
        .map_err(refused)
}

pub(super) fn refused(error: TaskError) -> RequestError {
    match error {
        TaskError::NotFound => missing(),
        TaskError::Invalid(report) => OrderError::from(report).into(),
        TaskError::Repository(error) => error.into(),
        other => RequestError::new(Code::ValidationFailed, other.to_string()),
    }
}
