//! Messages that fail while others succeed, and the state after a batch of failures.

use pressline_backoffice::webhook::{EndpointState, MAX_ATTEMPTS, OpenMessage, apply_results};

use crate::webhooks::fixture::{
    FAILED, Look, Response, START, TAKEN, after, event, events, message, open, order, report,
    settled,
};

const HOUR: i64 = 3600;

#[test]
fn a_message_is_tried_ten_times_and_then_remains_failed_in_the_log() {
    let delays = [
        5,
        300,
        1800,
        2 * HOUR,
        5 * HOUR,
        10 * HOUR,
        14 * HOUR,
        20 * HOUR,
        24 * HOUR,
    ];
    for (attempts, delay) in (0..).zip(delays) {
        let look = if attempts == 0 {
            Look::at(events(1, 1))
        } else {
            Look::at(Vec::new()).with_due(vec![message(1, attempts)])
        };
        let outcome = look.apply_results(|_| FAILED);
        let due = after(delay);
        let open = OpenMessage {
            due,
            ..message(1, attempts + 1)
        };
        assert_eq!(outcome.open, [open], "after attempt {}", attempts + 1);
        assert_eq!(outcome.deliveries[0].next_attempt_at, Some(due));
        assert_eq!(outcome.settled, [0_u64; 0]);
    }
    let look = Look::at(Vec::new()).with_due(vec![message(1, MAX_ATTEMPTS - 1)]);
    let outcome = look.apply_results(|_| FAILED);
    assert_eq!((open(&outcome), outcome.settled), (vec![], vec![1]));
    assert_eq!(outcome.released, [order(1)]);
    assert_eq!(outcome.deliveries[0].attempt, MAX_ATTEMPTS);
    assert_eq!(outcome.deliveries[0].next_attempt_at, None);
}

#[test]
fn jitter_shifts_attempts_by_up_to_20_percent() {
    let look = Look::at(events(1, 1));
    let plan = look.plan();
    let due = |jitter| {
        let mut report = report(&plan.attempts[0], START, FAILED);
        (report.jitter, report.sent.duration_ms) = (jitter, 1000);
        let outcome = apply_results(&plan, &look.record, &[Some(report)], START, None);
        outcome.open[0].due.millis_since(after(1))
    };
    // A jitter of 200 is the middle of the range 0 to 400; greater values wrap around.
    assert_eq!(
        (due(0), due(200), due(400), due(401)),
        (4000, 5000, 6000, 4000)
    );
    assert!((4000..=6000).contains(&due(u32::MAX)));
}

#[test]
fn the_first_four_failures_become_messages_and_later_failures_stay() {
    let look = Look::at(events(1, 8));
    let outcome = look.apply_results(|_| FAILED);
    assert_eq!(open(&outcome), [(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert_eq!(outcome.subscription.cursor, 4);
    assert_eq!(outcome.deliveries.len(), 8);
    let next: Vec<_> = outcome
        .deliveries
        .iter()
        .map(|delivery| delivery.next_attempt_at)
        .collect();
    // The first retry of the messages and the first probe are both due after 5 s.
    assert!(next.iter().all(|next| *next == Some(after(5))), "{next:?}");
}

#[test]
fn failures_in_a_row_are_counted_from_batch_to_batch() {
    let state = EndpointState {
        failures: 3,
        failing_since: Some(START),
        ..EndpointState::default()
    };
    let outcome = Look::at(events(1, 3))
        .with_state(state)
        .apply_results(|_| FAILED);
    // Event 1 is the fourth failure in a row; the fifth failure pauses the endpoint.
    assert_eq!(open(&outcome), [(1, 1)]);
    assert_eq!(outcome.endpoint.unwrap().state.failures, 6);
    // A success resets the count.
    let outcome = Look::at(events(1, 3))
        .with_state(state)
        .apply_results(|sequence| if sequence == 1 { TAKEN } else { FAILED });
    assert_eq!(open(&outcome), [(2, 1), (3, 1)]);
    assert_eq!(outcome.endpoint.unwrap().state.failures, 2);
}

#[test]
fn failures_before_a_success_become_messages() {
    let outcome =
        Look::at(events(1, 8)).apply_results(|sequence| if sequence == 7 { TAKEN } else { FAILED });
    let expected: Vec<_> = [1, 2, 3, 4, 5, 6, 8].map(|sequence| (sequence, 1)).into();
    assert_eq!((outcome.subscription.cursor, open(&outcome)), (8, expected));
    let state = outcome.endpoint.unwrap().state;
    assert_eq!((state.failures, state.pause), (1, None));
}

#[test]
fn due_messages_of_a_failing_endpoint_remain_unchanged() {
    let due = (1..=6).map(|sequence| message(sequence, 3)).collect();
    let outcome = Look::at(events(10, 2))
        .with_due(due)
        .apply_results(|_| FAILED);
    // Four failures retry their messages; the fifth pauses the endpoint, and messages 5 and 6 keep
    // their state.
    assert_eq!(open(&outcome), [(1, 4), (2, 4), (3, 4), (4, 4)]);
    assert_eq!((outcome.subscription.cursor, outcome.settled.len()), (9, 0));
    assert_eq!(outcome.deliveries[4].next_attempt_at, Some(after(5)));
}

#[test]
fn events_after_the_first_remaining_event_get_no_waiting_message() {
    let mut look = Look::at(vec![event(1, 1), event(2, 50), event(3, 3), event(4, 50)]);
    look.blocked.insert(order(50));
    look.record.state.failures = 4;
    let outcome = look.apply_results(|sequence| {
        if sequence == 1 {
            TAKEN
        } else {
            Response::RetryAfter(503, 9)
        }
    });
    assert_eq!(
        (outcome.subscription.cursor, open(&outcome)),
        (2, vec![(2, 0)])
    );
}

#[test]
fn results_apply_to_the_current_state_of_the_endpoint() {
    let look = Look::at(events(1, 2));
    let plan = look.plan();
    let mut later = look.record.clone();
    // Another subscription of the endpoint recorded four failures meanwhile.
    (later.state.failures, later.version) = (4, 7);
    let outcome = settled(&plan, &later, START, |_| FAILED);
    assert_eq!((outcome.subscription.cursor, outcome.open.len()), (0, 0));
    assert_eq!(outcome.endpoint.unwrap().expected, 7);
}

#[test]
fn the_endpoint_state_is_written_only_if_it_changes() {
    assert_eq!(
        Look::at(events(1, 8)).apply_results(|_| TAKEN).endpoint,
        None
    );
    assert!(
        Look::at(events(1, 8))
            .apply_results(|_| FAILED)
            .endpoint
            .is_some()
    );
}
