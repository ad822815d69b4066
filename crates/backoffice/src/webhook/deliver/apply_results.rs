//! Outcome of a delivery run, computed from the results of its attempts.

use super::health::{EndpointHealth, Verdict};
use super::plan::{Attempt, AttemptReport, Plan};
use super::schedule;
use crate::webhook::delivery::Delivery;
use crate::webhook::endpoint::{EndpointRecord, EndpointScope, SandboxAction};
use crate::webhook::subscription::{EndpointChange, OpenMessage, SubscriptionOutcome};
use pressline_domain::value::{OrderId, Timestamp};

struct JudgedAttempt<'a> {
    attempt: &'a Attempt,
    report: &'a AttemptReport,
    verdict: Verdict,
}

/// Computes the outcome of the delivery run `plan`, to be stored in one transaction.
///
/// `reports` has the worker's report about each attempt of the plan, in the same order; `None` if
/// the event of the attempt no longer exists. The reports are judged in the order of sequences:
///
/// - A success resets the endpoint's failures and ends its pause, except a pause that the receiver
///   has asked for in a concurrent response.
/// - After each of the first four failures in a row, the event gets an [`OpenMessage`], to retry it
///   later. The fifth failure pauses the endpoint.
/// - From the fifth failure on, the cursor stays before the first failed event, and open messages
///   are unchanged. A response that asks for a pause, or says that the endpoint is gone, has the
///   same effect.
/// - If a later event of the plan was delivered, the cursor must pass it: all earlier events get
///   open messages.
///
/// `record` is the endpoint as stored now; it can be newer than the plan. A disabled endpoint keeps
/// its state. The worker keeps its lease until `leased_until`; `None` gives it back.
pub fn apply_results(
    plan: &Plan,
    record: &EndpointRecord,
    reports: &[Option<AttemptReport>],
    at: Timestamp,
    leased_until: Option<Timestamp>,
) -> SubscriptionOutcome {
    let mut health = EndpointHealth {
        state: record.state,
        store: plan.subscription.key.store,
        is_probe: plan.is_probe,
    };
    if plan.ends_probing {
        health.end_probing();
    }
    let mut judged = Vec::with_capacity(reports.len());
    let mut settlement = ResultSummary::new(plan, at, leased_until);
    for (attempt, report) in plan.attempts.iter().zip(reports) {
        match report {
            Some(report) => {
                let verdict = health.judge(&report.sent);
                judged.push(JudgedAttempt {
                    attempt,
                    report,
                    verdict,
                });
            }
            // The event no longer exists, so there is nothing left to send.
            None => settlement.apply_results(attempt),
        }
    }
    settlement.cut(plan, &judged);
    if let Some((sequence, action)) = plan.sandboxed {
        // An event after the cursor is planned again, and its fault with it.
        let has_happened = sequence <= settlement.outcome.subscription.cursor;
        if has_happened && health.state.sandbox == Some(action) {
            health.state.sandbox = None;
        }
    }
    // Remaining events are sent after the pause, or never if the endpoint is disabled.
    let pause_ends = health.state.pause.map(|pause| pause.until);
    let resumes_at = pause_ends.unwrap_or(at).max(at);
    let later = Some(resumes_at).filter(|_| health.state.disabled.is_none());
    for judged in &judged {
        settlement.take(judged, later);
    }
    settlement.suspend(plan);
    settlement.outcome.endpoint = change(record, &health);
    settlement.outcome
}

fn change(record: &EndpointRecord, health: &EndpointHealth) -> Option<EndpointChange> {
    let state = health.state;
    if state == record.state || record.state.disabled.is_some() {
        return None;
    }
    // The announcement is an event of the store; an endpoint of the print shop has no store.
    let is_of_store = matches!(record.endpoint.scope, EndpointScope::Store(_));
    Some(EndpointChange {
        state,
        expected: record.version,
        announced: state.disabled.filter(|_| is_of_store),
    })
}

struct ResultSummary {
    outcome: SubscriptionOutcome,
    /// Highest sequence of a delivered event of the plan; 0 if no event was delivered.
    last_taken: u64,
    /// Sequence of the event that the sandbox sends twice.
    repeated: Option<u64>,
}

impl ResultSummary {
    fn new(plan: &Plan, at: Timestamp, leased_until: Option<Timestamp>) -> Self {
        let mut subscription = plan.subscription;
        subscription.cursor = plan.cursor;
        let repeated = (plan.sandboxed).filter(|(_, action)| *action == SandboxAction::Repeat);
        Self {
            outcome: SubscriptionOutcome::unchanged(subscription, at, leased_until),
            last_taken: 0,
            repeated: repeated.map(|(sequence, _)| sequence),
        }
    }

