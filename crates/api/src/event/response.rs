//! Events as receivers get them, in the feed and by webhooks.

use std::borrow::Cow;

use pressline_domain::error::Source;
use pressline_domain::event::{EventBodies, EventToWrite, FieldChange, Omitted, Payload};
use pressline_domain::id::{OrderId, ServiceOrderId, ShipmentId, StoreId};
use pressline_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::order::response::{ChangeResponse, MoveResponse, OrderBody, ShipmentResponse, View};
use crate::response::text::Text;
use crate::schema::{ActorName, EventName, OmittedName};

/// Writes events as JSON.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonEvents;

impl EventBodies for JsonEvents {
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source> {
        Ok(serde_json::to_vec(&EventDocument::of(event))?)
    }
}

/// An event of your store.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventDocument<'a> {
    /// `evt_<store id>_<sequence>`: the same each time the event is sent.
    #[schema(pattern = "^evt_[0-9a-f-]{36}_[0-9]+$")]
    id: String,
    /// What happened. There can be new types.
    #[serde(rename = "type")]
    #[schema(value_type = EventName)]
    kind: &'static str,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Text<Timestamp>,
    /// Its number among the events of your store, from 1 without a gap.
    #[schema(minimum = 1)]
    sequence: u64,
    /// The number of the order's event before it; null for the first.
    #[schema(required)]
    previous_sequence: Option<u64>,
    /// The store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// True of a test store.
    test: bool,
    /// What the event is about.
    data: EventData<'a>,
}

/// What an event is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventData<'a> {
    /// The order.
    #[schema(value_type = String, format = "uuid")]
    id: Text<OrderId>,
    /// Your id of the order.
    order_id: Cow<'a, str>,
    /// The service's number of the order.
    #[schema(value_type = String, pattern = "^[A-Z0-9]{1,12}-[0-9]+$")]
    service_order_id: Text<&'a ServiceOrderId>,
    /// The version of the order after the event.
    #[schema(minimum = 1)]
    version: u32,
    /// Who changed the order.
    #[schema(value_type = ActorName)]
    actor: &'static str,
    /// Why, if that was said; null otherwise. Absent in thin events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    reason: Option<Option<&'a str>>,
    /// The request that changed the order; null if there was none.
    #[schema(required)]
    request_id: Option<&'a str>,
    /// The items whose status changed, and those that are new or removed.
    items: Vec<MoveResponse>,
    /// What else changed; null if it is left out for size. In thin events, without the values.
    #[schema(value_type = Option<Vec<ChangeResponse<'static>>>, required)]
    changes: Option<Changes<'a>>,
    /// The shipment that the event is about, as it was after it; null if it is about none. In thin events,
    /// its id.
    #[schema(value_type = Option<ShipmentResponse<'static>>, required)]
    shipment: Option<ShipmentOfEvent<'a>>,
    /// The order as it was right after the event; null if it is left out for size. Absent in thin events,
    /// and if the request says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OrderBody<'static>>)]
    order: Option<Option<Box<OrderBody<'a>>>>,
    /// What is null because the event would have more than 65,536 bytes. Absent if nothing is. Get the
    /// order with `atVersion`, and the changes from its history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<OmittedName>, required = false)]
    omitted: Vec<&'static str>,
}

/// What changed besides statuses.
#[derive(Serialize)]
#[serde(untagged)]
enum Changes<'a> {
    Whole(Vec<ChangeResponse<'a>>),
    Thin(Vec<ChangedPath<'a>>),
}

/// A changed field without its values.
#[derive(Serialize)]
struct ChangedPath<'a> {
    path: &'a str,
}

/// The shipment of an event.
#[derive(Serialize)]
#[serde(untagged)]
enum ShipmentOfEvent<'a> {
    Whole(Box<ShipmentResponse<'a>>),
    Thin { id: Text<ShipmentId> },
}

impl<'a> EventDocument<'a> {
    fn of(to_write: &EventToWrite<'a>) -> Self {
        let event = to_write.event;
        Self {
            id: format!("evt_{}_{}", to_write.store, event.sequence),
            kind: event.event.kind.as_str(),
            timestamp: Text(event.event.at),
            sequence: event.sequence,
            previous_sequence: event.event.previous.map(|previous| previous.sequence),
            store_id: Text(to_write.store),
            test: to_write.order.content.test,
            data: EventData::of(to_write),
        }
    }
}

impl<'a> EventData<'a> {
    fn of(to_write: &EventToWrite<'a>) -> Self {
        let EventToWrite { order, omitted, .. } = *to_write;
        let event = &to_write.event.event;
        let is_thin = to_write.payload == Payload::Thin;
        let shipment = event.shipment.as_ref().map(|shipment| match is_thin {
            true => ShipmentOfEvent::Thin {
                id: Text(shipment.id),
            },
            false => ShipmentOfEvent::Whole(Box::new(ShipmentResponse::of(shipment))),
        });
        let has_changes = !omitted.contains(&Omitted::Changes);
        let has_order = !omitted.contains(&Omitted::Order);
        let shown = || Box::new(OrderBody::stored(order, View::Found));
        Self {
            id: Text(event.order),
            order_id: order.shown_order_id(),
            service_order_id: Text(&order.service_order_id),
            version: event.version,
            actor: event.actor.role().as_str(),
            reason: (!is_thin).then_some(event.reason.as_deref()),
            request_id: event.request_id.as_deref(),
            items: event.items.iter().map(MoveResponse::of).collect(),
            changes: has_changes.then(|| changes(to_write)),
            shipment,
            order: (to_write.payload == Payload::Full).then(|| has_order.then(shown)),
            omitted: omitted.iter().map(|omitted| omitted.as_str()).collect(),
        }
    }
}

fn changes<'a>(to_write: &EventToWrite<'a>) -> Changes<'a> {
    let changes: &'a [FieldChange] = &to_write.event.event.changes;
    if to_write.payload != Payload::Thin {
        let currency = to_write.order.content.currency;
        return Changes::Whole(ChangeResponse::shown(changes, currency));
    }
    let shown = changes.iter().filter(|change| change.is_shown());
    let paths = shown.map(|change| ChangedPath { path: &change.path });
    Changes::Thin(paths.collect())
}
