//! Random endpoints and deliveries.

use pressline_backoffice::webhook::{
    Delivery, DeliveryError, DeliveryResult, Disabled, DisabledReason, Endpoint, EndpointPayload,
    EndpointRecord, EndpointScope, EndpointSecret, EndpointState, Pause, Probing, SandboxAction,
    SentEvent, SentOrder, SubscriptionKey, TEST_TYPE,
};
use pressline_domain::event::EventType;
use pressline_domain::order::Order;
use pressline_domain::value::{DeliveryId, EndpointId, StoreId, Timestamp};

use super::at;
use crate::CaseError;
use crate::random::Random;

impl Random {
    /// Returns a time within a minute after `NOW`.
    fn moment(&mut self) -> Timestamp {
        at(i64::try_from(self.below(60_000)).unwrap_or(0))
    }

    /// Returns an endpoint that receives all events and has no failures.
    pub(super) fn plain_endpoint(
        &mut self,
        scope: EndpointScope,
    ) -> Result<EndpointRecord, CaseError> {
        let mut record = self.endpoint(scope)?;
        record.endpoint.types.clear();
        record.state = EndpointState::default();
        Ok(record)
    }

    /// Returns an endpoint in a random state.
    pub(super) fn endpoint(&mut self, scope: EndpointScope) -> Result<EndpointRecord, CaseError> {
        let created_at = self.moment();
        let payload = self.pick(&EndpointPayload::ALL).copied();
        let types = (0..self.below(4)).filter_map(|_| self.pick(&EventType::ALL).copied());
        let endpoint = Endpoint {
            types: types.collect(),
            id: EndpointId::new(self.uuid()),
            scope,
            url: self.url(),
            payload: payload.ok_or_else(|| CaseError::new("there is no payload"))?,
            description: self.maybe(Self::text),
            created_at,
            updated_at: self.moment(),
        };
        let mut secrets = vec![self.secret(created_at, None)];
        if self.one_in(2) {
            let expires_at = Some(self.moment());
            secrets.push(self.secret(created_at, expires_at));
        }
        Ok(EndpointRecord {
            endpoint,
            secrets,
            state: self.state(),
            version: 1,
        })
    }

    pub(super) fn secret(
        &mut self,
        created_at: Timestamp,
        expires_at: Option<Timestamp>,
    ) -> EndpointSecret {
        EndpointSecret {
            key: self.key(created_at),
            expires_at,
        }
    }

    /// Returns a random state of an endpoint.
    pub(super) fn state(&mut self) -> EndpointState {
        EndpointState {
            disabled: self.maybe(|random| Disabled {
                reason: random
                    .pick(&DisabledReason::ALL)
                    .copied()
                    .unwrap_or(DisabledReason::Gone),
                at: random.moment(),
            }),
            failures: u32::try_from(self.below(1000)).unwrap_or(0),
            failing_since: self.maybe(Self::moment),
            pause: self.maybe(|random| Pause {
                until: random.moment(),
                probing: random.maybe(|random| Probing {
                    attempts: u32::try_from(random.below(2000)).unwrap_or(0),
                    store: StoreId::new(random.uuid()),
                }),
            }),
            sandbox: self.maybe(|random| match random.below(4) {
                0 => SandboxAction::Drop,
                1 => SandboxAction::Repeat,
                2 => SandboxAction::Delay(60),
                _ => SandboxAction::Reorder,
            }),
        }
    }

    /// Returns a failed first attempt for the order's last event, which will be repeated. It
    /// started `millis` milliseconds after `NOW`.
    pub(super) fn failed(
        &mut self,
        subscription: SubscriptionKey,
        order: &Order,
        millis: i64,
    ) -> Delivery {
        let sequence = order.state.last_sequence;
        Delivery {
            id: DeliveryId::new(*self.order_id(millis).as_uuid()),
            endpoint: subscription.endpoint,
            store: subscription.store,
            event: SentEvent {
                id: format!("evt_{}_{sequence}", subscription.store),
                kind: EventType::OrderCreated.as_str().to_owned(),
                sequence: Some(sequence),
                order: Some(SentOrder {
                    id: order.content.id,
                    order_id: order.content.order_id.clone(),
                }),
            },
            attempt: 1,
            result: DeliveryResult {
                error: Some(DeliveryError::Status),
                http_status: Some(500),
                // PostgreSQL cannot store NUL in a string.
                response: Some(self.text().replace('\0', "")),
            },
            started_at: at(millis),
            duration_ms: u32::try_from(self.below(15_000)).unwrap_or(0),
            next_attempt_at: Some(at(millis + 5_000)),
        }
    }

    /// Returns a successful second attempt for the last event of `order`.
    pub(super) fn succeeded(
        &mut self,
        subscription: SubscriptionKey,
        order: &Order,
        millis: i64,
    ) -> Delivery {
        Delivery {
            attempt: 2,
            result: DeliveryResult {
                error: None,
                http_status: Some(204),
                response: Some(String::new()),
            },
            next_attempt_at: None,
            ..self.failed(subscription, order, millis)
        }
    }

    /// Returns a test delivery to an endpoint that did not respond.
    pub(super) fn test_delivery(&mut self, subscription: SubscriptionKey, millis: i64) -> Delivery {
        let id = DeliveryId::new(*self.order_id(millis).as_uuid());
        Delivery {
            id,
            endpoint: subscription.endpoint,
            store: subscription.store,
            event: SentEvent {
                id: format!("evt_{}_test_{}", subscription.store, self.uuid()),
                kind: TEST_TYPE.to_owned(),
                sequence: None,
                order: None,
            },
            attempt: 1,
            result: DeliveryResult {
                error: Some(DeliveryError::Timeout),
                http_status: None,
                response: None,
            },
            started_at: at(millis),
            duration_ms: 15_000,
            next_attempt_at: None,
        }
    }
}
