//! Contents of a delivery batch.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{OpenMessage, SubscriptionEvent};
use pressline_domain::event::EventType;

use crate::webhooks::fixture::{
    FAILED, Look, TAKEN, after, event, events, message, open, order, sequences,
};

#[test]
fn a_batch_has_up_to_eight_events_of_different_orders() {
    let look = Look::at(events(1, 20));
    assert_eq!(sequences(&look.plan()), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(look.apply_results(|_| TAKEN).subscription.cursor, 8);
}

#[test]
fn due_messages_come_first_and_count_towards_the_limit() {
    let due = (1..=3).map(|sequence| message(sequence, 2)).collect();
    let look = Look::at(events(10, 20)).with_due(due);
    assert_eq!(sequences(&look.plan()), [1, 2, 3, 10, 11, 12, 13, 14]);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(outcome.subscription.cursor, 14);
    assert_eq!(outcome.settled, [1, 2, 3]);
    assert_eq!(outcome.released, [order(1), order(2), order(3)]);
    assert_eq!(open(&outcome), []);
    let numbers: Vec<u32> = outcome
        .deliveries
        .iter()
        .map(|delivery| delivery.attempt)
        .collect();
    assert_eq!(numbers, [3, 3, 3, 1, 1, 1, 1, 1]);
}

#[test]
fn a_second_event_of_an_order_ends_the_batch() {
    let look = Look::at(vec![event(1, 1), event(2, 2), event(3, 1), event(4, 3)]);
    assert_eq!(sequences(&look.plan()), [1, 2]);
    assert_eq!(look.apply_results(|_| TAKEN).subscription.cursor, 2);
    // An event of an order that has a due message is left out as well: it can be sent as soon as
    // the message is resolved.
    let look =
        Look::at(vec![event(10, 5), event(11, 4), event(12, 6)]).with_due(vec![message(4, 1)]);
    assert_eq!(sequences(&look.plan()), [4, 10]);
}

#[test]
fn events_behind_an_open_message_of_their_order_wait_up_to_15_minutes() {
    let mut look = Look::at(vec![event(1, 1), event(2, 2), event(3, 1), event(4, 2)]);
    look.blocked = BTreeSet::from([order(1)]);
    assert_eq!(sequences(&look.plan()), [2]);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(outcome.subscription.cursor, 3);
    let waiting = |sequence| OpenMessage {
        sequence,
        order: Some(order(1)),
        attempts: 0,
        due: after(15 * 60),
        waits: true,
    };
    assert_eq!(outcome.open, [waiting(1), waiting(3)]);
    // Waiting is not an attempt: the first request counts as attempt 1.
    let look = Look::at(Vec::new()).with_due(vec![waiting(3)]);
    let outcome = look.apply_results(|_| FAILED);
    assert_eq!(outcome.deliveries[0].attempt, 1);
    assert_eq!((open(&outcome)[0], outcome.open[0].waits), ((3, 1), false));
}

#[test]
fn events_of_other_types_are_skipped() {
    let created = |sequence| SubscriptionEvent {
        kind: EventType::OrderCreated,
        ..event(sequence, u128::from(sequence))
    };
    let mut look = Look::at(vec![event(1, 1), created(2), event(3, 3), event(4, 4)]);
    look.record.endpoint.types = BTreeSet::from([EventType::OrderCreated]);
    assert_eq!(sequences(&look.plan()), [2]);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(
        (outcome.subscription.cursor, outcome.deliveries.len()),
        (4, 1)
    );
    look.events.remove(1);
    let plan = look.plan();
    assert!(plan.attempts.is_empty() && !plan.is_empty());
    assert_eq!(look.apply_results(|_| TAKEN).subscription.cursor, 4);
}

#[test]
fn events_without_an_order_neither_block_nor_wait() {
    let none = |sequence| SubscriptionEvent {
        order: None,
        ..event(sequence, 0)
    };
    let look = Look::at(vec![none(1), none(2), event(3, 1)]);
    assert_eq!(look.plan().attempts.len(), 3);
    assert_eq!(
        open(&look.apply_results(|_| FAILED)),
        [(1, 1), (2, 1), (3, 1)]
    );
}

#[test]
fn messages_of_deleted_events_are_resolved() {
    let look = Look::at(Vec::new()).with_due(vec![message(1, 3)]);
    let outcome = pressline_backoffice::webhook::apply_results(
        &look.plan(),
        &look.record,
        &[None],
        look.now,
        None,
    );
    assert_eq!(
        (outcome.settled.as_slice(), outcome.deliveries.len()),
        ([1].as_slice(), 0)
    );
}

#[test]
fn a_subscription_without_pending_events_has_an_empty_plan() {
    assert!(Look::at(Vec::new()).plan().is_empty());
    assert!(!Look::at(events(1, 1)).plan().is_empty());
}
