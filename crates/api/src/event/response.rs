//! JSON form of events, in the feed and in webhooks.

use std::borrow::Cow;
use std::collections::BTreeSet;

use pressline_backoffice::webhook::{TEST_TYPE, TestBodies, TestEvent};
use pressline_domain::error::Source;
use pressline_domain::event::{
    Actor, Event, EventBodies, EventContent, EventParts, EventToWrite, Omitted, Payload, event_id,
};
use pressline_domain::fulfilment::Shipment;
use pressline_domain::order::OrderIdentity;
use pressline_domain::value::{
    EndpointId, OrderId, ServiceOrderId, ShipmentId, StoreId, Timestamp,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::order::response::{
    ChangeResponse, MoveResponse, OrderBody, ShipmentResponse, WrittenOrder,
};
use crate::response::Text;
use crate::schema::{ActorName, EventName, OmittedName};

/// Writer of the JSON form of events, for the feed and for webhooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonEvents;

impl EventBodies for JsonEvents {
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source> {
        let written = WrittenStates::new(event)?;
        Ok(serde_json::to_vec(&EventDocument::new(event, &written)?)?)
    }
}

/// Writer of the JSON of test events, which have values only for the endpoint and the actor.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonTestEvents;

impl TestBodies for JsonTestEvents {
    fn write(&self, event: &TestEvent) -> Result<Vec<u8>, Source> {
        let document = EventDocument {
            id: event.id.clone(),
            kind: TEST_TYPE,
            timestamp: Text(event.at),
            sequence: None,
            previous_sequence: None,
            store_id: Text(event.store),
            test: true,
            data: EventData::of_endpoint(event.payload.into(), event.endpoint, None),
        };
        Ok(serde_json::to_vec(&document)?)
    }
}

/// JSON of an order right after and before an event; `None` if the event's JSON does not need it.
struct WrittenStates {
    after: Option<WrittenOrder>,
    before: Option<WrittenOrder>,
}

impl WrittenStates {
    fn new(to_write: &EventToWrite<'_>) -> serde_json::Result<Self> {
        let (mut after, mut before) = (None, None);
        if let EventContent::Order {
            order, before: old, ..
        } = to_write.content
        {
            let has_changes = !to_write.omitted.contains(&Omitted::Changes);
            let has_order =
                to_write.payload == Payload::Full && !to_write.omitted.contains(&Omitted::Order);
            // Changes are a difference, so they need the order after the event, too.
            before = old.filter(|_| has_changes);
            after = order.filter(|_| has_order || before.is_some());
        }
        Ok(Self {
            after: after.map(WrittenOrder::new).transpose()?,
            before: before.map(WrittenOrder::new).transpose()?,
        })
    }

    fn changes(&self) -> serde_json::Result<Vec<ChangeResponse<'static>>> {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => after.changes_since(before),
            _ => Ok(Vec::new()),
        }
    }
}

/// An event of your store. `data` contains the event's order or webhook endpoint, and the changes.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventDocument<'a> {
    /// Id of the event: `evt_<storeId>_<sequence>`. It stays the same each time the event is sent.
    #[schema(pattern = "^evt_[0-9a-f-]{36}_[0-9]+$")]
    id: String,
    /// Type of the event, such as `order.created`. New types can be added at any time.
    #[serde(rename = "type")]
    #[schema(value_type = EventName)]
    kind: &'static str,
    /// Time of the event.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Text<Timestamp>,
    /// Number of the event among your store's events, from `1` without a gap.
    // `None` only in test events, which are not in the feed that the schema describes.
    #[schema(value_type = u64, minimum = 1, required)]
    sequence: Option<u64>,
    /// `sequence` of the order's previous event; `null` for the order's first event, and for an
    /// event without an order.
    #[schema(required)]
    previous_sequence: Option<u64>,
    /// Your store's id.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// `true` for a test store.
    test: bool,
    /// Order or webhook endpoint of the event, and the changes.
    data: EventData<'a>,
}

