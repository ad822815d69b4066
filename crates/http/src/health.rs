//! Whether the process lives, and whether it can serve.

use std::time::Duration;

use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, web};
use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Api;
use crate::error::{Code, OK, RETRY_AFTER_SECONDS};

/// How long a check may take. It is longer than a pool waits for a connection, and shorter than probes usually wait.
const CHECK_DEADLINE: Duration = Duration::from_secs(4);

/// The outcome of checking one thing that the service needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked, such as `key`.
    pub name: &'static str,
    /// What is wrong with it, in words that anybody may read; `None` where nothing is.
    pub problem: Option<String>,
}

/// Checks what the service needs beside the order repository.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// The outcome of each check.
    async fn checks(&self) -> Vec<Check>;
}

/// That the process lives.
#[derive(Serialize, ToSchema)]
pub(crate) struct Liveness {
    /// Always `alive`.
    status: &'static str,
}

/// Whether the service can serve, and what it is missing where it cannot.
#[derive(Serialize, ToSchema)]
#[schema(as = Readiness)]
pub(crate) struct ReadinessAnswer {
    /// `ready` or `unavailable`.
    status: &'static str,
    /// What was checked.
    checks: Vec<CheckAnswer>,
}

/// One thing that was checked.
#[derive(Serialize, ToSchema)]
#[schema(as = Check)]
struct CheckAnswer {
    /// What was checked.
    name: &'static str,
    /// Whether it is as it should be.
    ok: bool,
    /// What is wrong; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    problem: Option<String>,
}

/// Whether the process lives
///
/// Answers as long as the process serves at all, whatever the state of its database.
#[utoipa::path(
    get,
    path = "/livez",
    operation_id = "live",
    tag = "health",
    responses((status = 200, description = "It does.", body = Liveness, example = json!({ "status": "alive" })))
)]
pub(crate) async fn live() -> HttpResponse {
    HttpResponse::build(OK).json(Liveness { status: "alive" })
}

/// Whether the service can serve
///
/// Checks the database with its migrations, and what else the service needs.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "ready",
    tag = "health",
    responses(
        (status = 200, description = "It can.", body = ReadinessAnswer, example = json!({
            "status": "ready",
            "checks": [{ "name": "database", "ok": true }]
        })),
        (status = 503, description = "Something is missing.", body = ReadinessAnswer, example = json!({
            "status": "unavailable",
            "checks": [{ "name": "database", "ok": false, "problem": "the database is unavailable" }]
        }))
    )
)]
pub(crate) async fn ready(api: web::Data<Api>) -> HttpResponse {
    let mut checks = vec![database(&api).await];
    match tokio::time::timeout(CHECK_DEADLINE, api.readiness.checks()).await {
        Ok(further) => checks.extend(further),
        Err(_elapsed) => checks.push(Check { name: "further", problem: Some(late()) }),
    }
    let ready = checks.iter().all(|check| check.problem.is_none());
    let (status, word) = if ready { (OK, "ready") } else { (Code::Unavailable.status(), "unavailable") };
    let checks = checks.into_iter().map(|Check { name, problem }| CheckAnswer {
        name,
        ok: problem.is_none(),
        problem,
    });
    let mut response = HttpResponse::build(status);
    if !ready {
        response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS));
    }
    response.json(ReadinessAnswer { status: word, checks: checks.collect() })
}

async fn database(api: &Api) -> Check {
    let problem = match tokio::time::timeout(CHECK_DEADLINE, api.orders.ping()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => {
            tracing::warn!(reason = crate::failure::chain(&error), "the database is not ready");
            Some(error.to_string())
        }
        Err(_elapsed) => Some(late()),
    };
    Check { name: "database", problem }
}

fn late() -> String {
    format!("no answer within {} s", CHECK_DEADLINE.as_secs())
}
