//! Share of background writes in the groups.

use std::time::Duration;

use pressline_store_kit::{GroupConfig, WriteLimits};

use crate::{CONFIG, Fixture, LIMITS, assert_all_stored, is_background, until, with_limits};

/// Groups of 64, the service's default.
const LARGE: GroupConfig = with_limits(WriteLimits {
    group: 64,
    queue: 1024,
    queue_of_store: 1024,
    ..LIMITS
});

/// Names of `count` jobs of store `s`, each with the prefix `name`.
fn jobs(name: &str, count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("s/{name}{number}"))
        .collect()
}

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
        // Starts at 1 for the job that kept the writer busy.
        let (mut written, mut since) = (1, 1);
        for group in &attempts[1..] {
            let (ours, theirs) = counts(group);
            assert!(ours == 0 || theirs == 0, "{ours} and {theirs}");
            assert!(theirs <= LARGE.limits.group / 4, "{theirs}");
            // While requests wait, eight request jobs must precede each background job.
            let requests_wait = written <= requests;
            assert!(
                theirs == 0 || !requests_wait || since >= 8 * theirs,
                "{since}"
            );
            written += ours;
            since = if theirs > 0 { 0 } else { since + ours };
        }
        assert_eq!(written, requests + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn background_writes_continue_under_full_load() {
    let fixture = Fixture::new(CONFIG);
    let all = [jobs("ok", 40), jobs("background", 6)].concat();
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let calls = fixture.busy(&names).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    // Groups of eight: two background jobs follow 16 request jobs.
    let sizes: Vec<(usize, usize)> = attempts.iter().map(|group| counts(group)).collect();
    assert_eq!(
        sizes[..5],
        [(1, 0), (8, 0), (8, 0), (0, 2), (8, 0)],
        "{sizes:?}"
    );
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
async fn a_full_background_queue_refuses_no_request() {
    let fixture = Fixture::new(with_limits(WriteLimits {
        queue: 2,
        queue_of_store: 2,
        backlog: Duration::ZERO,
        ..LIMITS
    }));
    let all = [jobs("background", 20), jobs("ok", 2)].concat();
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let calls = fixture.busy(&names).await;
    let Fixture { gate, .. } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
}
