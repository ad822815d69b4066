//! Waiting jobs: full queues, time limits and callers that have gone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupConfig, WriteLimits};
use tokio::task::JoinSet;

use crate::{
    CONFIG, Fixture, LIMITS, assert_all_stored, expected, outcomes, refusal, until, with_backlog,
    with_limits,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once() {
    let mut fixture = Fixture::new(with_limits(WriteLimits { queue: 2, ..LIMITS }));
    let calls = fixture.busy(&["s/ok1", "s/ok2"]).await;
    refusal(fixture.write("s/ok3").await);
    refusal(fixture.group.alone(|_| Ok(())).await);
    fixture.store_all(calls).await;
    assert_eq!(fixture.group.metrics().refused, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_long_backlog_only_two_groups_may_wait() {
    let mut fixture = Fixture::new(with_backlog(1, Duration::from_millis(100)));
    // A short burst is accepted, however many groups it makes.
    let calls = fixture.busy(&["s/ok1", "s/ok2", "s/ok3"]).await;
    let since = Instant::now();
    until(|| since.elapsed() > Duration::from_millis(150)).await;
    refusal(fixture.write("s/ok4").await);
    // The shard catches up, and then accepts bursts again.
    for _ in 0..4 {
        fixture.step();
    }
    assert_all_stored(calls).await;
    let mut burst = JoinSet::new();
    for job in ["s/ok5", "s/ok6", "s/ok7"] {
        fixture.hand_in(&mut burst, job);
    }
    fixture.store_all(burst).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_waited_too_long_are_not_written() {
    let mut fixture = Fixture::new(GroupConfig {
        wait: Duration::from_millis(400),
        ..CONFIG
    });
    let calls = fixture.busy(&["s/ok"]).await;
    let since = Instant::now();
    until(|| since.elapsed() > Duration::from_millis(450)).await;
    fixture.open_gate();
    assert_eq!(
        outcomes(calls).await,
        expected(&[("s/first", "stored"), ("s/ok", "unavailable")])
    );
    assert_eq!(fixture.attempts().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_without_a_result_in_time_ends_in_a_timeout() {
    let fixture = Fixture::new(GroupConfig {
        patience: Duration::from_millis(5),
        ..CONFIG
    });
    let answer = fixture.write("s/ok").await;
    assert!(
        matches!(answer, Err(RepositoryError::Timeout(_))),
        "{answer:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_without_a_caller_are_not_started() {
    let mut fixture = Fixture::new(CONFIG);
    let mut gone = fixture.busy(&["s/gone1", "s/gone2"]).await;
    let waiting = Arc::clone(&fixture.group);
    let waiting = tokio::spawn(async move { waiting.write("s/ok".into()).await });
    fixture.until_waiting(3).await;
    gone.shutdown().await;
    fixture.open_gate();
    assert_eq!(waiting.await.unwrap().unwrap(), "s/ok");
    // A transaction that has begun is completed.
    let Fixture {
        group, attempts, ..
    } = fixture;
    tokio::task::spawn_blocking(|| drop(Arc::into_inner(group).unwrap()))
        .await
        .unwrap();
    assert_eq!(*attempts.lock().unwrap(), [["s/first"], ["s/ok"]]);
}
