//! Concurrent calls.

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::{CaseError, CaseResult};

/// Executes `calls` in a task each, which begin together. Returns the results in the order in which
/// the calls end.
pub(crate) async fn at_once<T, Call>(
    calls: impl IntoIterator<Item = Call>,
) -> Result<Vec<T>, CaseError>
where
    T: Send + 'static,
    Call: Future<Output = T> + Send + 'static,
{
    let calls: Vec<Call> = calls.into_iter().collect();
    let barrier = Arc::new(Barrier::new(calls.len()));
    let mut tasks = JoinSet::new();
    for call in calls {
        let barrier = Arc::clone(&barrier);
        tasks.spawn(async move {
            barrier.wait().await;
            call.await
        });
    }
    let mut results = Vec::new();
    while let Some(result) = tasks.join_next().await {
        results.push(result?);
    }
    Ok(results)
}

/// Executes `calls` as [`at_once`] does. Returns the values of the successful calls; `check`
/// checks the results of all other calls.
pub(crate) async fn winners<T, Call>(
    calls: impl IntoIterator<Item = Call>,
    check: impl Fn(Result<T, RepositoryError>) -> CaseResult,
) -> Result<Vec<T>, CaseError>
where
    T: Send + 'static,
    Call: Future<Output = Result<T, RepositoryError>> + Send + 'static,
{
    let mut won = Vec::new();
    for result in at_once(calls).await? {
        match result {
            Ok(value) => won.push(value),
            refused => check(refused)?,
        }
    }
    Ok(won)
}
