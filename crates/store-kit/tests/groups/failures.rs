//! Effects of a failed job, or of a caller that leaves, on the rest of the group and on the writer.

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{ProbeResult, ProbeSize};
use tokio::sync::oneshot;

use crate::{CONFIG, Fixture, expected, outcomes, refusal, until};

/// Writes the jobs of `wanted` as a group, and asserts the result of each. Returns the attempts
/// after that of the whole group, and the number of jobs written alone.
async fn retries_of(wanted: &[(&str, &'static str)]) -> (Vec<Vec<String>>, u64) {
    let mut fixture = Fixture::new(CONFIG);
    let jobs: Vec<&str> = wanted.iter().map(|(job, _)| *job).collect();
    let calls = fixture.busy(&jobs).await;
    fixture.open_gate();
    let wanted = [wanted, &[("s/first", "stored")]].concat();
    assert_eq!(outcomes(calls).await, expected(&wanted));
    // The writer still works.
    fixture.assert_writes_next().await;
    let mut attempts = fixture.attempts();
    assert_eq!(attempts.pop(), Some(vec!["s/next".to_owned()]));
    assert_eq!(attempts[1], jobs);
    (
        attempts[2..].to_vec(),
        fixture.group.metrics().written_alone,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_a_failed_group_are_retried_once_in_order() {
    let wanted = [
        ("s/ok1", "stored"),
        ("t/refused", "refused"),
        ("u/ok1", "stored"),
    ];
    let (retries, alone) = retries_of(&wanted).await;
    assert_eq!(retries, [["s/ok1"], ["t/refused"], ["u/ok1"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_fails_alone_is_not_tried_again() {
    for wanted in [
        ("s/refused", "refused"),
        ("s/locked", "timeout"),
        ("s/gone", "unavailable"),
    ] {
        assert_eq!(retries_of(&[wanted]).await, (vec![], 0), "{wanted:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_bad_jobs_do_not_affect_other_jobs() {
    let wanted = [
        ("s/refused", "refused"),
        ("s/ok1", "stored"),
        ("t/refused", "refused"),
        ("t/ok1", "stored"),
        ("u/ok1", "stored"),
    ];
    assert_eq!(retries_of(&wanted).await.1, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_job_does_not_affect_other_jobs() {
    for bad in ["s/refused", "s/panic"] {
        let wanted = [
            ("s/ok1", "stored"),
            ("s/twice", "duplicate"),
            (bad, "refused"),
            ("t/ok2", "stored"),
        ];
        assert_eq!(retries_of(&wanted).await.1, 4, "{bad}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connection_is_closed_after_each_panic() {
    let (retries, _) = retries_of(&[("s/panic", "refused"), ("s/ok1", "stored")]).await;
    // Reset after the panic of the group, and after the panic of the job alone.
    assert_eq!(retries, [["reset"], ["s/panic"], ["reset"], ["s/ok1"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_is_tried_once_and_does_not_affect_others() {
    let wanted = [
        ("s/locked", "timeout"),
        ("s/ok1", "timeout"),
        ("t/ok", "stored"),
        ("s/ok2", "timeout"),
    ];
    assert_eq!(retries_of(&wanted).await.0, [["s/locked"], ["t/ok"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_with_many_jobs_is_tried_once() {
    let wanted = [
        ("s/locked", "timeout"),
        ("s/locked2", "timeout"),
        ("t/ok1", "stored"),
        ("s/ok1", "timeout"),
        ("u/ok1", "stored"),
    ];
    let (retries, alone) = retries_of(&wanted).await;
    assert_eq!(retries, [["s/locked"], ["t/ok1"], ["u/ok1"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_locked_stores_are_tried_once_each() {
    let wanted = [
        ("s/locked", "timeout"),
        ("t/locked", "timeout"),
        ("s/ok1", "timeout"),
        ("t/ok1", "timeout"),
        ("u/ok1", "stored"),
    ];
    let (retries, _) = retries_of(&wanted).await;
    assert_eq!(retries, [["s/locked"], ["t/locked"], ["u/ok1"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_database_is_not_tried_for_each_job() {
    let wanted = [
        ("s/ok", "unavailable"),
        ("s/gone", "unavailable"),
        ("t/ok", "unavailable"),
    ];
    assert_eq!(retries_of(&wanted).await.0, Vec::<Vec<String>>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_group_is_not_tried_once_the_database_is_gone() {
    // The first job fails the group; then the jobs are tried alone, and the database is gone at the
    // third.
    let wanted = [
        ("s/refused", "refused"),
        ("s/ok1", "stored"),
        ("t/gone", "unavailable"),
        ("t/ok1", "unavailable"),
        ("u/ok1", "unavailable"),
    ];
    let (retries, alone) = retries_of(&wanted).await;
    assert_eq!(retries, [["s/refused"], ["s/ok1"], ["t/gone"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_never_fails_its_group() {
    let wanted = [
        ("s/twice1", "duplicate"),
        ("s/ok1", "stored"),
        ("t/twice2", "duplicate"),
        ("t/ok1", "stored"),
    ];
    assert_eq!(retries_of(&wanted).await, (vec![], 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_of_duplicates_alone_is_tried_once() {
    let wanted = ["s/twice1", "s/twice2", "t/twice3"].map(|job| (job, "duplicate"));
    assert_eq!(retries_of(&wanted).await, (vec![], 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_remains_a_duplicate_if_its_group_fails() {
    let wanted = [
        ("s/twice1", "duplicate"),
        ("t/refused", "refused"),
        ("u/ok1", "stored"),
    ];
    assert_eq!(retries_of(&wanted).await.0.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_being_written_is_finished_without_its_caller() {
    let mut fixture = Fixture::new(CONFIG);
    let mut calls = fixture.busy_alone().await;
    calls.shutdown().await;
    fixture.open_gate();
    fixture.assert_writes_next().await;
    assert_eq!(fixture.attempts(), [["s/first"], ["s/next"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_without_a_caller_is_not_tried_alone() {
    let mut fixture = Fixture::new(CONFIG);
    let first = fixture.busy_alone().await;
    let mut leaving = fixture.busy_behind(&["s/refused", "s/left"]).await;
    // The callers leave while their group is being written; the group then fails.
    fixture.step();
    until(|| fixture.attempts().len() == 2).await;
    leaving.shutdown().await;
    fixture.store_all(first).await;
    fixture.assert_writes_next().await;
    let attempts = fixture.attempts();
    assert_eq!(attempts[1], ["s/refused", "s/left"]);
    assert_eq!(attempts[2..], [["s/next"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_without_a_caller_is_not_done() {
    let mut fixture = Fixture::new(CONFIG);
    let calls = fixture.busy_alone().await;
    let (done, is_done) = oneshot::channel();
    let group = Arc::clone(&fixture.group);
    let alone = tokio::spawn(async move {
        let work = group.alone(move |_| {
            let _ = done.send(());
            Ok(())
        });
        work.await
    });
    fixture.until_waiting(1).await;
    alone.abort();
    assert!(alone.await.unwrap_err().is_cancelled());
    fixture.store_all(calls).await;
    fixture.assert_writes_next().await;
    assert!(is_done.await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_shards_end_immediately() {
    let Fixture {
        gate,
        group,
        attempts,
    } = Fixture::new(CONFIG);
    let shards = Arc::into_inner(group).unwrap();
    tokio::task::spawn_blocking(move || drop(shards))
        .await
        .unwrap();
    assert!(attempts.lock().unwrap().is_empty());
    // The writer, which owned the receiver, has been dropped.
    assert!(gate.unwrap().send(()).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_proves_that_writes_work() {
    let fixture = Fixture::open();
    fixture.write("s/ok").await.unwrap();
    let checked = fixture
        .group
        .check(|_, _| panic!("a probe is not needed"))
        .await;
    checked.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_write_needs_a_large_probe_and_a_duplicate_a_small_one() {
    for (job, wanted) in [
        ("s/gone", ProbeSize::Large),
        ("s/refused", ProbeSize::Large),
        ("s/twice", ProbeSize::Small),
    ] {
        let fixture = Fixture::open();
        fixture.write(job).await.unwrap_err();
        let (asked, size) = oneshot::channel();
        let checked = fixture.group.check(move |_, size| {
            asked.send(size).unwrap();
            ProbeResult::Written
        });
        checked.await.unwrap();
        assert_eq!(size.await.unwrap(), wanted, "{job}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_probe_is_the_answer_and_a_busy_database_is_not() {
    let fixture = Fixture::open();
    let error = || RepositoryError::Unavailable("as the test wants it".into());
    let group = &fixture.group;
    let busy = group.check(move |_, _| ProbeResult::Busy(error())).await;
    busy.unwrap();
    refusal(group.check(move |_, _| ProbeResult::Failed(error())).await);
}
