//! Shutdown of a worker, in simulated time.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::fake::Fake;
use crate::world::{World, until};

const URL: &str = "https://receiver.example/hooks";

/// A world with `events` events, where a response may take up to a minute.
async fn world(events: usize) -> World {
    let mut world = World::new().await;
    world.settings.timeout = Duration::from_secs(60);
    world.add_url(URL).await;
    world.happen(events, 0).await;
    world
}

async fn events_left(world: &World) -> u64 {
    let endpoint = world.only_endpoint().await;
    world.lag(endpoint).await.events
}

#[tokio::test(start_paused = true)]
async fn a_stopping_worker_finishes_its_requests_and_sends_no_more() {
    let world = world(30).await;
    let receiver = Fake::after(3000);
    let worker = world.run_by(&receiver);
    // Eight events are sent concurrently; the other 22 wait.
    until("sending", || async { receiver.count() == 8 }).await;
    let begin = Instant::now();
    worker.stop().await;
    assert!(
        begin.elapsed() <= Duration::from_secs(3),
        "{:?}",
        begin.elapsed()
    );
    assert_eq!((receiver.count(), events_left(&world).await), (8, 22));
}

#[tokio::test(start_paused = true)]
async fn an_abandoned_request_is_sent_again_by_another_worker() {
    let world = world(1).await;
    let slow = Fake::after(50_000);
    let worker = world.run_by(&slow);
    until("sending", || async { slow.count() == 1 }).await;
    let begin = Instant::now();
    worker.stop().await;
    let stopped = begin.elapsed();
    assert!(stopped >= world.settings.stop_within, "{stopped:?}");
    assert!(
        stopped < world.settings.stop_within + Duration::from_secs(1),
        "{stopped:?}"
    );
    assert_eq!(events_left(&world).await, 1);
    let quick = Fake::after(0);
    let worker = world.run_by(&quick);
    // The first worker's lease lasts 15 s longer than the request timeout.
    sleep(Duration::from_secs(60)).await;
    assert_eq!(quick.count(), 0);
    sleep(Duration::from_secs(20)).await;
    assert_eq!((quick.count(), events_left(&world).await), (1, 0));
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_stops_without_delay() {
    let world = world(0).await;
    let worker = world.run_by(&Fake::after(0));
    sleep(Duration::from_secs(5)).await;
    let begin = Instant::now();
    worker.stop().await;
    assert!(begin.elapsed() < Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn a_waiting_subscription_releases_its_lease_when_the_worker_stops() {
    let world = world(1).await;
    let first = Fake::after(0);
    let worker = world.run_by(&first);
    until("sent", || async { events_left(&world).await == 0 }).await;
    worker.stop().await;
    let mut world = world;
    world.happen(1, 0).await;
    let second = Fake::after(0);
    let worker = world.run_by(&second);
    // A lease that was not released would block the second worker for more than a minute.
    sleep(Duration::from_millis(20)).await;
    assert_eq!(second.count(), 1);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_stopped_worker_sends_no_more_requests() {
    let mut world = world(1).await;
    let receiver = Fake::after(0);
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 1 }).await;
    worker.stop().await;
    world.happen(3, 0).await;
    sleep(Duration::from_secs(600)).await;
    assert_eq!(receiver.count(), 1);
}
