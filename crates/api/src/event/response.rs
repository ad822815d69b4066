//! Events as receivers get them, in the feed and by webhooks.

use pressline_domain::error::Source;
use pressline_domain::event::{
    Actor, EndpointDisabled, Event, EventBodies, EventContent, EventToWrite, FieldChange, Omitted,
    Payload, event_id,
};
use pressline_domain::id::{EndpointId, OrderId, ServiceOrderId, ShipmentId, StoreId};
use pressline_domain::money::Currency;
use pressline_domain::order::{Order, OrderIdentity};
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
    /// The number of the order's event before it; null for the first, and for an event that concerns no
    /// order.
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
    /// The order; null for an event that concerns none.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    id: Option<Text<OrderId>>,
    /// Your id of the order.
    #[schema(required)]
    order_id: Option<&'a str>,
    /// The service's number of the order.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{1,12}-[0-9]+$", required)]
    service_order_id: Option<Text<&'a ServiceOrderId>>,
    /// The version of the order after the event.
    #[schema(minimum = 1, required)]
    version: Option<u32>,
    /// The webhook endpoint. Only of `webhook.disabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    endpoint_id: Option<Text<EndpointId>>,
    /// Who caused the event.
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
    /// The order as it was right after the event; null if it is left out for size, and for an event that
    /// concerns no order. Absent in thin events, and if the request says so.
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
        let content = to_write.content;
        let (previous, data) = match content {
            EventContent::Order {
                event,
                identity,
                order,
            } => (
                event.event.previous,
                EventData::of_order(to_write, event, identity, order),
            ),
            EventContent::EndpointDisabled { event, .. } => {
                (None, EventData::of_endpoint(to_write.payload, event))
            }
        };
        Self {
            id: event_id(to_write.store, content.sequence()),
            kind: content.kind().as_str(),
            timestamp: Text(content.at()),
            sequence: content.sequence(),
            previous_sequence: previous.map(|previous| previous.sequence),
            store_id: Text(to_write.store),
            test: to_write.test,
            data,
        }
    }
}

impl<'a> EventData<'a> {
    fn of_order(
        to_write: &EventToWrite<'a>,
        event: &'a Event,
        identity: &'a OrderIdentity,
        order: Option<&'a Order>,
    ) -> Self {
        let (event, omitted) = (&event.event, to_write.omitted);
        let is_thin = to_write.payload == Payload::Thin;
        let shipment = event.shipment.as_ref().map(|shipment| match is_thin {
            true => ShipmentOfEvent::Thin {
                id: Text(shipment.id),
            },
            false => ShipmentOfEvent::Whole(Box::new(ShipmentResponse::of(shipment))),
        });
        let has_changes = !omitted.contains(&Omitted::Changes);
        let changes = || changes(&event.changes, identity.currency, is_thin);
        let order = order.filter(|_| !omitted.contains(&Omitted::Order));
        let shown = order.map(|order| Box::new(OrderBody::stored(order, View::Found)));
        Self {
            id: Some(Text(event.order)),
            order_id: Some(&identity.order_id),
            service_order_id: Some(Text(&identity.service_order_id)),
            version: Some(event.version),
            endpoint_id: None,
            actor: event.actor.role().as_str(),
            reason: (!is_thin).then_some(event.reason.as_deref()),
            request_id: event.request_id.as_deref(),
            items: event.items.iter().map(MoveResponse::of).collect(),
            changes: has_changes.then(changes),
            shipment,
            order: (to_write.payload == Payload::Full).then_some(shown),
            omitted: omitted.iter().map(|omitted| omitted.as_str()).collect(),
        }
    }

    fn of_endpoint(payload: Payload, event: &'a EndpointDisabled) -> Self {
        Self {
            id: None,
            order_id: None,
            service_order_id: None,
            version: None,
            endpoint_id: Some(Text(event.endpoint)),
            actor: Actor::Service.role().as_str(),
            reason: (payload != Payload::Thin).then_some(Some(&event.reason)),
            request_id: None,
            items: Vec::new(),
            changes: Some(Changes::Thin(Vec::new())),
            shipment: None,
            order: (payload == Payload::Full).then_some(None),
            omitted: Vec::new(),
        }
    }
}

fn changes(changes: &[FieldChange], currency: Currency, is_thin: bool) -> Changes<'_> {
    if !is_thin {
        return Changes::Whole(ChangeResponse::shown(changes, currency));
    }
    let shown = changes.iter().filter(|change| change.is_shown());
    let paths = shown.map(|change| ChangedPath { path: &change.path });
    Changes::Thin(paths.collect())
}
