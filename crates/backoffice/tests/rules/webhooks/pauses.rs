//! Endpoints that reject every event, ask for a pause, or are gone.

use pressline_backoffice::webhook::{
    Disabled, DisabledReason, EndpointScope, EndpointState, Pause, Probing, SubscriptionMode,
    SubscriptionOutcome,
};
use pressline_domain::value::Timestamp;

use crate::webhooks::fixture::{
    FAILED, Look, Response, START, TAKEN, after, event, events, key, message, open, order, record,
    sequences, settled, store,
};

const DAY: i64 = 24 * 3600;

fn state_of(outcome: &SubscriptionOutcome) -> EndpointState {
    outcome.endpoint.unwrap().state
}

fn probed(attempts: u32, until: Timestamp) -> EndpointState {
    let store = key().store;
    let probing = Some(Probing { attempts, store });
    EndpointState {
        failures: 5 + attempts,
        failing_since: Some(START),
        pause: Some(Pause { until, probing }),
        ..EndpointState::default()
    }
}

#[test]
fn the_fifth_failure_in_a_row_pauses_for_five_seconds() {
    let four = Look::at(events(1, 4)).apply_results(|_| FAILED);
    assert_eq!((state_of(&four).failures, state_of(&four).pause), (4, None));
    let outcome = Look::at(events(5, 3))
        .with_state(state_of(&four))
        .apply_results(|_| FAILED);
    assert_eq!((outcome.subscription.cursor, open(&outcome)), (4, vec![]));
    let state = state_of(&outcome);
    assert_eq!((state.failing_since, state.failures), (Some(START), 7));
    assert_eq!(state.pause, probed(0, after(5)).pause);
}

#[test]
fn a_paused_endpoint_is_probed_at_growing_times() {
    let delays = [30, 120, 300, 600, 900, 900, 900];
    for (attempts, delay) in (0..).zip(delays) {
        let mut look = Look::at(Vec::new()).with_state(probed(attempts, START));
        (look.oldest, look.cursor) = (Some(message(2, 1)), 4);
        let plan = look.plan();
        assert_eq!((sequences(&plan), plan.attempts[0].number), (vec![2], 2));
        let outcome = look.apply_results(|_| FAILED);
        assert_eq!(
            state_of(&outcome).pause,
            probed(attempts + 1, after(delay)).pause
        );
        assert_eq!(
            (
                outcome.subscription.cursor,
                open(&outcome),
                outcome.settled.len()
            ),
            (4, vec![], 0)
        );
        assert_eq!(outcome.deliveries[0].next_attempt_at, Some(after(delay)));
    }
}

#[test]
fn an_event_that_always_fails_does_not_block_other_events() {
    let mut look = Look::at(vec![
        event(5, 5),
        event(6, 2),
        event(7, 5),
        event(8, 8),
        event(9, 9),
    ]);
    look.oldest = Some(message(2, 1));
    look.blocked.insert(order(2));
    // The oldest message is probed first, then the first event of each order, in rotation.
    for (attempts, tried) in (0..).zip([2, 5, 8, 9, 2, 5]) {
        look.record.state = probed(attempts, START);
        assert_eq!(sequences(&look.plan()), [tried]);
        let outcome = look.apply_results(|_| FAILED);
        assert_eq!((outcome.subscription.cursor, open(&outcome)), (4, vec![]));
    }
    // Skipped events become open messages as soon as the endpoint accepts an event.
    look.record.state = probed(2, START);
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (8, vec![(5, 0), (6, 0), (7, 0)])
    );
    let waits: Vec<bool> = outcome.open.iter().map(|message| message.waits).collect();
    assert_eq!(
        (waits, outcome.open[0].due),
        (vec![false, true, true], START)
    );
}

#[test]
fn without_an_open_message_the_event_after_the_cursor_is_tried_first() {
    let look = Look::at(events(5, 3)).with_state(probed(0, START));
    assert_eq!(sequences(&look.plan()), [5]);
    assert_eq!(look.apply_results(|_| FAILED).subscription.cursor, 4);
    assert_eq!(look.apply_results(|_| TAKEN).subscription.cursor, 5);
    // Probes rotate through the first eight events.
    let turns = |attempts| {
        sequences(
            &Look::at(events(1, 20))
                .with_state(probed(attempts, START))
                .plan(),
        )
    };
    assert_eq!((turns(1), turns(7), turns(8)), (vec![2], vec![8], vec![1]));
}

