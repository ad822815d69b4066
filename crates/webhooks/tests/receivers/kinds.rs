//! One worker delivers to sixteen kinds of receivers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pressline_backoffice::webhook::{DeliveryError, DisabledReason};
use pressline_domain::value::EndpointId;

use crate::server::{Answer, Received, Receiver, status, with_headers};
use crate::world::{World, until};

enum Expected {
    /// Gets all events, each once.
    All,
    /// The endpoint pauses after attempts with this error.
    Pauses(DeliveryError),
    /// The endpoint pauses as long as the receiver's `retry-after` says, and no messages are
    /// stored.
    Busy,
    /// The endpoint is disabled.
    Gone,
    /// Gets all events, some after a retry.
    Retried,
    /// Gets all events except the events of a single order.
    AllButOneOrder,
}

struct Kind {
    name: &'static str,
    receiver: Receiver,
    expected: Expected,
    endpoint: Option<EndpointId>,
}

fn kind(name: &'static str, receiver: Receiver, expected: Expected) -> Kind {
    Kind {
        name,
        receiver,
        expected,
        endpoint: None,
    }
}

fn raw(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// Receivers that accept every event, in different ways.
async fn that_take_everything() -> Vec<Kind> {
    let after = |millis| {
        move |_: &Received| {
            let bytes = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
            Answer::After(Duration::from_millis(millis), bytes)
        }
    };
    let cut = |_: &Received| Answer::Close(raw(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx"));
    let endless = |_: &Received| Answer::Endless(raw(b"HTTP/1.1 200 OK\r\n\r\n"));
    let busy_at_first = |request: &Received| match request.number {
        1..=3 => with_headers(429, "retry-after: 1\r\n"),
        _ => status(200),
    };
    vec![
        kind(
            "healthy",
            Receiver::new(|_| status(204)).await,
            Expected::All,
        ),
        kind("slow", Receiver::new(after(100)).await, Expected::All),
        kind(
            "just in time",
            Receiver::new(after(1200)).await,
            Expected::All,
        ),
        kind("closes early", Receiver::new(cut).await, Expected::All),
        kind("endless body", Receiver::new(endless).await, Expected::All),
        kind("429", Receiver::new(busy_at_first).await, Expected::All),
        kind("IPv6 only", Receiver::on_ipv6().await, Expected::All),
    ]
}

/// Receivers that reject every event, in different ways. `canary` must get no request.
async fn that_take_nothing(canary: &Receiver) -> Vec<Kind> {
    let pauses = Expected::Pauses;
    let location = format!("location: {}\r\n", canary.url);
    let huge = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(200_000)).into_bytes();
    let redirects = Receiver::new(move |_| with_headers(302, &location)).await;
    let huge_headers = Receiver::new(move |_| Answer::After(Duration::ZERO, huge.clone())).await;
    let busy = Receiver::new(|_| with_headers(503, "retry-after: 3600\r\n")).await;
    let wrong = Receiver::with_wrong_certificate().await;
    vec![
        kind(
            "500s",
            Receiver::new(|_| status(500)).await,
            pauses(DeliveryError::Status),
        ),
        kind("redirects", redirects, pauses(DeliveryError::Status)),
        kind(
            "dead",
            Receiver::dead().await,
            pauses(DeliveryError::Connect),
        ),
        kind("wrong certificate", wrong, pauses(DeliveryError::Tls)),
        kind(
            "resets",
            Receiver::new(|_| Answer::Reset).await,
            pauses(DeliveryError::Closed),
        ),
        kind(
            "huge headers",
            huge_headers,
            pauses(DeliveryError::InvalidResponse),
        ),
        kind("410", Receiver::new(|_| status(410)).await, Expected::Gone),
        kind("503", busy, Expected::Busy),
    ]
}

async fn that_take_some(failing: &Arc<Mutex<String>>) -> Vec<Kind> {
    let every_tenth = |request: &Received| {
        status(if request.number.is_multiple_of(10) {
            500
        } else {
            200
        })
    };
    let failing = failing.clone();
    let one_order = move |request: &Received| {
        let is_failing = request.is_of(&failing.lock().unwrap());
        status(if is_failing { 500 } else { 200 })
    };
    vec![
        kind(
            "every tenth fails",
            Receiver::new(every_tenth).await,
            Expected::Retried,
        ),
        kind(
            "one order fails",
            Receiver::new(one_order).await,
            Expected::AllButOneOrder,
        ),
    ]
}

const ORDERS: usize = 6;
/// Four events per order, and one for the disabled endpoint of the receiver that is gone.
const EVENTS: usize = ORDERS * 4 + 1;

#[tokio::test(flavor = "multi_thread")]
async fn each_event_is_delivered_or_failed_in_the_log_with_its_next_attempt() {
    let canary = Receiver::new(|_| status(200)).await;
    let failing = Arc::new(Mutex::new("none".to_owned()));
    let mut kinds = that_take_everything().await;
    kinds.extend(that_take_nothing(&canary).await);
    kinds.extend(that_take_some(&failing).await);
    let mut world = World::new().await;
    for kind in &mut kinds {
        kind.endpoint = Some(world.add(&kind.receiver).await);
    }
    world.happen(ORDERS, 0).await;
    *failing.lock().unwrap() = world.created[0].to_string();
    let ports = kinds
        .iter()
        .map(|kind| kind.receiver.port)
        .chain([canary.port]);
    let worker = world.run(&ports.collect::<Vec<_>>());
    world.change(0, 3).await;
    let healthy = &kinds[0].receiver;
    until("a healthy receiver is served", || async {
        healthy.taken().len() == EVENTS
    })
    .await;
    for kind in &kinds {
        until(kind.name, || is_settled(&world, kind)).await;
    }
    worker.stop().await;
    for kind in &kinds {
        check(&world, kind).await;
    }
    assert_eq!(canary.taken().len(), 0, "redirects are not followed");
}

/// Returns whether `kind` has reached its expected state.
async fn is_settled(world: &World, kind: &Kind) -> bool {
    let id = kind.endpoint.unwrap();
    let state = world.state(id).await;
    let lag = world.lag(id).await;
    match kind.expected {
        Expected::All => lag.events == 0,
        Expected::Pauses(_) | Expected::Busy => state.pause.is_some(),
        Expected::Gone => state.disabled.is_some(),
        Expected::Retried => {
            world.clock.by_seconds(1);
            lag.events == 0
        }
        Expected::AllButOneOrder => kind.receiver.taken().len() == EVENTS - 4,
    }
}

async fn check(world: &World, kind: &Kind) {
    let (id, name) = (kind.endpoint.unwrap(), kind.name);
    let state = world.state(id).await;
    let log = world.log(id).await;
    assert!(!log.is_empty(), "{name}");
    match kind.expected {
        Expected::All | Expected::Retried => {
            check_order(kind);
            let mut sequences = kind.receiver.sequences();
            sequences.sort_unstable();
            let all: Vec<u64> = (1..=EVENTS as u64).collect();
            assert_eq!(sequences, all, "{name}: each once");
            assert_eq!((state.failures, state.pause), (0, None), "{name}");
        }
        Expected::Pauses(error) => {
            let failed = log
                .iter()
                .filter(|delivery| delivery.result.error == Some(error));
            assert_eq!(failed.count(), log.len(), "{name}: {:?}", log[0].result);
            assert!(state.pause.unwrap().probing.is_some(), "{name}");
            let next = log
                .iter()
                .filter(|delivery| delivery.next_attempt_at.is_some());
            assert!(next.count() >= 5, "{name}");
        }
        Expected::Busy => {
            assert!(state.pause.unwrap().probing.is_none());
            assert_eq!(
                (state.failures, world.lag(id).await.events),
                (0, EVENTS as u64)
            );
        }
        Expected::Gone => assert_eq!(state.disabled.unwrap().reason, DisabledReason::Gone),
        Expected::AllButOneOrder => {
            check_order(kind);
            let failed = log
                .iter()
                .filter(|delivery| delivery.result.error.is_some());
            let orders = failed.map(|delivery| delivery.event.order.as_ref().unwrap().id);
            assert!(
                orders.into_iter().all(|order| order == world.created[0]),
                "{name}"
            );
            assert!(
                log.iter()
                    .any(|delivery| delivery.next_attempt_at.is_some())
            );
        }
    }
}

fn check_order(kind: &Kind) {
    let mut latest: HashMap<String, u64> = HashMap::new();
    for request in kind.receiver.taken() {
        let order = request.body.rsplit("order").next().unwrap().to_owned();
        let before = latest.insert(order, request.sequence());
        assert!(before < Some(request.sequence()), "{}", kind.name);
    }
}
