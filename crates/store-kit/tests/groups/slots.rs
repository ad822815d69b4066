//! Fair sharing of the queue between stores and other work.

use std::fmt::Write;
use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Weight, WriteLimits};

use crate::{
    CONFIG, Fixture, LIMITS, Outcome, assert_all_stored, groups_of, jobs, refusal, until,
    with_limits, with_queues,
};

/// Names of 20 jobs of store `big`, each with `items` items.
fn big_orders(items: usize) -> Vec<String> {
    let mut jobs = jobs("big/ok", 20);
    for job in &mut jobs {
        write!(job, "/{items}").unwrap();
    }
    jobs
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_take_slots_even_if_one_has_many_jobs() {
    let many = big_orders(100);
    let mut jobs: Vec<&str> = many.iter().map(String::as_str).collect();
    jobs.extend(["small/ok1", "small/ok2", "other/ok"]);
    let groups = groups_of(CONFIG, &jobs).await;
    // A large order is a group of its own, and the next large order waits for the small orders.
    assert_eq!(groups[0], ["big/ok0/100"]);
    assert_eq!(groups[1], ["small/ok1", "small/ok2", "other/ok"]);
    assert_eq!(groups[2], ["big/ok1/100"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_order_waits_for_at_most_one_large_order() {
    let mut fixture = Fixture::new(CONFIG);
    let large = ["big/ok0/100", "big/ok1/100", "big/ok2/100"];
    let mut calls = fixture.busy(&large).await;
    fixture.step();
    until(|| fixture.attempts().len() == 2).await;
    // The first large order is being written, and two more wait.
    fixture.hand_in(&mut calls, "small/ok");
    fixture.until_waiting(3).await;
    let attempts = fixture.store_all(calls).await;
    assert_eq!(
        attempts[1..],
        [[large[0]], ["small/ok"], [large[1]], [large[2]]]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_order_does_not_end_the_group_of_small_orders() {
    let jobs = ["s/ok1", "s/ok2/100", "s/ok3", "t/ok1/100", "u/ok1"];
    let groups = groups_of(CONFIG, &jobs).await;
    assert_eq!(groups[0], ["s/ok1", "u/ok1"]);
    // Orders of the same store stay in their order.
    let place = |job: &str| {
        groups
            .iter()
            .position(|group| group.contains(&job.to_owned()))
    };
    assert!(place("s/ok2/100") < place("s/ok3"), "{groups:?}");
    assert_eq!(groups.len(), 4, "{groups:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_take_slots_within_a_group() {
    let many = big_orders(30);
    let mut jobs: Vec<&str> = many.iter().map(String::as_str).collect();
    jobs.extend(["small/ok1", "other/ok"]);
    let groups = groups_of(CONFIG, &jobs).await;
    // A slot ends after 100 items. After the slots of the other stores, the store gets another slot
    // until the group has 256 items or, as here, eight orders.
    let big = |range: std::ops::Range<usize>| many[range].iter().map(String::as_str);
    let first: Vec<&str> = big(0..6).chain(["small/ok1", "other/ok"]).collect();
    assert_eq!(groups[0], first);
    assert_eq!(groups[1], big(6..14).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_is_bounded_by_items_and_bytes_but_takes_any_single_job() {
    for group_weight in [
        Weight {
            items: 3,
            bytes: 1 << 20,
        },
        Weight {
            items: 1000,
            bytes: 3500,
        },
    ] {
        let config = with_limits(WriteLimits {
            group_weight,
            ..LIMITS
        });
        let groups = groups_of(config, &["s/ok1/2", "s/ok2", "s/ok3/50", "s/ok4"]).await;
        assert_eq!(
            groups,
            [vec!["s/ok1/2", "s/ok2"], vec!["s/ok3/50"], vec!["s/ok4"]]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_store_cannot_fill_the_queue() {
    let mut fixture = Fixture::new(with_queues(3, 2));
    let mut calls = fixture.busy(&["s/ok1", "s/ok2"]).await;
    refusal(fixture.write("s/ok3").await);
    fixture.hand_in(&mut calls, "t/ok");
    fixture.until_waiting(3).await;
    fixture.store_all(calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_runs_between_groups() {
    let mut fixture = Fixture::new(CONFIG);
    let mut calls = fixture.busy(&["s/ok1"]).await;
    let group = Arc::clone(&fixture.group);
    let alone = tokio::spawn(async move {
        group
            .alone(|writer| Ok(writer.attempts.lock().unwrap().len()))
            .await
    });
    fixture.until_waiting(2).await;
    fixture.hand_in(&mut calls, "s/ok2");
    fixture.until_waiting(3).await;
    fixture.open_gate();
    assert_eq!(alone.await.unwrap().unwrap(), 2);
    assert_all_stored(calls).await;
    assert_eq!(fixture.attempts(), [["s/first"], ["s/ok1"], ["s/ok2"]]);
    // A panic is returned as an error, and the writer continues. It may still be resetting when its
    // caller gets the error.
    let panicked: Outcome<()> = fixture
        .group
        .alone(|_| panic!("as the test wants it"))
        .await;
    assert!(
        matches!(panicked, Err(RepositoryError::Refused(_))),
        "{panicked:?}"
    );
    fixture.assert_writes_next().await;
    assert_eq!(fixture.attempts()[3..], [["reset"], ["s/next"]]);
}
