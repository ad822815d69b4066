//! Endpoints, subscriptions, events and attempt reports for tests.

use std::collections::{BTreeSet, HashSet};

use pressline_backoffice::webhook::{
    Attempt, AttemptReport, DeliveryError, DeliveryResult, Endpoint, EndpointPayload,
    EndpointRecord, EndpointScope, EndpointState, OpenMessage, Plan, SendReport, SentEvent,
    SentOrder, Subscription, SubscriptionEvent, SubscriptionKey, SubscriptionOutcome,
    SubscriptionView, apply_results, plan,
};
use pressline_domain::event::EventType;
use pressline_domain::value::{DeliveryId, EndpointId, OrderId, StoreId, Timestamp};
use uuid::Uuid;

pub(crate) const START: Timestamp = Timestamp::from_millis(1_717_800_000_000);

pub(crate) fn after(seconds: i64) -> Timestamp {
    START.plus_millis(seconds * 1000)
}

pub(crate) fn store(number: u128) -> StoreId {
    StoreId::new(Uuid::from_u128(1000 + number))
}

pub(crate) fn order(number: u128) -> OrderId {
    OrderId::new(Uuid::from_u128(2000 + number))
}

pub(crate) fn key() -> SubscriptionKey {
    let endpoint = EndpointId::new(Uuid::from_u128(3000));
    SubscriptionKey {
        store: store(1),
        endpoint,
    }
}

pub(crate) fn subscription(cursor: u64) -> Subscription {
    Subscription {
        key: key(),
        cursor,
        lease: 1,
    }
}

pub(crate) fn record(state: EndpointState) -> EndpointRecord {
    EndpointRecord {
        endpoint: Endpoint {
            id: key().endpoint,
            scope: EndpointScope::Store(key().store),
            url: "https://hooks.shop.example/p".to_owned(),
            types: BTreeSet::new(),
            payload: EndpointPayload::Full,
            description: None,
            created_at: START,
            updated_at: START,
        },
        secrets: Vec::new(),
        state,
        version: 1,
    }
}

/// Creates an event at [`START`] of the order number `of`.
pub(crate) fn event(sequence: u64, of: u128) -> SubscriptionEvent {
    SubscriptionEvent {
        sequence,
        kind: EventType::OrderUpdated,
        order: Some(order(of)),
        at: START,
    }
}

/// Creates `count` events from sequence `from` on, each of a different order.
pub(crate) fn events(from: u64, count: u64) -> Vec<SubscriptionEvent> {
    (from..from + count)
        .map(|sequence| event(sequence, u128::from(sequence)))
        .collect()
}

/// Creates a message that is due at [`START`]; its order's number is `sequence`.
pub(crate) fn message(sequence: u64, attempts: u32) -> OpenMessage {
    OpenMessage {
        sequence,
        order: Some(order(u128::from(sequence))),
        attempts,
        due: START,
        waits: false,
    }
}

/// Input of [`plan`] for a subscription.
pub(crate) struct Look {
    pub(crate) record: EndpointRecord,
    pub(crate) cursor: u64,
    pub(crate) now: Timestamp,
    pub(crate) due: Vec<OpenMessage>,
    pub(crate) oldest: Option<OpenMessage>,
    pub(crate) events: Vec<SubscriptionEvent>,
    pub(crate) blocked: BTreeSet<OrderId>,
}

impl Look {
    /// Creates the view of a healthy endpoint. Its cursor is just before the first of `events`.
    pub(crate) fn at(events: Vec<SubscriptionEvent>) -> Self {
        Self {
            record: record(EndpointState::default()),
            cursor: events.first().map_or(0, |event| event.sequence - 1),
            now: START,
            due: Vec::new(),
            oldest: None,
            events,
            blocked: BTreeSet::new(),
        }
    }

    pub(crate) fn with_due(self, due: Vec<OpenMessage>) -> Self {
        Self { due, ..self }
    }

