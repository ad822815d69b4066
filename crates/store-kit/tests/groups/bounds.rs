//! Limits on a group by number and weight of its jobs, and on the queue.

use std::time::{Duration, Instant};

use pressline_store_kit::{GroupConfig, Weight, WriteLimits, WriteShards};

use crate::{
    CONFIG, Fixture, LIMITS, Scripted, groups_of, jobs, refusal, with_backlog, with_limits,
    with_queues,
};

fn items(items: usize) -> Weight {
    Weight {
        items,
        bytes: usize::MAX,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_to_an_idle_shard_is_immediate() {
    let fixture = Fixture::open();
    for job in ["s/ok1", "s/ok2"] {
        assert_eq!(fixture.write(job).await.unwrap(), job);
    }
    assert_eq!(fixture.attempts(), [["s/ok1"], ["s/ok2"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_keeps_arrival_order() {
    let jobs = ["b/ok1", "a/ok1", "b/ok2", "c/ok1", "a/ok2"];
    assert_eq!(groups_of(CONFIG, &jobs).await, [jobs]);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_jobs_are_written_together_up_to_the_limit() {
    let mut fixture = Fixture::new(CONFIG);
    let jobs = jobs("s/ok", 11);
    let calls = fixture.busy(&jobs).await;
    let attempts = fixture.store_all(calls).await;
    assert_eq!(attempts[1..], [&jobs[..8], &jobs[8..]]);
    let metrics = fixture.group.metrics();
    assert_eq!((metrics.groups, metrics.written), (3, 12));
    assert_eq!((metrics.waiting, metrics.written_alone), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_group_leaves_the_rest_for_the_next_group() {
    let jobs = jobs("s/ok", 9);
    assert_eq!(groups_of(CONFIG, &jobs[..8]).await, [&jobs[..8]]);
    assert_eq!(groups_of(CONFIG, &jobs).await, [&jobs[..8], &jobs[8..]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_size_of_one_writes_every_job_alone() {
    let config = with_limits(WriteLimits { group: 1, ..LIMITS });
    let jobs = ["s/ok1", "t/ok1", "s/ok2"];
    let groups = groups_of(config, &jobs).await;
    assert!(groups.iter().all(|group| group.len() == 1), "{groups:?}");
    assert_eq!(groups.concat(), ["s/ok1", "t/ok1", "s/ok2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_takes_jobs_up_to_its_weight_exactly() {
    let config = with_limits(WriteLimits {
        group_weight: items(5),
        ..LIMITS
    });
    let groups = groups_of(config, &["s/ok1/2", "s/ok2/3", "s/ok3/1"]).await;
    assert_eq!(groups, [vec!["s/ok1/2", "s/ok2/3"], vec!["s/ok3/1"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_above_the_shared_weight_has_its_own_group() {
    let config = GroupConfig {
        shared_weight: items(3),
        ..CONFIG
    };
    let shared = ["s/ok1/3", "t/ok1/1"];
    assert_eq!(groups_of(config, &shared).await, [shared]);
    let groups = groups_of(config, &["s/ok1/4", "t/ok1/1"]).await;
    assert_eq!(groups, [["s/ok1/4"], ["t/ok1/1"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_write_may_wait_despite_zero_limits() {
    for config in [
        with_queues(0, LIMITS.queue_of_store),
        with_queues(LIMITS.queue, 0),
    ] {
        let mut fixture = Fixture::new(config);
        let calls = fixture.busy(&["s/ok1"]).await;
        refusal(fixture.write("s/ok2").await);
        fixture.store_all(calls).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_names_the_limit() {
    let mut fixture = Fixture::new(with_queues(3, 2));
    let mut calls = fixture.busy(&["s/ok1", "s/ok2"]).await;
    let of_store = refusal(fixture.write("s/ok3").await);
    assert_eq!(of_store, "too many writes of this store are waiting");
    fixture.hand_in(&mut calls, "t/ok1");
    fixture.until_waiting(3).await;
    let of_all = refusal(fixture.write("u/ok1").await);
    assert_eq!(of_all, "too many writes are waiting");
    fixture.store_all(calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn check_room_refuses_exactly_like_a_write() {
    let mut fixture = Fixture::new(with_queues(LIMITS.queue, 1));
    let calls = fixture.busy(&["s/ok1"]).await;
    let write = refusal(fixture.write("s/ok2").await);
    assert_eq!(refusal(fixture.group.check_room("s".to_owned())), write);
    fixture.group.check_room("t".to_owned()).unwrap();
    assert_eq!(fixture.group.metrics().refused, 2);
    fixture.store_all(calls).await;
    fixture.group.check_room("s".to_owned()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overloaded_shard_lets_exactly_two_groups_wait() {
    let mut fixture = Fixture::new(with_backlog(2, Duration::ZERO));
    let calls = fixture.busy(&["s/ok1", "s/ok2", "s/ok3", "s/ok4"]).await;
    let refused = refusal(fixture.write("t/ok1").await);
    assert_eq!(refused, "writes arrive faster than they are written");
    fixture.store_all(calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recently_empty_shard_is_not_overloaded() {
    let mut fixture = Fixture::new(with_backlog(1, Duration::from_secs(1000)));
    let calls = fixture.busy(&jobs("s/ok", 20)).await;
    fixture.store_all(calls).await;
    assert_eq!(fixture.group.metrics().refused, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_counts_for_the_queue_but_for_no_store() {
    let mut fixture = Fixture::new(with_queues(2, 1));
    let calls = fixture.busy(&["s/ok1"]).await;
    let group = std::sync::Arc::clone(&fixture.group);
    let alone = tokio::spawn(async move { group.alone(|_| Ok(())).await });
    fixture.until_waiting(2).await;
    let refused = refusal(fixture.write("t/ok1").await);
    assert_eq!(refused, "too many writes are waiting");
    fixture.store_all(calls).await;
    alone.await.unwrap().unwrap();
}

#[tokio::test]
async fn shards_without_a_writer_refuse_everything() {
    let shards: WriteShards<Scripted> = WriteShards::start(CONFIG, []).unwrap();
    let begun = Instant::now();
    let why = "no thread writes any more";
    assert_eq!(refusal(shards.write("s/ok".into()).await), why);
    assert_eq!(refusal(shards.alone(|_| Ok(())).await), why);
    assert_eq!(refusal(shards.check_room("s".to_owned())), why);
    assert_eq!(shards.metrics().refused, 3);
    assert!(begun.elapsed() < CONFIG.wait);
}
