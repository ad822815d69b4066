//! How deliveries of a subscription run, stop, and move to another worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::server::{Answer, Receiver, status};
use crate::world::{World, until};

fn slowly(millis: u64) -> Answer {
    let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    Answer::After(Duration::from_millis(millis), ok.to_vec())
}

fn sorted(mut sequences: Vec<u64>) -> Vec<u64> {
    sequences.sort_unstable();
    sequences
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revived_receiver_catches_up_without_a_message_per_event() {
    let works = Arc::new(AtomicBool::new(false));
    let is_working = works.clone();
    let receiver = Receiver::new(move |_| {
        status(if is_working.load(Ordering::SeqCst) {
            200
        } else {
            503
        })
    })
    .await;
    let mut world = World::new().await;
    let id = world.add(&receiver).await;
    let worker = world.run(&[receiver.port]);
    world.happen(300, 1).await;
    until("paused", || async { world.state(id).await.pause.is_some() }).await;
    // Wait for four failed probes.
    for _ in 0..4 {
        let probes = world.log(id).await.len();
        world.clock.by_seconds(900);
        until("probed", || async { world.log(id).await.len() > probes }).await;
    }
    assert!(world.open_messages(id).await <= 4);
    works.store(true, Ordering::SeqCst);
    world.clock.by_seconds(900);
    until("caught up", || async { world.lag(id).await.events == 0 }).await;
    worker.stop().await;
    let all: Vec<u64> = (1..=600).collect();
    assert_eq!(sorted(receiver.sequences()), all, "each once");
    assert_eq!(world.state(id).await.failing_since, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_repeats_only_events_in_flight() {
    let mut world = World::new().await;
    let receiver = Receiver::new(|_| slowly(50)).await;
    let id = world.add(&receiver).await;
    world.happen(60, 0).await;
    let mut crashes = 0;
    while world.lag(id).await.events > 0 {
        let worker = world.run(&[receiver.port]);
        let before = receiver.taken().len();
        until("sending", || async {
            receiver.taken().len() > before + 10 || world.lag(id).await.events == 0
        })
        .await;
        worker.crash().await;
        crashes += 1;
        // No other worker can take over before the lease has expired.
        world.clock.by_seconds(60);
    }
    let mut sequences = sorted(receiver.sequences());
    let sent = sequences.len();
    sequences.dedup();
    assert_eq!(sequences, (1..=60).collect::<Vec<u64>>());
    // Each crash repeats at most the eight requests in flight.
    assert!(
        crashes > 2 && sent - 60 <= 8 * crashes,
        "{sent} sent, {crashes} crashes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_worker_records_deliveries_and_releases_its_leases() {
    let mut world = World::new().await;
    let receiver = Receiver::new(|_| slowly(200)).await;
    let id = world.add(&receiver).await;
    world.happen(30, 0).await;
    for _ in 0..2 {
        let worker = world.run(&[receiver.port]);
        let before = receiver.taken().len();
        until("sending", || async { receiver.taken().len() > before }).await;
        worker.stop().await;
    }
    let worker = world.run(&[receiver.port]);
    until("caught up", || async { world.lag(id).await.events == 0 }).await;
    worker.stop().await;
    assert_eq!(
        sorted(receiver.sequences()),
        (1..=30).collect::<Vec<u64>>(),
        "each once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn several_workers_send_each_event_once() {
    let mut world = World::new().await;
    let receiver = Receiver::new(|_| slowly(5)).await;
    let ids = [world.add(&receiver).await, world.add(&receiver).await];
    let workers = [(); 3].map(|()| world.run(&[receiver.port]));
    world.happen(100, 1).await;
    for id in ids {
        until("caught up", || async { world.lag(id).await.events == 0 }).await;
    }
    for worker in workers {
        worker.stop().await;
    }
    let twice = (1..=200).flat_map(|sequence| [sequence, sequence]);
    assert_eq!(
        sorted(receiver.sequences()),
        twice.collect::<Vec<u64>>(),
        "once for each endpoint"
    );
}
