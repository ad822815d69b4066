//! How often the worker polls for subscriptions with pending events, and how many deliver
//! concurrently.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::{EndpointObserver, SubscriptionKey};
use pressline_domain::value::EndpointId;
use tokio::time::sleep;
use uuid::Uuid;

use crate::fake::Fake;
use crate::watched::Watched;
use crate::world::{World, until};

const URL: &str = "https://receiver.example/hooks";

#[tokio::test(start_paused = true)]
async fn the_worker_polls_once_a_second() {
    let world = World::new().await;
    let subscriptions = Arc::new(Watched::new(&world.webhooks));
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    worker.stop().await;
    // Polls at 0, 1, 2 and 3 s.
    assert_eq!(subscriptions.gaps(), [1000; 3]);
}

#[tokio::test(start_paused = true)]
async fn polling_takes_at_most_a_tenth_of_the_time() {
    let world = World::new().await;
    let mut subscriptions = Watched::new(&world.webhooks);
    subscriptions.look_takes = Duration::from_secs(2);
    let subscriptions = Arc::new(subscriptions);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_secs(50)).await;
    worker.stop().await;
    let gaps = subscriptions.gaps();
    assert!(gaps.len() >= 2, "{gaps:?}");
    // A poll of 2 s is followed by a pause of 20 s: 22 s from start to start.
    assert!(
        gaps.iter().all(|gap| (22_000..22_010).contains(gap)),
        "{gaps:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_full_poll_is_soon_followed_by_another() {
    let world = World::new().await;
    let mut subscriptions = Watched::new(&world.webhooks);
    // These endpoints do not exist, so nothing is sent to them.
    subscriptions.also_found = (0..256)
        .map(|number| SubscriptionKey {
            store: world.store.id,
            endpoint: EndpointId::new(Uuid::from_u128(number)),
        })
        .collect();
    let subscriptions = Arc::new(subscriptions);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(450)).await;
    worker.stop().await;
    // A poll that reaches its limit of 256 subscriptions is repeated after 100 ms.
    assert_eq!(subscriptions.gaps(), [100; 4]);
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_database_is_polled_with_backoff() {
    let world = World::new().await;
    let subscriptions = Watched::away(&world.webhooks);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(91_500)).await;
    worker.stop().await;
    let seconds: Vec<u128> = subscriptions.gaps().iter().map(|gap| gap / 1000).collect();
    // The pause doubles with each failure, up to 30 s.
    assert_eq!(seconds, [1, 2, 4, 8, 16, 30, 30]);
}

