//! The probes `/livez` and `/readyz`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, web};
use async_trait::async_trait;
use pressline_domain::order::OrderRepository;
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::error::{Code, OK, RETRY_AFTER_SECONDS};
use crate::schema::{ALIVE, LivenessStatus, READY, ReadinessStatus, UNAVAILABLE};

/// Time limit of the database check, and of all other checks of `/readyz` together. It is longer
/// than a pool waits for a connection, and shorter than the usual timeout of probes.
const CHECK_DEADLINE: Duration = Duration::from_secs(4);

/// Result of a check for `/readyz`, which tells whether a dependency of the service works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Name of the checked dependency, such as `key`.
    pub name: &'static str,
    /// Problem of the dependency, without secrets; `None` if it works.
    pub problem: Option<String>,
    /// Information for operators about the dependency, without secrets, which does not affect
    /// readiness; `None` if there is nothing to report.
    pub notice: Option<String>,
}

struct CheckResults {
    at: Instant,
    checks: Vec<Check>,
    warnings: Vec<String>,
    /// Reason why the service is not ready, only for the log; `None` if it is ready.
    reason: Option<String>,
}

/// Results of the last checks; `None` before the first checks. The lock is held while checks run:
/// one request runs them, and concurrent requests wait for its results.
type LastChecks = Arc<Mutex<Option<CheckResults>>>;

/// Checks the dependencies of the service except the order repository.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// Checks each dependency, and returns one result for each.
    async fn checks(&self) -> Vec<Check>;

    /// Returns warnings to operators, without secrets. The service may be ready nevertheless. Empty
    /// by default.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Checks of `/readyz`. Clones share the last results.
#[derive(Clone)]
pub struct Health {
    repository: Arc<dyn OrderRepository>,
    readiness: Arc<dyn Readiness>,
    /// Maximum age of check results that a request may reuse.
    age: Duration,
    last: LastChecks,
}

impl Health {
    /// Creates checks of `repository` and `readiness`. Results are reused until they are older than
    /// `age`: probes need no signature, so a flood of them must cost nothing.
    pub fn new(
        repository: Arc<dyn OrderRepository>,
        readiness: Arc<dyn Readiness>,
        age: Duration,
    ) -> Self {
        let last = LastChecks::default();
        Self {
            repository,
            readiness,
            age,
            last,
        }
    }
}

/// Response of a process that is alive.
#[derive(Serialize, ToSchema)]
pub struct Liveness {
    /// Always `alive`.
    #[schema(value_type = LivenessStatus)]
    status: &'static str,
}

/// Readiness of the service, with the results of `checks`.
#[derive(Serialize, ToSchema)]
#[schema(as = Readiness)]
pub struct ReadinessResponse {
    /// `ready` or `unavailable`.
    #[schema(value_type = ReadinessStatus)]
    status: &'static str,
    /// Results of the checks.
    checks: Vec<CheckResponse>,
    /// Warnings to operators about the database and the clock. The service may be ready
    /// nevertheless. Absent if there are none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schema(required = false)]
    warnings: Vec<String>,
}

/// Result of a check.
#[derive(Serialize, ToSchema)]
#[schema(as = Check)]
struct CheckResponse {
    /// Name of the checked dependency, such as `database`.
    name: &'static str,
    /// Whether the check found no problem.
    ok: bool,
    /// Problem of the dependency. Absent if the dependency is healthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    problem: Option<String>,
    /// A notice for the operator although the service is ready. Absent without a notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    notice: Option<String>,
}

impl From<Check> for CheckResponse {
    fn from(check: Check) -> Self {
        Self {
            name: check.name,
            ok: check.problem.is_none(),
            problem: check.problem,
            notice: check.notice,
        }
    }
}

/// Check whether the process is alive
///
/// Responds with 200 as long as the process serves requests, whatever the state of its database.
#[utoipa::path(
    get,
    path = "/livez",
    operation_id = "live",
    tag = "health",
    responses((status = 200, description = "The process is alive.", body = Liveness, example = json!({ "status": "alive" })))
)]
pub async fn live() -> HttpResponse {
    HttpResponse::build(OK).json(Liveness { status: ALIVE })
}

/// Check whether the service is ready
///
/// Checks that the database responds, has its migrations and can be written to, and checks the
/// service's other dependencies. `warnings` say what else operators should know about the database
/// and the server's clock. The response is up to a second old.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "ready",
    tag = "health",
    responses(
        (status = 200, description = "The service is ready.", body = ReadinessResponse, example = json!({
            "status": "ready",
            "checks": [{ "name": "database", "ok": true }]
        })),
        (status = 503, description = "The service is not ready.", body = ReadinessResponse, example = json!({
            "status": "unavailable",
            "checks": [{ "name": "database", "ok": false, "problem": "the storage is unavailable" }]
        }))
    )
)]
pub async fn ready(health: web::Data<Health>) -> HttpResponse {
    let mut last = health.last.lock().await;
    let results = match last.take() {
        Some(results) if results.at.elapsed() < health.age => results,
        earlier => {
            let results = check(&health).await;
            log_change(
                earlier.and_then(|earlier| earlier.reason).as_deref(),
                results.reason.as_deref(),
            );
            results
        }
    };
    let response = render(&results);
    *last = Some(results);
    response
}

fn render(results: &CheckResults) -> HttpResponse {
    let ready = results.reason.is_none();
    let (status, word) = if ready {
        (OK, READY)
    } else {
        (Code::Unavailable.status(), UNAVAILABLE)
    };
    let checks = results.checks.iter().cloned().map(CheckResponse::from);
    let mut response = HttpResponse::build(status);
    if !ready {
        response.insert_header((RETRY_AFTER, RETRY_AFTER_SECONDS));
    }
    response.json(ReadinessResponse {
        status: word,
        checks: checks.collect(),
        warnings: results.warnings.clone(),
    })
}

async fn check(health: &Health) -> CheckResults {
    let (database, database_reason) = database(health).await;
    let mut checks = vec![database];
    match tokio::time::timeout(CHECK_DEADLINE, health.readiness.checks()).await {
        Ok(further) => checks.extend(further),
        Err(_elapsed) => checks.push(Check {
            name: "further",
            problem: Some(late()),
            notice: None,
        }),
    }
    // The reason of a database problem may contain secrets, so only the log has it.
    let reason = database_reason.or_else(|| checks.iter().find_map(|check| check.problem.clone()));
    CheckResults {
        at: Instant::now(),
        checks,
        warnings: health.readiness.warnings(),
        reason,
    }
}

/// Logs a new reason why the service is not ready, or the return to readiness (`None`).
fn log_change(before: Option<&str>, now: Option<&str>) {
    match (before, now) {
        (before, Some(reason)) if before != Some(reason) => tracing::warn!(reason, "not ready"),
        (Some(_), None) => tracing::info!("ready again"),
        _ => {}
    }
}

/// Returns the result of the check and, if there is a problem, its full reason for the log.
async fn database(health: &Health) -> (Check, Option<String>) {
    let (problem, reason) =
        match tokio::time::timeout(CHECK_DEADLINE, health.repository.ping()).await {
            Ok(Ok(())) => (None, None),
            Ok(Err(error)) => (
                Some(error.to_string()),
                Some(crate::request_error::chain(&error)),
            ),
            Err(_elapsed) => (Some(late()), Some(format!("the database: {}", late()))),
        };
    (
        Check {
            name: "database",
            problem,
            notice: None,
        },
        reason,
    )
}

fn late() -> String {
    format!("no response within {} s", CHECK_DEADLINE.as_secs())
}