    pub(crate) fn with_state(self, state: EndpointState) -> Self {
        let record = EndpointRecord {
            state,
            ..self.record
        };
        Self { record, ..self }
    }

    pub(crate) fn plan(&self) -> Plan {
        let read_to = self
            .events
            .last()
            .map_or(self.cursor, |event| event.sequence);
        plan(&SubscriptionView {
            subscription: subscription(self.cursor),
            record: &self.record,
            now: self.now,
            due: &self.due,
            oldest: self.oldest,
            events: &self.events,
            read_to,
            is_end: true,
            blocked: &self.blocked,
        })
    }

    /// Applies the results of the plan; `respond` maps a sequence to the receiver's response.
    pub(crate) fn apply_results(&self, respond: impl Fn(u64) -> Response) -> SubscriptionOutcome {
        settled(&self.plan(), &self.record, self.now, respond)
    }
}

/// Applies results of `plan` with attempts that take no time.
pub(crate) fn settled(
    plan: &Plan,
    record: &EndpointRecord,
    now: Timestamp,
    respond: impl Fn(u64) -> Response,
) -> SubscriptionOutcome {
    let reports = plan.attempts.iter();
    let reports = reports.map(|attempt| Some(report(attempt, now, respond(attempt.sequence))));
    let reports: Vec<_> = reports.collect();
    apply_results(plan, record, &reports, now, None)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Response {
    Status(u16),
    RetryAfter(u16, u32),
    Silence,
}

pub(crate) const TAKEN: Response = Response::Status(204);
pub(crate) const FAILED: Response = Response::Status(500);

impl Response {
    pub(crate) fn result(self) -> DeliveryResult {
        let status = match self {
            Self::Status(status) | Self::RetryAfter(status, _) => Some(status),
            Self::Silence => None,
        };
        let error = match status {
            Some(200..=299) => None,
            Some(_) => Some(DeliveryError::Status),
            None => Some(DeliveryError::Timeout),
        };
        DeliveryResult {
            error,
            http_status: status,
            response: None,
        }
    }

    pub(crate) fn retry_after(self) -> Option<u32> {
        match self {
            Self::RetryAfter(_, seconds) => Some(seconds),
            _ => None,
        }
    }
}

/// Report of an attempt that took 0 ms, with a `jitter` of 200.
pub(crate) fn report(attempt: &Attempt, now: Timestamp, response: Response) -> AttemptReport {
    let mut result = response.result();
    if attempt.is_dropped {
        result = DeliveryResult {
            error: Some(DeliveryError::SandboxDrop),
            ..DeliveryResult::default()
        };
    }
    AttemptReport {
        id: DeliveryId::new(Uuid::from_u128(u128::from(attempt.sequence))),
        event: sent(attempt),
        sent: SendReport {
            result,
            retry_after: response.retry_after(),
            started_at: now,
            duration_ms: 0,
        },
        jitter: 200,
    }
}

pub(crate) fn sent(attempt: &Attempt) -> SentEvent {
    SentEvent {
        id: format!("evt_{}_{}", key().store, attempt.sequence),
        kind: EventType::OrderUpdated.as_str().to_owned(),
        sequence: Some(attempt.sequence),
        order: attempt.order.map(|id| SentOrder {
            id,
            order_id: id.to_string(),
        }),
    }
}

pub(crate) fn sequences(plan: &Plan) -> Vec<u64> {
    let of_attempts = plan.attempts.iter().map(|attempt| attempt.sequence);
    let sequences: Vec<u64> = of_attempts.collect();
    let orders = plan.attempts.iter().filter_map(|attempt| attempt.order);
    let distinct: HashSet<OrderId> = orders.collect();
    assert_eq!(distinct.len(), sequences.len(), "orders differ");
    sequences
}

pub(crate) fn open(outcome: &SubscriptionOutcome) -> Vec<(u64, u32)> {
    let messages = outcome.open.iter();
    messages
        .map(|message| (message.sequence, message.attempts))
        .collect()
}
