//! Events of an order in responses.

use pressline_domain::event::{Actor, Event, ItemMove};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::{ItemId, KeyId};
use pressline_domain::order::Order;
use pressline_domain::time::Timestamp;
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use super::change::ChangeResponse;
use super::difference::changes_between;
use super::life::ShipmentResponse;
use crate::response::text::Text;
use crate::schema::{ActorName, EventName, StatusName};

/// What changed of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderEvent)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventResponse<'a> {
    /// Its number among the events of your store, from 1 without a gap.
    #[schema(minimum = 1)]
    sequence: u64,
    /// The number of the order's event before it; null for the first.
    #[schema(required)]
    previous_sequence: Option<u64>,
    /// The version of the order after it.
    #[schema(minimum = 1)]
    version: u32,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Text<Timestamp>,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(value_type = EventName)]
    kind: &'static str,
    /// Who changed the order.
    #[schema(value_type = ActorName)]
    actor: &'static str,
    /// The id of the key that you signed the request with; null if it was not you.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    key_id: Option<Text<KeyId>>,
    /// Why, if that was said.
    #[schema(required)]
    reason: Option<&'a str>,
    /// The request that changed the order; null if there was none.
    #[schema(required)]
    request_id: Option<&'a str>,
    /// The items whose status changed, and those that are new or removed.
    items: Vec<MoveResponse>,
    /// What else changed, as in events.
    changes: Vec<ChangeResponse<'a>>,
    /// The shipment that the event is about, as it was after it; null if it is about none.
    #[schema(required)]
    shipment: Option<ShipmentResponse<'a>>,
}

impl<'a> EventResponse<'a> {
    pub(in crate::order) fn new(
        event: &'a Event,
        after: &Order,
        before: Option<&Order>,
    ) -> Result<Self, RequestError> {
        let Event { sequence, event } = event;
        let key = match event.actor {
            Actor::Store(key) => Some(Text(key)),
            // Stores see that an operator acted, and not which one.
            Actor::Operator(_) | Actor::CommandLine | Actor::Service | Actor::Carrier(_) => None,
        };
        let changes = changes_between(before, after);
        let changes = changes
            .map_err(|error| RequestError::internal(format!("comparing an order: {error}")))?;
        Ok(Self {
            sequence: *sequence,
            previous_sequence: event.previous.map(|previous| previous.sequence),
            version: event.version,
            timestamp: Text(event.at),
            kind: event.kind.as_str(),
            actor: event.actor.role().as_str(),
            key_id: key,
            reason: event.reason.as_deref(),
            request_id: event.request_id.as_deref(),
            items: event.items.iter().map(MoveResponse::new).collect(),
            changes,
            shipment: event.shipment.as_ref().map(ShipmentResponse::new),
        })
    }
}

/// The status of an item before and after an event.
#[derive(Serialize, ToSchema)]
#[schema(as = ItemMove)]
pub(crate) struct MoveResponse {
    /// The item's id.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ItemId>,
    /// The status before; null for a new item.
    #[schema(value_type = Option<StatusName>, required)]
    old: Option<&'static str>,
    /// The status after; null for an item that was removed.
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
