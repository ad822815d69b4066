//! Effects of a failed job, or of a caller that leaves, on the rest of the group and on the writer.

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{ProbeResult, ProbeSize};
use tokio::sync::oneshot;

use crate::{CONFIG, Fixture, assert_all_stored, expected, outcomes, until};

/// Writes `jobs` as a group and asserts the results `wanted`. Returns the attempts after the first,
/// and the number of jobs written alone.
async fn attempts_of(jobs: &[&str], wanted: &[(&str, &'static str)]) -> (Vec<Vec<String>>, u64) {
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(jobs).await;
    let Fixture {
        group,
        gate,
        attempts,
    } = fixture;
    drop(gate);
    let wanted = [wanted, &[("s/first", "stored")]].concat();
    assert_eq!(outcomes(calls).await, expected(&wanted));
    // The writer still works.
    assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    let mut attempts = attempts.lock().unwrap()[1..].to_vec();
    assert_eq!(attempts.pop(), Some(vec!["s/next".to_owned()]));
    (attempts, group.metrics().written_alone)
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_a_failed_group_are_retried_once_in_order() {
    let jobs = ["s/ok1", "t/refused", "u/ok1"];
    let wanted = [
        ("s/ok1", "stored"),
        ("t/refused", "refused"),
        ("u/ok1", "stored"),
    ];
    let (attempts, alone) = attempts_of(&jobs, &wanted).await;
    assert_eq!(attempts[0], jobs);
    assert_eq!(attempts[1..], [["s/ok1"], ["t/refused"], ["u/ok1"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_fails_alone_is_not_tried_again() {
    for (job, outcome) in [
        ("s/refused", "refused"),
        ("s/locked", "timeout"),
        ("s/gone", "unavailable"),
    ] {
        let (attempts, alone) = attempts_of(&[job], &[(job, outcome)]).await;
        assert_eq!((attempts, alone), (vec![vec![job.to_owned()]], 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_bad_jobs_do_not_affect_other_jobs() {
    let jobs = ["s/refused", "s/ok1", "t/refused", "t/ok1", "u/ok1"];
    let wanted = [
        ("s/refused", "refused"),
        ("s/ok1", "stored"),
        ("t/refused", "refused"),
        ("t/ok1", "stored"),
        ("u/ok1", "stored"),
    ];
    assert_eq!(attempts_of(&jobs, &wanted).await.1, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connection_is_closed_after_each_panic() {
    let wanted = [("s/panic", "refused"), ("s/ok1", "stored")];
    let (attempts, _) = attempts_of(&["s/panic", "s/ok1"], &wanted).await;
    let reset = vec!["reset".to_owned()];
    // Reset after the panic of the group, and after the panic of the job alone.
    assert_eq!(attempts[1], reset);
    assert_eq!(attempts[2..4], [vec!["s/panic".to_owned()], reset]);
    assert_eq!(attempts[4], ["s/ok1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_with_many_jobs_is_tried_once() {
    let jobs = ["s/locked", "s/locked2", "t/ok1", "s/ok1", "u/ok1"];
    let wanted = [
        ("s/locked", "timeout"),
        ("s/locked2", "timeout"),
        ("s/ok1", "timeout"),
        ("t/ok1", "stored"),
        ("u/ok1", "stored"),
    ];
    let (attempts, alone) = attempts_of(&jobs, &wanted).await;
    assert_eq!(attempts[1..], [["s/locked"], ["t/ok1"], ["u/ok1"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_locked_stores_are_tried_once_each() {
    let jobs = ["s/locked", "t/locked", "s/ok1", "t/ok1", "u/ok1"];
    let wanted = [
        ("s/locked", "timeout"),
        ("s/ok1", "timeout"),
        ("t/locked", "timeout"),
        ("t/ok1", "timeout"),
        ("u/ok1", "stored"),
    ];
    let (attempts, _) = attempts_of(&jobs, &wanted).await;
    assert_eq!(attempts[1..], [["s/locked"], ["t/locked"], ["u/ok1"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_group_is_not_tried_once_the_database_is_gone() {
    // The first job fails the group; then the jobs are tried alone, and the database is gone at the
    // third.
    let jobs = ["s/refused", "s/ok1", "t/gone", "t/ok1", "u/ok1"];
    let wanted = [
        ("s/refused", "refused"),
        ("s/ok1", "stored"),
        ("t/gone", "unavailable"),
        ("t/ok1", "unavailable"),
        ("u/ok1", "unavailable"),
    ];
    let (attempts, alone) = attempts_of(&jobs, &wanted).await;
    assert_eq!(attempts[1..], [["s/refused"], ["s/ok1"], ["t/gone"]]);
    assert_eq!(alone, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_never_fails_its_group() {
    let jobs = ["s/twice1", "s/ok1", "t/twice2", "t/ok1"];
    let wanted = [
        ("s/twice1", "duplicate"),
        ("s/ok1", "stored"),
        ("t/twice2", "duplicate"),
        ("t/ok1", "stored"),
    ];
    let (attempts, alone) = attempts_of(&jobs, &wanted).await;
    assert_eq!(
        (attempts, alone),
        (vec![jobs.map(str::to_owned).to_vec()], 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_of_duplicates_alone_is_tried_once() {
    let jobs = ["s/twice1", "s/twice2", "t/twice3"];
    let wanted = jobs.map(|job| (job, "duplicate"));
    let (attempts, alone) = attempts_of(&jobs, &wanted).await;
    assert_eq!((attempts.len(), alone), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_remains_a_duplicate_if_its_group_fails() {
    let jobs = ["s/twice1", "t/refused", "u/ok1"];
    let wanted = [
        ("s/twice1", "duplicate"),
        ("t/refused", "refused"),
        ("u/ok1", "stored"),
    ];
    assert_eq!(attempts_of(&jobs, &wanted).await.0.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_being_written_is_finished_without_its_caller() {
    let fixture = Fixture::new(CONFIG);
    let mut calls = fixture.busy(&[]).await;
    calls.shutdown().await;
    let Fixture {
        group,
        gate,
        attempts,
    } = fixture;
    drop(gate);
    assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    assert_eq!(*attempts.lock().unwrap(), [["s/first"], ["s/next"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_without_a_caller_is_not_tried_alone() {
    let fixture = Fixture::new(CONFIG);
    let first = fixture.busy(&[]).await;
    let mut leaving = fixture.busy_behind(&["s/refused", "s/left"]).await;
    // The callers leave while their group is being written; the group then fails.
    fixture.gate.send(()).unwrap();
    until(|| fixture.attempts().len() == 2).await;
    leaving.shutdown().await;
    let Fixture {
        group,
        gate,
        attempts,
    } = fixture;
    drop(gate);
    assert_all_stored(first).await;
    assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    let attempts = attempts.lock().unwrap().clone();
    assert_eq!(attempts[1], ["s/refused", "s/left"]);
    assert_eq!(attempts[2..], [["s/next"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_without_a_caller_is_not_done() {
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(&[]).await;
    let (done, is_done) = oneshot::channel();
    let group = Arc::clone(&fixture.group);
    let alone = tokio::spawn(async move {
        let work = group.alone(move |_| {
            let _ = done.send(());
            Ok(())
        });
        work.await
    });
    until(|| fixture.group.metrics().waiting == 1).await;
    alone.abort();
    assert!(alone.await.unwrap_err().is_cancelled());
    let Fixture { group, gate, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    assert!(is_done.await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_shards_end_immediately() {
    let Fixture {
        group,
        gate,
        attempts,
    } = Fixture::new(CONFIG);
    let shards = Arc::into_inner(group).unwrap();
    tokio::task::spawn_blocking(move || drop(shards))
        .await
        .unwrap();
    assert!(attempts.lock().unwrap().is_empty());
    // The writer, which owned the receiver, has been dropped.
    assert!(gate.send(()).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_proves_that_writes_work() {
    let Fixture { group, gate, .. } = Fixture::new(CONFIG);
    drop(gate);
    group.write("s/ok".into()).await.unwrap();
    let checked = group.check(|_, _| panic!("a probe is not needed")).await;
    checked.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_write_needs_a_large_probe_and_a_duplicate_a_small_one() {
    for (job, wanted) in [
        ("s/gone", ProbeSize::Large),
        ("s/refused", ProbeSize::Large),
        ("s/twice", ProbeSize::Small),
    ] {
        let Fixture { group, gate, .. } = Fixture::new(CONFIG);
        drop(gate);
        group.write(job.into()).await.unwrap_err();
        let (asked, size) = oneshot::channel();
        let checked = group.check(move |_, size| {
            asked.send(size).unwrap();
            ProbeResult::Written
        });
        checked.await.unwrap();
        assert_eq!(size.await.unwrap(), wanted, "{job}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_probe_is_the_answer_and_a_busy_database_is_not() {
    let Fixture { group, gate, .. } = Fixture::new(CONFIG);
    drop(gate);
    let error = || RepositoryError::Unavailable("as the test wants it".into());
    group
        .check(move |_, _| ProbeResult::Busy(error()))
        .await
        .unwrap();
    let failed = group.check(move |_, _| ProbeResult::Failed(error())).await;
    assert!(
        matches!(failed, Err(RepositoryError::Unavailable(_))),
        "{failed:?}"
    );
}
