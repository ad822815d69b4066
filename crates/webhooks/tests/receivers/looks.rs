//! How often the worker looks for subscriptions with news, and how many run together.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::{EndpointObserver, SubscriptionKey};
use pressline_domain::id::EndpointId;
use tokio::time::sleep;
use uuid::Uuid;

use crate::fake::Fake;
use crate::watched::Watched;
use crate::world::{World, until};

const URL: &str = "https://receiver.example/hooks";

#[tokio::test(start_paused = true)]
async fn the_worker_looks_once_a_second() {
    let world = World::new().await;
    let subscriptions = Arc::new(Watched::new(&world.webhooks));
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    worker.stop().await;
    assert_eq!(subscriptions.gaps(), [1000; 3]);
}

#[tokio::test(start_paused = true)]
async fn looking_takes_at_most_a_tenth_of_the_time() {
    let world = World::new().await;
    let mut subscriptions = Watched::new(&world.webhooks);
    subscriptions.look_takes = Duration::from_secs(2);
    let subscriptions = Arc::new(subscriptions);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_secs(50)).await;
    worker.stop().await;
    let gaps = subscriptions.gaps();
    assert!(gaps.len() >= 2, "{gaps:?}");
    assert!(
        gaps.iter().all(|gap| (22_000..22_010).contains(gap)),
        "{gaps:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_full_look_is_followed_by_the_next_one_soon() {
    let world = World::new().await;
    let mut subscriptions = Watched::new(&world.webhooks);
    // Of endpoints that do not exist: nothing is sent.
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
    assert_eq!(subscriptions.gaps(), [100; 4]);
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_database_is_asked_less_and_less_often() {
    let world = World::new().await;
    let subscriptions = Watched::away(&world.webhooks);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(91_500)).await;
    worker.stop().await;
    let seconds: Vec<u128> = subscriptions.gaps().iter().map(|gap| gap / 1000).collect();
    assert_eq!(seconds, [1, 2, 4, 8, 16, 30, 30]);
}

#[tokio::test(start_paused = true)]
async fn events_are_sent_when_the_database_is_back_and_looks_are_as_frequent_as_before() {
    let mut world = World::new().await;
    let id = world.add_url(URL).await;
    world.happen(2, 0).await;
    let subscriptions = Watched::away(&world.webhooks);
    let receiver = Fake::after(0);
    let worker = world.run_by_with(&receiver, subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    assert_eq!((subscriptions.looks(), receiver.count()), (3, 0));
    subscriptions.is_away.store(false, Ordering::SeqCst);
    sleep(Duration::from_secs(5)).await;
    worker.stop().await;
    assert_eq!((receiver.count(), world.lag(id).await.events), (2, 0));
    assert_eq!(subscriptions.gaps(), [1000, 2000, 4000, 1000]);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_an_endpoint_is_looked_for_without_delay() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let subscriptions = Arc::new(Watched::new(&world.webhooks));
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(500)).await;
    assert_eq!(subscriptions.looks(), 1);
    world.wake.changed(id);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(subscriptions.looks(), 2);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_of_an_endpoint_does_not_shorten_a_backoff() {
    let world = World::new().await;
    let id = world.add_url(URL).await;
    let subscriptions = Watched::away(&world.webhooks);
    let worker = world.run_by_with(&Fake::after(0), subscriptions.clone());
    sleep(Duration::from_millis(3500)).await;
    for _ in 0..10 {
        world.wake.changed(id);
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(subscriptions.looks(), 3);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_event_of_another_process_is_found_within_a_second() {
    let mut world = World::new().await;
    world.add_url(URL).await;
    let receiver = Fake::after(0);
    let worker = world.run_elsewhere(&receiver);
    // The subscription of the first event has given its lease back by then.
    world.happen(1, 0).await;
    sleep(Duration::from_millis(2500)).await;
    assert_eq!(receiver.count(), 1);
    world.happen(1, 0).await;
    sleep(Duration::from_millis(5)).await;
    assert_eq!(receiver.count(), 1);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.count(), 2);
    worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_subscriptions_make_at_most_four_calls_of_the_database_together() {
    let mut world = World::new().await;
    for number in 0..30 {
        world.add_url(&format!("{URL}/{number}")).await;
    }
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
async fn at_most_64_subscriptions_run_together_and_all_have_their_turn() {
    let mut world = World::new().await;
    for number in 0..100 {
        world.add_url(&format!("{URL}/{number}")).await;
    }
    world.happen(1, 0).await;
    let receiver = Fake::after(500);
    let worker = world.run_by(&receiver);
    until("sent", || async { receiver.count() == 100 }).await;
    worker.stop().await;
    assert_eq!(receiver.most_in_flight(), 64);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_sends_at_most_eight_events_together() {
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
async fn slow_receivers_do_not_delay_the_others() {
    let mut world = World::new().await;
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
        // A place for the subscription, and a look at the latest.
        sleep(Duration::from_millis(1200)).await;
        assert_eq!(served(false), before + 8);
    }
    worker.stop().await;
}
