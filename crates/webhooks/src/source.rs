//! Events as lanes send them.

use bytes::Bytes;
use pressline_backoffice::webhook::{LaneEvent, SentEvent, SentOrder};
use pressline_domain::event::EventBody;

#[derive(Debug, Clone)]
pub(crate) struct SourceEvent {
    pub(crate) event: LaneEvent,
    pub(crate) sent: SentEvent,
    pub(crate) json: Bytes,
}

impl From<EventBody> for SourceEvent {
    fn from(body: EventBody) -> Self {
        Self {
            event: LaneEvent {
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