    /// Sets `last_taken`. If later events wait for the endpoint and have no open message, moves the
    /// cursor to before the first of them. After a failed probe, the cursor stays as stored.
    fn cut(&mut self, plan: &Plan, judged: &[JudgedAttempt<'_>]) {
        let is_taken = |judged: &&JudgedAttempt<'_>| judged.verdict == Verdict::Taken;
        let taken = judged.iter().filter(is_taken);
        let last = taken.map(|judged| judged.attempt.sequence).max();
        self.last_taken = last.unwrap_or(0);
        let stays = |judged: &&JudgedAttempt<'_>| {
            let is_deferred = matches!(judged.verdict, Verdict::Deferred { .. });
            let is_after = judged.attempt.sequence > self.last_taken;
            is_deferred && is_after && judged.attempt.message.is_none()
        };
        if let Some(first) = judged.iter().find(stays) {
            self.outcome.subscription.cursor = if plan.is_probe {
                plan.subscription.cursor
            } else {
                first.attempt.sequence.saturating_sub(1)
            };
        }
    }

    /// Logs the attempt `judged` and updates the message of its event. Does nothing for an event
    /// that the sandbox drops and that stays after the cursor: a later plan drops it. `later` is
    /// the next attempt of a waiting event; `None` if the endpoint is disabled.
    fn take(&mut self, judged: &JudgedAttempt<'_>, later: Option<Timestamp>) {
        let attempt = judged.attempt;
        let has_left =
            attempt.message.is_some() || attempt.sequence <= self.outcome.subscription.cursor;
        let is_passed = attempt.sequence < self.last_taken;
        let next = match judged.verdict {
            Verdict::Dropped if !has_left => return,
            _ if !has_left => later,
            Verdict::Taken | Verdict::Dropped => self.finish(attempt, judged.verdict),
            Verdict::Failed => self.retry(judged),
            // A later event was delivered, so this event failed by itself.
            Verdict::Deferred { counted: true } if is_passed => self.retry(judged),
            // The receiver asked for a pause: the event's own schedule has not begun.
            Verdict::Deferred { .. } if attempt.message.is_none() => {
                self.open(attempt, 0, later.unwrap_or(self.outcome.at));
                later
            }
            Verdict::Deferred { .. } => later,
        };
        self.log(judged, next);
    }

    /// Resolves the event, or returns the due time at which the sandbox sends it again.
    fn finish(&mut self, attempt: &Attempt, verdict: Verdict) -> Option<Timestamp> {
        if verdict == Verdict::Taken && self.repeated == Some(attempt.sequence) {
            self.open(attempt, 0, self.outcome.at);
            return Some(self.outcome.at);
        }
        self.apply_results(attempt);
        None
    }

    fn apply_results(&mut self, attempt: &Attempt) {
        if attempt.message.is_some() {
            self.outcome.settled.push(attempt.sequence);
            let is_new = |order: &OrderId| !self.outcome.released.contains(order);
            let order = attempt.order.filter(is_new);
            self.outcome.released.extend(order);
        }
    }

    /// Retries by the schedule, and returns the due time; `None` if the event is given up.
    fn retry(&mut self, judged: &JudgedAttempt<'_>) -> Option<Timestamp> {
        let attempt = judged.attempt;
        let attempts = attempt.message.map_or(0, |message| message.attempts) + 1;
        let AttemptReport { sent, jitter, .. } = judged.report;
        let due = schedule::retry_at(sent.ended_at(), attempts, *jitter);
        match due {
            Some(due) => self.open(attempt, attempts, due),
            None => self.apply_results(attempt),
        }
        due
    }

    /// Opens a message. `attempts` is the number of attempts that the retry schedule counts so far.
    fn open(&mut self, attempt: &Attempt, attempts: u32, due: Timestamp) {
        self.outcome.open.push(OpenMessage {
            sequence: attempt.sequence,
            order: attempt.order,
            attempts,
            due,
            waits: false,
        });
    }

    /// Adds to the outcome the messages in `plan.aside` for events up to the new cursor.
    fn suspend(&mut self, plan: &Plan) {
        let cursor = self.outcome.subscription.cursor;
        let aside = plan.aside.iter();
        let passed = aside.filter(|message| message.sequence <= cursor);
        self.outcome.open.extend(passed);
    }

    fn log(&mut self, judged: &JudgedAttempt<'_>, next: Option<Timestamp>) {
        let AttemptReport {
            id, event, sent, ..
        } = judged.report;
        let key = self.outcome.subscription.key;
        self.outcome.deliveries.push(Delivery {
            id: *id,
            endpoint: key.endpoint,
            store: key.store,
            event: event.clone(),
            attempt: judged.attempt.number,
            result: sent.result.clone(),
            started_at: sent.started_at,
            duration_ms: sent.duration_ms,
            next_attempt_at: next,
        });
    }
}
