//! Weeks of delivery to receivers of all kinds.

use std::collections::BTreeMap;

use pressline_backoffice::webhook::{EndpointRecord, OpenMessage};
use pressline_domain::value::{OrderId, Timestamp};

use crate::webhooks::fixture::START;
use crate::webhooks::receivers::Receiver;
use crate::webhooks::simulation::Simulation;

const ALL: [Receiver; 13] = [
    Receiver::Healthy,
    Receiver::Dead,
    Receiver::DownBetween(10, 20),
    Receiver::DownBetween(3, 100),
    Receiver::EveryTenthFails,
    Receiver::OneOrderFails(4),
    Receiver::OneOrderFailsUntil(5, 30),
    Receiver::Flaky(30),
    Receiver::Flaky(80),
    Receiver::Busy(20, 3),
    Receiver::Busy(60, 600),
    Receiver::BusyAndDead,
    Receiver::GoneAfter(17),
];

#[test]
fn every_event_is_delivered_or_fails_after_all_attempts() {
    let mut simulation = Simulation::new(&ALL, 0, 1);
    simulation.run(5);
    simulation.check();
    assert!(simulation.world.failed.len() > 100);
}

#[test]
fn crashes_repeat_in_flight_events_and_lose_none() {
    let mut simulation = Simulation::new(&ALL, 5, 100);
    simulation.run(3);
    simulation.check();
    let crashes: u64 = simulation.seen.values().map(|seen| seen.crashes).sum();
    assert!(crashes > 100, "{crashes}");
}

#[test]
fn a_dead_endpoint_has_four_messages_at_most() {
    let mut simulation = Simulation::new(&[Receiver::Dead], 0, 7);
    simulation.run(5);
    let messages = |endpoint: &EndpointRecord| {
        let subscriptions = simulation.world.subscriptions.iter();
        let own = subscriptions.filter(|(key, _)| key.endpoint == endpoint.endpoint.id);
        own.map(|(_, row)| row.messages.len()).sum::<usize>()
    };
    for endpoint in simulation.world.endpoints.values() {
        assert!(messages(endpoint) <= 4, "{}", messages(endpoint));
    }
}

#[test]
fn a_recovered_receiver_gets_the_events_of_each_order_in_sequence() {
    let mut simulation = Simulation::new(&[Receiver::DownBetween(2, 90)], 0, 11);
    simulation.run(4);
    simulation.check();
    for (key, seen) in &simulation.seen {
        let mut latest: BTreeMap<OrderId, Timestamp> = BTreeMap::new();
        for (sequence, at) in &seen.taken {
            let event =
                simulation.world.events[&key.store][usize::try_from(*sequence).unwrap() - 1];
            let before = latest.insert(event.order.unwrap(), *at);
            assert!(
                before.is_none_or(|before| before <= *at),
                "{sequence} of {key:?}"
            );
        }
        assert_eq!(
            (
                seen.repeats,
                simulation.world.subscriptions[key].messages.len()
            ),
            (0, 0)
        );
        // During the pause, events stay behind the cursor. Messages exist only for attempts that
        // failed before it, and for events that wait for such an order.
        assert!(seen.most_messages <= 40, "{}", seen.most_messages);
    }
}

#[test]
fn probes_follow_their_schedule_from_the_first_failure_to_the_last() {
    let mut simulation = Simulation::new(&[Receiver::Dead], 0, 3);
    simulation.run(1);
    for endpoint in simulation.world.endpoints.values() {
        let log = simulation.world.log.iter();
        let own = log.filter(|delivery| delivery.endpoint == endpoint.endpoint.id);
        let mut ends: Vec<i64> = own
            .map(|delivery| delivery.started_at.millis_since(START))
            .collect();
        ends.sort_unstable();
        let gaps: Vec<i64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // Each attempt times out after 15 s; the first pause takes 5 s.
        let first = gaps.iter().rposition(|gap| *gap == 20_000).unwrap();
        let seconds: Vec<i64> = gaps[first..].iter().map(|gap| gap / 1000 - 15).collect();
        assert_eq!(seconds[..6], [5, 30, 120, 300, 600, 900]);
        assert!(seconds[6..].iter().all(|gap| *gap == 900));
    }
}

#[test]
fn an_event_never_becomes_two_messages() {
    let mut simulation = Simulation::new(&[Receiver::Flaky(50)], 4, 5);
    simulation.run(3);
    let open: Vec<&OpenMessage> = simulation
        .world
        .subscriptions
        .values()
        .flat_map(|row| row.messages.values())
        .collect();
    assert_eq!(open, Vec::<&OpenMessage>::new());
}