#[tokio::test(start_paused = true)]
async fn normal_polling_resumes_when_the_database_is_back() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(2, 0).await;
    let subscriptions = Watched::away(&world.webhooks);
    let receiver = Fake::after(0);
    let worker = world.run_by_with(&receiver, subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    // Failed polls at 0, 1 and 3 s.
    assert_eq!((subscriptions.looks(), receiver.count()), (3, 0));
    subscriptions.is_away.store(false, Ordering::SeqCst);
    sleep(Duration::from_secs(5)).await;
    worker.stop().await;
    assert_eq!((receiver.count(), world.lag(id).await.events), (2, 0));
    // The first successful poll resets the backoff.
    assert_eq!(subscriptions.gaps(), [1000, 2000, 4000, 1000]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_while_the_time_is_in_doubt() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.permitted.store(false, Ordering::SeqCst);
    let receiver = Fake::after(0);
    let worker = world.run_by_with(&receiver, Arc::new(world.webhooks.clone()));
    world.happen(3, 1).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!((receiver.count(), world.lag(id).await.events), (0, 6));
    world.permitted.store(true, Ordering::SeqCst);
    sleep(Duration::from_secs(5)).await;
    worker.stop().await;
    assert_eq!((receiver.count(), world.lag(id).await.events), (6, 0));
}

#[tokio::test(start_paused = true)]
async fn a_changed_endpoint_is_polled_without_delay() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let subscriptions = Arc::new(Watched::new(&world.webhooks));
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(500)).await;
    assert_eq!(subscriptions.looks(), 1);
    world.wake.changed(id);
    // In simulated time, 1 ms only lets the worker run.
    sleep(Duration::from_millis(1)).await;
    assert_eq!(subscriptions.looks(), 2);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_changed_endpoint_does_not_shorten_a_backoff() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let subscriptions = Watched::away(&world.webhooks);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    for _ in 0..10 {
        world.wake.changed(id);
        sleep(Duration::from_millis(10)).await;
    }
    // The fourth poll is due at 7 s.
    assert_eq!(subscriptions.looks(), 3);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_event_of_another_process_is_found_within_a_second() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    let receiver = Fake::after(0);
    let worker = world.run_elsewhere(&receiver);
    // By then the worker has released the lease of the first event's subscription.
    world.happen(1, 0).await;
    sleep(Duration::from_millis(2500)).await;
    assert_eq!(receiver.count(), 1);
    world.happen(1, 0).await;
    // No wake-up comes from another process, so the event waits for the next poll.
    sleep(Duration::from_millis(5)).await;
    assert_eq!(receiver.count(), 1);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.count(), 2);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn subscriptions_make_at_most_four_concurrent_database_calls() {
    let mut world = World::new().await;
    for number in 0..30 {
        world.add_url(&format!("{URL}/{number}")).await;
    }
    // Two orders, each created and changed: four events for each of the 30 endpoints.
    world.happen(2, 1).await;
    let mut subscriptions = Watched::new(&world.webhooks);
    subscriptions.call_takes = Duration::from_millis(5);
    let subscriptions = Arc::new(subscriptions);
    let receiver = Fake::after(1);
    let worker = world.run_by_with(&receiver, subscriptions.clone());
    until("sent", || async { receiver.count() == 30 * 4 }).await;
    worker.stop().await;
    assert_eq!(subscriptions.most_calls(), 4);
}

#[tokio::test(start_paused = true)]
async fn at_most_64_subscriptions_run_concurrently_and_all_are_served() {
    let mut world = World::new().await;
    for number in 0..100 {
        world.add_url(&format!("{URL}/{number}")).await;
    }
    world.happen(1, 0).await;
    // Responses are so slow that all free slots fill up.
    let receiver = Fake::after(500);
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 100 }).await;
    worker.stop().await;
    assert_eq!(receiver.most_in_flight(), 64);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_sends_at_most_eight_events_concurrently() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    world.happen(30, 0).await;
    let receiver = Fake::after(100);
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 30 }).await;
    worker.stop().await;
    assert_eq!(receiver.most_in_flight(), 8);
}

#[tokio::test(start_paused = true)]
async fn the_events_of_an_order_are_sent_one_after_the_other() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    world.happen(1, 9).await;
    let receiver = Fake::after(100);
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 10 }).await;
    worker.stop().await;
    assert_eq!(receiver.most_in_flight(), 1);
    assert_eq!(receiver.sequences(), (1..=10).collect::<Vec<u64>>());
}

#[tokio::test(start_paused = true)]
async fn slow_receivers_do_not_delay_other_receivers() {
    let mut world = World::new().await;
    // 80 slow endpoints: more than the 64 slots.
    for number in 0..80 {
        world.add_url(&format!("{URL}/slow/{number}")).await;
    }
    world.add_url(URL).await;
    let receiver = Fake::new(|taken| {
        let millis = if taken.url == URL { 0 } else { 1100 };
        (Duration::from_millis(millis), crate::fake::status(200))
    });
    let served = |is_slow| {
        let taken = receiver.taken();
        taken
            .iter()
            .filter(|taken| (taken.url != URL) == is_slow)
            .count()
    };
    let worker = world.run_by(&receiver);
    world.happen(4, 1).await;
    until("served once", || async { served(true) >= 320 }).await;
    for _ in 0..3 {
        let before = served(false);
        world.happen(8, 0).await;
        // Long enough for a free slot and the next poll.
        sleep(Duration::from_millis(1200)).await;
        assert_eq!(served(false), before + 8);
    }
    worker.stop().await;
}