#[test]
fn the_first_success_resumes() {
    let mut look = Look::at(events(5, 3)).with_state(probed(4, START));
    look.oldest = Some(message(2, 1));
    let outcome = look.apply_results(|_| TAKEN);
    assert_eq!(state_of(&outcome), EndpointState::default());
    assert_eq!((outcome.subscription.cursor, outcome.settled), (4, vec![2]));
}

#[test]
fn a_paused_endpoint_gets_only_probes_of_one_subscription() {
    let pausing = record(probed(0, after(5)));
    assert_eq!(
        SubscriptionMode::new(&pausing, key().store, after(4)),
        SubscriptionMode::Nothing
    );
    assert_eq!(
        SubscriptionMode::new(&pausing, key().store, after(5)),
        SubscriptionMode::Probe
    );
    // Only the subscription of the probing store may send probes.
    let mut of_shop = pausing;
    of_shop.endpoint.scope = EndpointScope::AllStores;
    assert_eq!(
        SubscriptionMode::new(&of_shop, store(2), after(9)),
        SubscriptionMode::Nothing
    );
    // The endpoint does not subscribe to store 2.
    assert_eq!(
        SubscriptionMode::new(&record(EndpointState::default()), store(2), START),
        SubscriptionMode::Nothing
    );
    let look = Look::at(events(1, 3)).with_state(probed(0, after(5)));
    assert!(look.plan().is_empty());
}

#[test]
fn failures_in_flight_at_the_start_of_a_pause_are_not_probes() {
    let look = Look::at(events(1, 8));
    let mut paused = record(probed(1, after(30)));
    let outcome = settled(&look.plan(), &paused, START, |_| FAILED);
    assert_eq!((outcome.subscription.cursor, open(&outcome)), (0, vec![]));
    assert_eq!(state_of(&outcome).pause, paused.state.pause);
    // A success that was in flight does resume the endpoint.
    paused.version = 2;
    let outcome = settled(&look.plan(), &paused, START, |sequence| {
        if sequence == 3 { TAKEN } else { FAILED }
    });
    assert_eq!(open(&outcome).len(), 6, "four of them after the success");
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)[5]),
        (7, (7, 1))
    );
}

#[test]
fn a_subscription_without_events_to_probe_with_ends_the_pause() {
    let look = Look::at(Vec::new()).with_state(probed(3, START));
    let plan = look.plan();
    assert!(plan.attempts.is_empty() && !plan.is_empty());
    let state = state_of(&look.apply_results(|_| TAKEN));
    assert_eq!((state.pause, state.failures), (None, 4));
    assert_eq!(state.failing_since, Some(START));
}

#[test]
fn a_busy_receiver_gets_no_events_until_retry_after() {
    // `Retry-After` is limited to the range from 1 s to one day.
    let cases = [
        (429, 0, 1),
        (429, 7, 7),
        (503, 3600, 3600),
        (503, 200_000, DAY),
    ];
    for (status, seconds, pause) in cases {
        let outcome =
            Look::at(events(1, 8)).apply_results(|_| Response::RetryAfter(status, seconds));
        let state = state_of(&outcome);
        let until = after(pause);
        assert_eq!(
            state.pause,
            Some(Pause {
                until,
                probing: None
            })
        );
        assert_eq!((state.failures, state.failing_since), (0, Some(START)));
        assert_eq!((outcome.subscription.cursor, open(&outcome)), (0, vec![]));
        assert_eq!(outcome.deliveries[7].next_attempt_at, Some(until));
        // After the pause, a single event probes whether the receiver is still busy.
        let mut look = Look::at(events(1, 8)).with_state(state);
        assert!(look.plan().is_empty());
        look.now = until;
        assert_eq!(sequences(&look.plan()), [1]);
        assert_eq!(
            state_of(&look.apply_results(|_| TAKEN)),
            EndpointState::default()
        );
    }
}

