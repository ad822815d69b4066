//! How subscriptions run, stop and are taken over.

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
async fn a_receiver_that_was_dead_catches_up_without_a_message_for_each_event() {
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
    // Some probes later.
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
async fn a_crash_repeats_at_most_what_was_in_flight() {
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
        // Until the lease has ended, no other worker gets the subscription.
        world.clock.by_seconds(60);
    }
    let mut sequences = sorted(receiver.sequences());
    let sent = sequences.len();
    sequences.dedup();
    assert_eq!(sequences, (1..=60).collect::<Vec<u64>>());
    assert!(
        crashes > 2 && sent - 60 <= 8 * crashes,
        "{sent} sent, {crashes} crashes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stops_records_what_it_sends_and_gives_its_leases_back() {
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
async fn several_workers_send_nothing_twice() {
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
