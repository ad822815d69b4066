//! Faults that a test store asks for on its next event.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{
    DeliveryError, EndpointState, SandboxAction, SubscriptionOutcome,
};

use crate::webhooks::fixture::{FAILED, Look, TAKEN, after, event, events, open, order, sequences};

fn look(action: SandboxAction, count: u64) -> Look {
    let state = EndpointState {
        sandbox: Some(action),
        ..EndpointState::default()
    };
    Look::at(events(1, count)).with_state(state)
}

fn is_over(outcome: &SubscriptionOutcome) -> bool {
    outcome
        .endpoint
        .is_some_and(|change| change.state.sandbox.is_none())
}

#[test]
fn a_dropped_event_is_logged_as_failed_and_not_retried() {
    let look = look(SandboxAction::Drop, 3);
    let dropped: Vec<bool> = look
        .plan()
        .attempts
        .iter()
        .map(|attempt| attempt.is_dropped)
        .collect();
    assert_eq!(dropped, [true, false, false]);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(
        (
            outcome.subscription.cursor,
            open(&outcome),
            is_over(&outcome)
        ),
        (3, vec![], true)
    );
    let delivery = &outcome.deliveries[0];
    assert_eq!(delivery.result.error, Some(DeliveryError::SandboxDrop));
    assert_eq!(delivery.next_attempt_at, None);
    assert_eq!(outcome.endpoint.unwrap().state, EndpointState::default());
}

#[test]
fn a_repeated_event_is_sent_again_after_success() {
    let outcome = look(SandboxAction::Repeat, 3).apply_results(|_| TAKEN);
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (3, vec![(1, 0)])
    );
    assert_eq!(outcome.open[0].due, outcome.at);
    assert!(is_over(&outcome));
}

#[test]
fn a_delayed_event_is_sent_later_and_its_order_waits() {
    let mut look = look(SandboxAction::Delay(20), 0);
    look.events = vec![event(1, 1), event(2, 2), event(3, 1)];
    assert_eq!(sequences(&look.plan()), [2]);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (3, vec![(1, 0), (3, 0)])
    );
    assert_eq!(
        (outcome.open[0].due, outcome.open[0].waits),
        (after(20), false)
    );
    assert_eq!((outcome.open[1].waits, is_over(&outcome)), (true, true));
}

#[test]
fn a_reordered_event_is_sent_after_its_successor_of_the_same_order_too() {
    for of in [1, 2] {
        let mut look = look(SandboxAction::Reorder, 0);
        look.events = vec![event(1, 1), event(2, of), event(3, 3)];
        assert_eq!(sequences(&look.plan()), [2, 3]);
        let outcome = look.apply_results(|_| TAKEN);
        assert_eq!(
            (outcome.subscription.cursor, open(&outcome)),
            (3, vec![(1, 0)])
        );
        assert!(is_over(&outcome) && outcome.open[0].due == outcome.at);
    }
}

#[test]
fn a_reordered_event_waits_ten_seconds_for_its_successor() {
    let mut look = look(SandboxAction::Reorder, 1);
    look.now = after(9);
    let plan = look.plan();
    assert!(plan.is_empty());
    assert_eq!(plan.look_again, Some(after(10)));
    look.now = after(10);
    assert_eq!(sequences(&look.plan()), [1]);
    assert!(is_over(&look.apply_results(|_| TAKEN)));
}

#[test]
fn the_fault_skips_events_that_wait_for_their_order() {
    let mut look = look(SandboxAction::Drop, 2);
    look.blocked = BTreeSet::from([order(1)]);
    let dropped: Vec<_> = look
        .plan()
        .attempts
        .iter()
        .map(|attempt| (attempt.sequence, attempt.is_dropped))
        .collect();
    assert_eq!(dropped, [(2, true)]);
}

#[test]
fn the_fault_remains_if_its_event_is_not_sent() {
    let mut look = look(SandboxAction::Repeat, 8);
    look.record.state.failures = 4;
    let outcome = look.apply_results(|_| FAILED);
    assert!(!is_over(&outcome) && outcome.subscription.cursor == 0);
}