#[test]
fn other_responses_start_no_pause() {
    // `Retry-After` counts only with the statuses 429 and 503.
    for response in [
        Response::RetryAfter(500, 60),
        Response::Status(503),
        Response::Status(429),
    ] {
        let outcome = Look::at(events(1, 1)).apply_results(|_| response);
        assert_eq!(
            (open(&outcome), state_of(&outcome).failures),
            (vec![(1, 1)], 1)
        );
    }
}

#[test]
fn a_partly_busy_receiver_gets_no_event_twice() {
    let outcome = Look::at(events(1, 5)).apply_results(|sequence| match sequence {
        2 | 5 => Response::RetryAfter(429, 60),
        _ => TAKEN,
    });
    // Event 2 becomes an open message; event 5 stays behind the cursor.
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (4, vec![(2, 0)])
    );
    assert_eq!(outcome.open[0].due, after(60));
    let state = state_of(&outcome);
    assert_eq!(
        (state.failures, state.pause.map(|pause| pause.until)),
        (0, Some(after(60)))
    );
}

#[test]
fn a_probed_busy_receiver_is_paused_until_the_later_time() {
    // The next probe is due after 30 s, unless `Retry-After` is longer.
    for (seconds, until) in [(1, 30), (100, 100)] {
        let look = Look::at(events(1, 3)).with_state(probed(0, START));
        let outcome = look.apply_results(|_| Response::RetryAfter(503, seconds));
        assert_eq!(state_of(&outcome).pause, probed(1, after(until)).pause);
        assert_eq!(state_of(&outcome).failures, 5);
    }
}

#[test]
fn an_endpoint_that_is_gone_is_disabled_immediately() {
    let mut look = Look::at(events(1, 3));
    look.now = after(9);
    let gone = |sequence| {
        if sequence == 2 {
            Response::Status(410)
        } else {
            TAKEN
        }
    };
    let disabled = Disabled {
        reason: DisabledReason::Gone,
        at: after(9),
    };
    let outcome = look.apply_results(gone);
    let change = outcome.endpoint.unwrap();
    assert_eq!(
        (change.state.disabled, change.announced),
        (Some(disabled), Some(disabled))
    );
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (3, vec![(2, 0)])
    );
    assert_eq!(outcome.deliveries[1].next_attempt_at, None);
    look.record.endpoint.scope = EndpointScope::AllStores;
    let change = look.apply_results(gone).endpoint.unwrap();
    assert_eq!(
        (change.state.disabled, change.announced),
        (Some(disabled), None)
    );
}

#[test]
fn five_days_without_success_disable_an_endpoint() {
    for response in [FAILED, Response::Silence, Response::RetryAfter(503, 60)] {
        let mut look = Look::at(events(1, 3)).with_state(probed(400, START));
        look.now = after(5 * DAY - 1);
        assert_eq!(state_of(&look.apply_results(|_| response)).disabled, None);
        look.now = after(5 * DAY);
        let outcome = look.apply_results(|_| response);
        let change = outcome.endpoint.unwrap();
        let reason = DisabledReason::Failing;
        let disabled = Some(Disabled {
            reason,
            at: look.now,
        });
        assert_eq!(
            (change.state.disabled, change.announced),
            (disabled, disabled)
        );
        assert_eq!(
            (change.state.pause, change.state.failing_since),
            (None, Some(START))
        );
        assert_eq!((outcome.subscription.cursor, open(&outcome)), (0, vec![]));
        assert_eq!(
            state_of(&look.apply_results(|_| TAKEN)),
            EndpointState::default()
        );
    }
}

#[test]
fn an_endpoint_disabled_during_the_attempt_keeps_its_state() {
    let look = Look::at(events(1, 8));
    let reason = DisabledReason::Requested;
    let disabled = record(EndpointState {
        disabled: Some(Disabled { reason, at: START }),
        ..EndpointState::default()
    });
    let outcome = settled(&look.plan(), &disabled, START, |_| FAILED);
    assert_eq!((outcome.endpoint, outcome.subscription.cursor), (None, 4));
    assert_eq!(
        SubscriptionMode::new(&disabled, key().store, START),
        SubscriptionMode::Nothing
    );
}
