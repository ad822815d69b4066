//! How much of the groups what no request waits for has.

use std::time::Duration;

use pressline_store_kit::GroupConfig;

use crate::{CONFIG, Fixture, assert_all_stored, is_background, until};

/// Groups of 64, as of the service.
const LARGE: GroupConfig = GroupConfig {
    group: 64,
    queue: 1024,
    queue_of_store: 1024,
    ..CONFIG
};

/// So many jobs of a store, whose names begin with this.
fn jobs(name: &str, count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("s/{name}{number}"))
        .collect()
}

/// Numbers of the jobs of a group: of requests, and in the background.
fn counts(group: &[String]) -> (usize, usize) {
    let background = group.iter().filter(|job| is_background(job)).count();
    (group.len() - background, background)
}

#[tokio::test(flavor = "multi_thread")]
async fn background_writes_have_at_most_a_quarter_of_a_group() {
    for (requests, background) in [(10, 300), (63, 40), (200, 200), (3, 9)] {
        let fixture = Fixture::new(LARGE);
        let all = [jobs("background", background), jobs("ok", requests)].concat();
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        let calls = fixture.busy(&names).await;
        let Fixture { gate, attempts, .. } = fixture;
        drop(gate);
        assert_all_stored(calls).await;
        let attempts = attempts.lock().unwrap().clone();
        let (mut of_requests, mut joined) = (0, 0);
        for group in &attempts[1..] {
            let (ours, theirs) = counts(group);
            assert!(group.len() <= LARGE.group, "{}", group.len());
            assert!(theirs <= LARGE.group / 4, "{ours} and {theirs}");
            if ours > 0 {
                assert!(theirs <= (ours / 3).max(1), "{ours} and {theirs}");
                (of_requests, joined) = (of_requests + ours, joined + theirs);
            }
        }
        // Those of requests go first, and each background write among them comes with eight of these.
        assert_eq!(of_requests, requests);
        assert!(joined * 8 <= requests, "{joined} with {requests}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn background_writes_go_on_while_requests_keep_a_lane_full() {
    let fixture = Fixture::new(CONFIG);
    let all = [jobs("ok", 40), jobs("background", 6)].concat();
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let calls = fixture.busy(&names).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    let full = attempts[1..]
        .iter()
        .filter(|group| group.len() == CONFIG.group);
    let mut shares = full.map(|group| counts(group).1);
    assert!(shares.all(|background| background > 0), "{attempts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_does_not_wait_for_the_background_writes_before_it() {
    let fixture = Fixture::new(CONFIG);
    let background = jobs("background", 20);
    let names: Vec<&str> = background.iter().map(String::as_str).collect();
    let mut calls = fixture.busy(&names).await;
    fixture.hand_in(&mut calls, "s/ok");
    until(|| fixture.group.metrics().waiting == 21).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    assert!(attempts[1].contains(&"s/ok".to_owned()), "{attempts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_background_refuses_no_request() {
    let fixture = Fixture::new(GroupConfig {
        queue: 2,
        queue_of_store: 2,
        backlog: Duration::ZERO,
        ..CONFIG
    });
    let all = [jobs("background", 20), jobs("ok", 2)].concat();
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let calls = fixture.busy(&names).await;
    let Fixture { gate, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
}