/// Order or webhook endpoint of an event, and the changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventData<'a> {
    /// The service's id of the order; `null` for an event without an order.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    id: Option<Text<OrderId>>,
    /// Your id of the order; `null` for an event without an order.
    #[schema(required)]
    order_id: Option<&'a str>,
    /// The service's number of the order; `null` for an event without an order.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{1,12}-[0-9]+$", required)]
    service_order_id: Option<Text<&'a ServiceOrderId>>,
    /// Version of the order after the event; `null` for an event without an order.
    #[schema(minimum = 1, required)]
    version: Option<u32>,
    /// Id of the disabled webhook endpoint. Only in events of the type `webhook.disabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    endpoint_id: Option<Text<EndpointId>>,
    /// Who caused the event; `service` for automatic changes.
    #[schema(value_type = ActorName)]
    actor: &'static str,
    /// Reason for the event; `null` if none was given. Absent in thin events.
    // Two options: thin events lack the field, other events without a reason have `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    reason: Option<Option<&'a str>>,
    /// Id of the request that changed the order; `null` if no request did.
    #[schema(required)]
    request_id: Option<&'a str>,
    /// Items with a changed status, and new or removed items.
    items: Vec<MoveResponse>,
    /// Changes of the order's fields, with paths as in responses. `version`, `updatedAt`,
    /// `itemStatuses`, `childDetails[<id>].status` and `allowedActions` are left out. Empty for the
    /// event that created the order; `null` if the event would be too large with the changes. Thin
    /// events list only paths, and leave out calculated fields, such as `totalCost`.
    #[schema(value_type = Option<Vec<ChangeResponse<'static>>>, required)]
    changes: Option<Changes<'a>>,
    /// The shipment that the event concerns, as it was after the event; `null` for an event without
    /// a shipment. Thin events show only the shipment's `id`.
    #[schema(value_type = Option<ShipmentResponse<'static>>, required)]
    shipment: Option<ShipmentOfEvent<'a>>,
    /// The order right after the event; `null` if it is omitted because of its size, and for an
    /// event without an order. Absent in thin events, and if the request's `include` is `changes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<OrderBody<'static>>)]
    order: Option<Option<&'a RawValue>>,
    /// Fields that are `null` because the event would have more than 65,536 bytes. Absent if no
    /// field was omitted. `getOrder` with `atVersion` returns the order, and `getOrderHistory` the
    /// changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<OmittedName>, required = false)]
    omitted: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Changes<'a> {
    Whole(Vec<ChangeResponse<'a>>),
    Thin(BTreeSet<ChangedPath<'a>>),
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct ChangedPath<'a> {
    path: Cow<'a, str>,
}

impl<'a> ChangedPath<'a> {
    /// Returns `None` if responses lack the field.
    fn new(recorded: &'a str) -> Option<Self> {
        let (item, name) = recorded.rsplit_once('.').unwrap_or(("", recorded));
        // The history names some fields differently, and has fields that responses lack.
        let path = match name {
            "fileUrls" => Cow::Owned(format!("{item}.files")),
            "windowEnd" => Cow::Owned(format!("{item}.editableUntil")),
            "itemCount" | "nameGiven" => return None,
            name if name.starts_with("feeLines") => Cow::Borrowed("feeLines"),
            _ => Cow::Borrowed(recorded),
        };
        Some(Self { path })
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShipmentOfEvent<'a> {
    Whole(Box<ShipmentResponse<'a>>),
    Thin { id: Text<ShipmentId> },
}

impl<'a> ShipmentOfEvent<'a> {
    fn new(shipment: &'a Shipment, is_thin: bool) -> Self {
        match is_thin {
            true => Self::Thin {
                id: Text(shipment.id),
            },
            false => Self::Whole(Box::new(ShipmentResponse::new(shipment))),
        }
    }
}

impl<'a> EventDocument<'a> {
    fn new(to_write: &EventToWrite<'a>, written: &'a WrittenStates) -> serde_json::Result<Self> {
        let content = to_write.content;
        let (previous, data) = match content {
            EventContent::Order {
                event, identity, ..
            } => (
                event.event.previous,
                EventData::of_order(to_write, event, identity, written)?,
            ),
            EventContent::EndpointDisabled { event, .. } => {
                let (endpoint, reason) = (event.endpoint, Some(event.reason.as_str()));
                let data = EventData::of_endpoint(to_write.payload, endpoint, reason);
                (None, data)
            }
        };
        Ok(Self {
            id: event_id(to_write.store, content.sequence()),
            kind: content.kind().as_str(),
            timestamp: Text(content.at()),
            sequence: Some(content.sequence()),
            previous_sequence: previous.map(|previous| previous.sequence),
            store_id: Text(to_write.store),
            test: to_write.test,
            data,
        })
    }
}

impl<'a> EventData<'a> {
    fn of_order(
        to_write: &EventToWrite<'a>,
        event: &'a Event,
        identity: &'a OrderIdentity,
        written: &'a WrittenStates,
    ) -> serde_json::Result<Self> {
        // Without `..`, so that a new field is either shown or named here. The surrounding object
        // has the type, the time and the sequences.
        let EventParts {
            order: order_id,
            version,
            actor,
            reason,
            request_id,
            items,
            changes: recorded,
            shipment,
            kind: _,
            at: _,
            previous: _,
        } = &*event.event;
        let omitted = to_write.omitted;
        let is_thin = to_write.payload == Payload::Thin;
        let shipment = shipment
            .as_ref()
            .map(|shipment| ShipmentOfEvent::new(shipment, is_thin));
        let has_changes = !omitted.contains(&Omitted::Changes);
        let changes = match is_thin {
            true => {
                // A set, because the changes of several fee lines have the same path in responses.
                Changes::Thin(
                    recorded
                        .iter()
                        .filter_map(|change| ChangedPath::new(&change.path))
                        .collect(),
                )
            }
            false => Changes::Whole(written.changes()?),
        };
        let written_order = written.after.as_ref().map(WrittenOrder::json);
        // The order may have been written only for its changes.
        let order = written_order.filter(|_| !omitted.contains(&Omitted::Order));
        Ok(Self {
            id: Some(Text(*order_id)),
            order_id: Some(&identity.order_id),
            service_order_id: Some(Text(&identity.service_order_id)),
            version: Some(*version),
            endpoint_id: None,
            actor: actor.role().as_str(),
            reason: (!is_thin).then_some(reason.as_deref()),
            request_id: request_id.as_deref(),
            items: items.iter().map(MoveResponse::new).collect(),
            changes: has_changes.then_some(changes),
            shipment,
            order: (to_write.payload == Payload::Full).then_some(order),
            omitted: omitted.iter().map(|omitted| omitted.as_str()).collect(),
        })
    }

    /// Takes the `reason` why the service disabled `endpoint`; `None` in a test event.
    fn of_endpoint(payload: Payload, endpoint: EndpointId, reason: Option<&'a str>) -> Self {
        Self {
            id: None,
            order_id: None,
            service_order_id: None,
            version: None,
            endpoint_id: Some(Text(endpoint)),
            actor: Actor::Service.role().as_str(),
            reason: (payload != Payload::Thin).then_some(reason),
            request_id: None,
            items: Vec::new(),
            // An empty list has the same JSON in the thin and the whole form.
            changes: Some(Changes::Thin(BTreeSet::new())),
            shipment: None,
            order: (payload == Payload::Full).then_some(None),
            omitted: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ChangedPath;

    #[test]
    fn thin_events_name_fields_as_responses_do() {
        let recorded = [
            "childDetails[a].fileUrls",
            "childDetails[a].nameGiven",
            "childDetails[a].windowEnd",
            "childDetails[b]",
            "feeLines[c]",
            "itemCount",
            "shippingAddress.fullName",
        ];
        let paths: Vec<String> = recorded
            .into_iter()
            .filter_map(ChangedPath::new)
            .map(|changed| changed.path.into_owned())
            .collect();
        let expected = [
            "childDetails[a].files",
            "childDetails[a].editableUntil",
            "childDetails[b]",
            "feeLines",
            "shippingAddress.fullName",
        ];
        assert_eq!(paths, expected);
    }
}
