//! Event of the feed, with the data that a delivery needs.

use bytes::Bytes;
use pressline_backoffice::webhook::{SentEvent, SentOrder, SubscriptionEvent};
use pressline_domain::event::EventBody;

#[derive(Debug, Clone)]
pub(crate) struct SourceEvent {
    pub(crate) event: SubscriptionEvent,
    pub(crate) sent: SentEvent,
    pub(crate) json: Bytes,
}

impl From<EventBody> for SourceEvent {
    fn from(body: EventBody) -> Self {
        Self {
            event: SubscriptionEvent {
                sequence: body.sequence,
                kind: body.kind,
                order: body.order.as_ref().map(|order| order.id),
                at: body.at,
            },
            sent: SentEvent {
                id: body.id,
                kind: body.kind.as_str().to_owned(),
                sequence: Some(body.sequence),
                order: body.order.map(|order| SentOrder {
                    id: order.id,
                    order_id: order.order_id,
                }),
            },
            json: body.json.into(),
        }
    }
}
