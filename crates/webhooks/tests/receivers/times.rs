//! Times at which events are sent, in simulated time.

use std::time::{Duration, UNIX_EPOCH};

use pressline_backoffice::webhook::{DeliveryError, Disabled, DisabledReason, EndpointDirectory};
use pressline_domain::runtime::Clock;
use tokio::time::{Instant, sleep};

use crate::fake::{Fake, asking, status};
use crate::world::{TIMEOUT, World, until};

const URL: &str = "https://receiver.example/hooks";
/// Poll interval of the worker.
const LOOK: Duration = Duration::from_secs(1);

fn is_between(time: Duration, least: Duration, limit: Duration) -> bool {
    // A due attempt may have to wait for a poll.
    (least..=limit + LOOK + Duration::from_millis(300)).contains(&time)
}

#[tokio::test(start_paused = true)]
async fn an_event_of_this_process_is_sent_without_delay() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    let receiver = Fake::after(0);
    let worker = world.run_by(&receiver);
    // A poll finds the first event; the others wake the worker.
    world.happen(1, 0).await;
    until("taken", || async { receiver.count() == 1 }).await;
    for count in 2..5 {
        sleep(Duration::from_millis(400)).await;
        world.happen(1, 0).await;
        // In simulated time, 5 ms only let the worker run.
        sleep(Duration::from_millis(5)).await;
        assert_eq!(receiver.count(), count);
    }
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_resent_event_is_sent_without_delay() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    let receiver = Fake::after(0);
    let worker = world.run_by(&receiver);
    world.happen(1, 0).await;
    until("taken", || async { world.lag(id).await.events == 0 }).await;
    for count in 2..5 {
        sleep(Duration::from_millis(400)).await;
        world.resend(id, 1).await;
        sleep(Duration::from_millis(5)).await;
        assert_eq!(receiver.count(), count);
    }
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_disabled_endpoint_soon_gets_no_more_requests() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 400).await;
    let receiver = Fake::after(20);
    let worker = world.run_by(&receiver);
    until("sending", || async { receiver.count() > 10 }).await;
    let mut record = world.endpoint(id).await;
    let expected = record.version;
    let at = record.endpoint.created_at;
    let reason = DisabledReason::Requested;
    record.state.disabled = Some(Disabled { reason, at });
    let replaced = world.webhooks.replace(&record, expected, None).await;
    replaced.unwrap();
    // The worker reads the endpoint again once a second.
    sleep(Duration::from_millis(1100)).await;
    let sent = receiver.count();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(receiver.count(), sent);
    assert!(world.lag(id).await.events > 0);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn deliveries_are_kept_for_thirty_days() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 0).await;
    let worker = world.run_by(&Fake::after(0));
    until("sent", || async { world.log(id).await.len() == 1 }).await;
    for (days, kept) in [(29, 1), (1, 0)] {
        world.clock.by_seconds(days * 24 * 3600);
        // The worker removes old deliveries once a minute.
        sleep(Duration::from_secs(61)).await;
        assert_eq!(world.log(id).await.len(), kept);
    }
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_hanging_receiver_times_out() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 0).await;
    let receiver = Fake::after(3_600_000);
    let worker = world.run_by(&receiver);
    until("given up", || async { world.log(id).await.len() == 1 }).await;
    worker.stop().await;
    let delivery = world.log(id).await.remove(0);
    assert_eq!(delivery.result.error, Some(DeliveryError::Timeout));
    let margin = Duration::from_secs(2);
    let took = Duration::from_millis(u64::from(delivery.duration_ms));
    assert!(
        took >= TIMEOUT + margin && took < TIMEOUT + margin * 2,
        "{took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_event_is_retried_on_schedule() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    world.happen(1, 0).await;
    let receiver = Fake::with(|| status(500));
    let worker = world.run_by(&receiver);
    sleep(Duration::from_secs(3600)).await;
    worker.stop().await;
    let gaps = receiver.gaps();
    // Retries are spread by up to 20 % around 5 s, 5 min and 30 min.
    for (gap, seconds) in gaps.iter().zip([5, 300, 1800]) {
        let usual = Duration::from_secs(seconds);
        assert!(is_between(*gap, usual * 4 / 5, usual * 6 / 5), "{gaps:?}");
    }
    assert_eq!(gaps.len(), 3, "{gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn a_busy_receiver_gets_the_pause_that_it_asks_for() {
    for code in [429, 503] {
        let mut world = World::new().await;
        let id = world.add_url(URL).await;
        world.happen(3, 0).await;
        let receiver = Fake::with(move || asking(code, "7"));
        let worker = world.run_by(&receiver);
        sleep(Duration::from_secs(10)).await;
        worker.stop().await;
        let taken = receiver.taken();
        let begin = taken[0].at;
        let later: Vec<Duration> = taken.iter().map(|taken| taken.at - begin).collect();
        let (first, again): (Vec<Duration>, Vec<Duration>) = later
            .iter()
            .partition(|time| **time < Duration::from_secs(1));
        assert!(!first.is_empty() && !again.is_empty(), "{later:?}");
        let asked = Duration::from_secs(7);
        assert!(
            again.iter().all(|time| is_between(*time, asked, asked)),
            "{later:?}"
        );
        assert_eq!(world.state(id).await.failures, 0, "a wish is not a failure");
    }
}

#[tokio::test(start_paused = true)]
async fn a_receiver_can_ask_for_a_pause_until_a_date() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    world.happen(1, 0).await;
    let clock = world.clock.clone();
    let receiver = Fake::with(move || {
        let millis = u64::try_from(clock.now().as_millis()).unwrap();
        let date = UNIX_EPOCH + Duration::from_millis(millis) + Duration::from_secs(30);
        asking(503, &httpdate::fmt_http_date(date))
    });
    let worker = world.run_by(&receiver);
    sleep(Duration::from_secs(40)).await;
    worker.stop().await;
    let gaps = receiver.gaps();
    // An HTTP date has whole seconds, so the pause may be up to 1 s shorter.
    let (least, limit) = (Duration::from_secs(29), Duration::from_secs(30));
    assert!(
        gaps.len() == 1 && is_between(gaps[0], least, limit),
        "{gaps:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn only_a_busy_receiver_can_ask_for_a_pause() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 0).await;
    let receiver = Fake::with(|| asking(500, "300"));
    let worker = world.run_by(&receiver);
    sleep(Duration::from_secs(10)).await;
    worker.stop().await;
    // The `retry-after` of a 500 is ignored: the retry follows after about 5 s.
    assert_eq!(receiver.count(), 2);
    let state = world.state(id).await;
    assert_eq!((state.failures, state.pause), (2, None));
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_returned_410_gets_no_more_requests() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(1, 0).await;
    let receiver = Fake::with(|| status(410));
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 1 }).await;
    world.happen(5, 0).await;
    sleep(Duration::from_secs(3600)).await;
    worker.stop().await;
    assert_eq!(receiver.count(), 1);
    let disabled = world.state(id).await.disabled.unwrap();
    assert_eq!(disabled.reason, DisabledReason::Gone);
}

#[tokio::test(start_paused = true)]
async fn five_consecutive_failures_pause_the_endpoint_and_a_probe_follows() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(40, 0).await;
    let receiver = Fake::with(|| status(500));
    let begin = Instant::now();
    let worker = world.run_by(&receiver);
    until("paused", || async { world.state(id).await.pause.is_some() }).await;
    let before = receiver.count();
    assert!(before <= 8 && begin.elapsed() < LOOK, "one batch: {before}");
    sleep(Duration::from_millis(6500)).await;
    assert_eq!(receiver.count(), before + 1, "one probe after 5 s");
    worker.stop().await;
}
