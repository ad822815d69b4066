//! Fair sharing of the queue between stores and other work.

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Weight, WriteLimits};

use crate::{CONFIG, Fixture, LIMITS, Outcome, assert_all_stored, until, with_limits};

#[tokio::test(flavor = "multi_thread")]
async fn stores_take_slots_even_if_one_has_many_jobs() {
    let many: Vec<String> = (0..20)
        .map(|number| format!("big/ok{number}/100"))
        .collect();
    let mut jobs: Vec<&str> = many.iter().map(String::as_str).collect();
    jobs.extend(["small/ok1", "small/ok2", "other/ok"]);
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(&jobs).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    // A large order is a group of its own, and the next large order waits for the small orders.
    assert_eq!(attempts[1], ["big/ok0/100"]);
    assert_eq!(attempts[2], ["small/ok1", "small/ok2", "other/ok"]);
    assert_eq!(attempts[3], ["big/ok1/100"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_order_waits_for_at_most_one_large_order() {
    let fixture = Fixture::new(CONFIG);
    let large = ["big/ok0/100", "big/ok1/100", "big/ok2/100"];
    let mut calls = fixture.busy(&large).await;
    fixture.gate.send(()).unwrap();
    until(|| fixture.attempts().len() == 2).await;
    // The first large order is being written, and two more wait.
    fixture.hand_in(&mut calls, "small/ok");
    until(|| fixture.group.metrics().waiting == 3).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap()[1..].to_vec();
    assert_eq!(attempts, [[large[0]], ["small/ok"], [large[1]], [large[2]]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_order_does_not_end_the_group_of_small_orders() {
    let fixture = Fixture::new(CONFIG);
    let jobs = ["s/ok1", "s/ok2/100", "s/ok3", "t/ok1/100", "u/ok1"];
    let calls = fixture.busy(&jobs).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap()[1..].to_vec();
    assert_eq!(attempts[0], ["s/ok1", "u/ok1"]);
    // Orders of the same store stay in their order.
    let place = |job: &str| {
        attempts
            .iter()
            .position(|group| group.contains(&job.to_owned()))
    };
    assert!(place("s/ok2/100") < place("s/ok3"), "{attempts:?}");
    assert_eq!(attempts.len(), 4, "{attempts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_take_slots_within_a_group() {
    let many: Vec<String> = (0..20).map(|number| format!("big/ok{number}/30")).collect();
    let mut jobs: Vec<&str> = many.iter().map(String::as_str).collect();
    jobs.extend(["small/ok1", "other/ok"]);
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(&jobs).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    // A slot ends after 100 items. After the slots of the other stores, the store gets another slot
    // until the group has 256 items or, as here, eight orders.
    let big = |range: std::ops::Range<usize>| many[range].iter().map(String::as_str);
    let first: Vec<&str> = big(0..6).chain(["small/ok1", "other/ok"]).collect();
    assert_eq!(attempts[1], first);
    assert_eq!(attempts[2], big(6..14).collect::<Vec<_>>());
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
        let fixture = Fixture::new(with_limits(WriteLimits {
            group_weight,
            ..LIMITS
        }));
        let calls = fixture
            .busy(&["s/ok1/2", "s/ok2", "s/ok3/50", "s/ok4"])
            .await;
        let Fixture { gate, attempts, .. } = fixture;
        drop(gate);
        assert_all_stored(calls).await;
        let groups = attempts.lock().unwrap()[1..].to_vec();
        assert_eq!(
            groups,
            [vec!["s/ok1/2", "s/ok2"], vec!["s/ok3/50"], vec!["s/ok4"]]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_store_cannot_fill_the_queue() {
    let fixture = Fixture::new(with_limits(WriteLimits {
        queue: 3,
        queue_of_store: 2,
        ..LIMITS
    }));
    let mut calls = fixture.busy(&["s/ok1", "s/ok2"]).await;
    let refused = fixture.group.write("s/ok3".into()).await;
    assert!(
        matches!(refused, Err(RepositoryError::Unavailable(_))),
        "{refused:?}"
    );
    fixture.hand_in(&mut calls, "t/ok");
    until(|| fixture.group.metrics().waiting == 3).await;
    let Fixture { gate, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_runs_between_groups() {
    let fixture = Fixture::new(CONFIG);
    let mut calls = fixture.busy(&["s/ok1"]).await;
    let group = Arc::clone(&fixture.group);
    let alone = tokio::spawn(async move {
        group
            .alone(|writer| Ok(writer.attempts.lock().unwrap().len()))
            .await
    });
    until(|| fixture.group.metrics().waiting == 2).await;
    fixture.hand_in(&mut calls, "s/ok2");
    until(|| fixture.group.metrics().waiting == 3).await;
    let Fixture {
        group,
        gate,
        attempts,
    } = fixture;
    drop(gate);
    assert_eq!(alone.await.unwrap().unwrap(), 2);
    assert_all_stored(calls).await;
    assert_eq!(
        *attempts.lock().unwrap(),
        [["s/first"], ["s/ok1"], ["s/ok2"]]
    );
    // A panic is returned as an error, and the writer continues. It may still be resetting when its
    // caller gets the error.
    let panicked: Outcome<()> = group.alone(|_| panic!("as the test wants it")).await;
    assert!(
        matches!(panicked, Err(RepositoryError::Refused(_))),
        "{panicked:?}"
    );
    assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    assert_eq!(attempts.lock().unwrap()[3..], [["reset"], ["s/next"]]);
}
