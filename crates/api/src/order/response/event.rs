//! An order's events in responses.

use pressline_domain::event::{Actor, Event, EventParts, ItemMove};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::History;
use pressline_domain::value::{ItemId, KeyId, Timestamp};
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use super::change::ChangeResponse;
use super::difference::WrittenOrder;
use super::life::ShipmentResponse;
use crate::response::Text;
use crate::schema::{ActorName, EventName, StatusName};

/// An event of an order, with its changes.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderEvent)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventResponse<'a> {
    /// Number of the event among the store's events, from `1` without a gap.
    #[schema(minimum = 1)]
    sequence: u64,
    /// `sequence` of the order's previous event; `null` for the first event.
    #[schema(required)]
    previous_sequence: Option<u64>,
    /// Version of the order after the event.
    #[schema(minimum = 1)]
    version: u32,
    /// Time of the event.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Text<Timestamp>,
    /// Type of the event, such as `order.created`.
    #[serde(rename = "type")]
    #[schema(value_type = EventName)]
    kind: &'static str,
    /// Who changed the order; `service` for automatic changes.
    #[schema(value_type = ActorName)]
    actor: &'static str,
    /// Id of the key that signed the store's request; `null` if `actor` is not `store`.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    key_id: Option<Text<KeyId>>,
    /// Reason for the change; `null` if none was given.
    #[schema(required)]
    reason: Option<&'a str>,
    /// Id of the request that changed the order; `null` if no request did.
    #[schema(required)]
    request_id: Option<&'a str>,
    /// Items with a changed status, and new or removed items.
    items: Vec<MoveResponse>,
    /// Changes of the order's fields, the same as `changes` of this event in the feed.
    changes: Vec<ChangeResponse<'a>>,
    /// The shipment that the event concerns, as it was after the event; `null` for an event without
    /// a shipment.
    #[schema(required)]
    shipment: Option<ShipmentResponse<'a>>,
}

/// Passes each event with its usual form in responses to `finish`. Returns `internal_error` if the
/// stored order is damaged, or cannot be written as JSON.
pub(crate) fn written_events<'a, T>(
    history: &'a History,
    finish: impl Fn(&'a Event, EventResponse<'a>) -> T,
) -> Result<Vec<T>, RequestError> {
    let internal =
        |error: serde_json::Error| RequestError::internal(format!("comparing an order: {error}"));
    history.map(
        |order| WrittenOrder::new(order).map_err(internal),
        |event, after, before| {
            let changes = before
                .map(|before| after.changes_since(before))
                .transpose()
                .map_err(internal)?
                .unwrap_or_default();
            Ok(finish(event, EventResponse::new(event, changes)))
        },
    )
}

impl<'a> EventResponse<'a> {
    fn new(event: &'a Event, changes: Vec<ChangeResponse<'a>>) -> Self {
        let Event { sequence, event } = event;
        // Without `..`, so that a new field is either shown or named here.
        let EventParts {
            kind,
            version,
            at,
            previous,
            actor,
            reason,
            request_id,
            items,
            shipment,
            order: _,
            changes: _,
        } = &**event;
        let key = match *actor {
            Actor::Store(key) => Some(Text(key)),
            // Stores see that an operator acted, but not their identity.
            Actor::Operator(_) | Actor::CommandLine | Actor::Service | Actor::Carrier(_) => None,
        };
        Self {
            sequence: *sequence,
            previous_sequence: previous.map(|previous| previous.sequence),
            version: *version,
            timestamp: Text(*at),
            kind: kind.as_str(),
            actor: actor.role().as_str(),
            key_id: key,
            reason: reason.as_deref(),
            request_id: request_id.as_deref(),
            items: items.iter().map(MoveResponse::new).collect(),
            changes,
            shipment: shipment.as_ref().map(ShipmentResponse::new),
        }
    }
}

/// Status of an item before and after an event.
#[derive(Serialize, ToSchema)]
#[schema(as = ItemMove)]
pub(crate) struct MoveResponse {
    /// Id of the item.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ItemId>,
    /// Status before the event; `null` for a new item.
    #[schema(value_type = Option<StatusName>, required)]
    old: Option<&'static str>,
    /// Status after the event; `null` for a removed item.
    #[schema(value_type = Option<StatusName>, required)]
    new: Option<&'static str>,
}

impl MoveResponse {
    pub(crate) fn new(moved: &ItemMove) -> Self {
        Self {
            id: Text(moved.id),
            old: moved.old.map(ItemStatus::as_str),
            new: moved.new.map(ItemStatus::as_str),
        }
    }
}
