//! Share of background writes in the groups.

use std::time::Duration;

use pressline_store_kit::{GroupConfig, WriteLimits};

use crate::{CONFIG, Fixture, LIMITS, groups_of, is_background, jobs, with_limits};

/// Groups of 64, the service's default.
const LARGE: GroupConfig = with_limits(WriteLimits {
    group: 64,
    queue: 1024,
    queue_of_store: 1024,
    ..LIMITS
});

/// Names of jobs of store `s`: first `background` jobs for which no request waits, then `requests`
/// jobs.
fn queue(background: usize, requests: usize) -> Vec<String> {
    [jobs("s/background", background), jobs("s/ok", requests)].concat()
}

fn counts(group: &[String]) -> (usize, usize) {
    let background = group.iter().filter(|job| is_background(job)).count();
    (group.len() - background, background)
}

#[tokio::test(flavor = "multi_thread")]
async fn background_writes_have_at_most_a_quarter_of_a_group() {
    for (requests, background) in [(10, 300), (63, 40), (200, 200), (3, 9)] {
        // Starts at 1 for the job that kept the writer busy.
        let (mut written, mut since) = (1, 1);
        for group in groups_of(LARGE, &queue(background, requests)).await {
            let (ours, theirs) = counts(&group);
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
    let jobs = [jobs("s/ok", 40), jobs("s/background", 6)].concat();
    let groups = groups_of(CONFIG, &jobs).await;
    // Groups of eight: two background jobs follow 16 request jobs.
    let sizes: Vec<(usize, usize)> = groups.iter().map(|group| counts(group)).collect();
    assert_eq!(sizes[..4], [(8, 0), (8, 0), (0, 2), (8, 0)], "{sizes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_does_not_wait_for_the_background_writes_before_it() {
    let mut fixture = Fixture::new(CONFIG);
    let mut calls = fixture.busy(&jobs("s/background", 20)).await;
    fixture.hand_in(&mut calls, "s/ok");
    fixture.until_waiting(21).await;
    let attempts = fixture.store_all(calls).await;
    assert!(attempts[1].contains(&"s/ok".to_owned()), "{attempts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_background_queue_refuses_no_request() {
    let config = with_limits(WriteLimits {
        queue: 2,
        queue_of_store: 2,
        backlog: Duration::ZERO,
        ..LIMITS
    });
    groups_of(config, &queue(20, 2)).await;
}
