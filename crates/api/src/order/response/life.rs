//! The changing parts of an order in responses: allowed actions, pending changes, and shipments.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{
    self, Answer, ItemState, Need, PendingChange, Shipment, ShippedUnits, SnapshotParts,
};
use pressline_domain::value::{ChangeId, Currency, ItemId, NeedId, ShipmentId, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::change::ChangeResponse;
use crate::response::{Money, Text};
use crate::schema::{ActionName, ChangeKindName, EffectName, NeedCodeName, ShipmentStatusName};

/// An action that the caller may take now.
#[derive(Serialize, ToSchema)]
#[schema(as = AllowedAction)]
pub(crate) struct ActionResponse {
    /// The action, by the name of its operation.
    #[schema(value_type = ActionName)]
    action: &'static str,
    /// `now` if the action takes effect immediately; `request` if the print shop must approve it.
    #[schema(value_type = EffectName)]
    effect: &'static str,
}

impl ActionResponse {
    pub(super) fn of_order(order: &SnapshotParts, reader: Role) -> Vec<Self> {
        // The actions of stores and operators do not depend on the time.
        let now = order.state.updated_at;
        let actions = fulfilment::allowed_actions(order, reader, now);
        actions.into_iter().map(Self::new).collect()
    }

    pub(super) fn of_item(order: &SnapshotParts, item: &ItemState, reader: Role) -> Vec<Self> {
        let now = order.state.updated_at;
        let actions = fulfilment::allowed_actions_of(order, item, reader, now);
        actions.into_iter().map(Self::new).collect()
    }

    fn new(allowed: fulfilment::AllowedAction) -> Self {
        Self {
            action: allowed.action.as_str(),
            effect: allowed.effect.as_str(),
        }
    }
}

/// A change that the store has requested and that the print shop has not decided.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingChange)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingResponse<'a> {
    /// Id of the change.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ChangeId>,
    /// Kind of the change, such as `cancel`.
    #[schema(value_type = ChangeKindName)]
    kind: &'static str,
    /// Ids of the items that the change concerns.
    #[schema(value_type = Vec<String>)]
    items: Vec<Text<ItemId>>,
    /// Changes that an `update` would make; empty for other kinds.
    changes: Vec<ChangeResponse<'a>>,
    /// Automatic end of a requested hold; `null` for a hold without an end, and for other kinds.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    until: Option<Text<Timestamp>>,
    /// The store's reason; `null` if it gave none.
    #[schema(required)]
    reason: Option<&'a str>,
    /// Time of the store's request.
    #[schema(value_type = String, format = DateTime)]
    requested_at: Text<Timestamp>,
}

impl<'a> PendingResponse<'a> {
    pub(super) fn new(pending: &'a PendingChange, currency: Currency) -> Self {
        Self {
            id: Text(pending.id),
            kind: pending.request.kind().as_str(),
            items: pending.items.iter().copied().map(Text).collect(),
            changes: ChangeResponse::requested(&pending.changes, currency),
            until: pending.request.until().map(Text),
            reason: pending.reason.as_deref(),
            requested_at: Text(pending.requested_at),
        }
    }
}

/// Input that the print shop needs from the store.
#[derive(Serialize, ToSchema)]
#[schema(as = ActionNeeded)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NeedResponse<'a> {
    /// Id of the print shop's request.
    #[schema(value_type = String, format = "uuid")]
    id: Text<NeedId>,
    /// Kind of the input that the print shop needs from the store.
    #[schema(value_type = NeedCodeName)]
    code: &'static str,
    /// The same in words, for people; `null` if `code` says all.
    #[schema(required)]
    text: Option<&'a str>,
    /// Fee to approve, in major units of `currency`; `null` if `code` is not `fee_approval`.
    #[schema(value_type = Option<f64>, required)]
    amount: Option<Money>,
    /// ISO 4217 code of `amount`: the order's currency.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// Ids of the items that wait for the store's answer.
    #[schema(value_type = Vec<String>)]
    items: Vec<Text<ItemId>>,
    /// Time of the print shop's request.
    #[schema(value_type = String, format = DateTime)]
    requested_at: Text<Timestamp>,
    /// The store's answer; `null` before it has answered.
    #[schema(required)]
    answer: Option<AnswerResponse<'a>>,
}

impl<'a> NeedResponse<'a> {
    pub(super) fn new(need: &'a Need, currency: Currency) -> Self {
        Self {
            id: Text(need.id),
            code: need.code.as_str(),
            text: need.text.as_deref(),
            amount: need.amount.map(|amount| Money(amount, currency)),
            currency: currency.code(),
            items: need.items.iter().copied().map(Text).collect(),
            requested_at: Text(need.requested_at),
            answer: need.answer.as_ref().map(AnswerResponse::new),
        }
    }
}

/// The store's answer to the print shop.
#[derive(Serialize, ToSchema)]
#[schema(as = Answer)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnswerResponse<'a> {
    /// The answer in words.
    #[schema(required)]
    text: Option<&'a str>,
    /// Whether the fee is accepted; `null` if no fee was to be approved.
    #[schema(required)]
    accept: Option<bool>,
    /// Time of the store's answer.
    #[schema(value_type = String, format = DateTime)]
    answered_at: Text<Timestamp>,
}

impl<'a> AnswerResponse<'a> {
    fn new(answer: &'a Answer) -> Self {
        Self {
            text: answer.text.as_deref(),
            accept: answer.accept,
            answered_at: Text(answer.answered_at),
        }
    }
}

/// A parcel with units of the order.
#[derive(Serialize, ToSchema)]
#[schema(as = Shipment)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentResponse<'a> {
    /// Id of the shipment.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ShipmentId>,
    /// The print shop's reference of the shipment; `null` if the shipment has none.
    #[serde(rename = "ref")]
    #[schema(required)]
    reference: Option<&'a str>,
    /// Name of the carrier; `null` if unknown.
    #[schema(required)]
    carrier: Option<&'a str>,
    /// Tracking number of the parcel; `null` if unknown.
    #[schema(required)]
    tracking_number: Option<&'a str>,
    /// URL to track the parcel: the URL that the print shop has set, else the URL of a well-known
    /// carrier; `null` otherwise.
    #[schema(pattern = "^[Hh][Tt][Tt][Pp][Ss]?://", required)]
    tracking_url: Option<String>,
    /// State of the parcel; `void` if it was recorded by mistake.
    #[schema(value_type = ShipmentStatusName)]
    status: &'static str,
    /// Units in the parcel.
    items: Vec<UnitsResponse>,
    /// Time of the handover to the carrier.
    #[schema(value_type = String, format = DateTime)]
    shipped_at: Text<Timestamp>,
    /// Time of the arrival; `null` before.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    delivered_at: Option<Text<Timestamp>>,
    /// Time of the return; `null` before.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    returned_at: Option<Text<Timestamp>>,
}

impl<'a> ShipmentResponse<'a> {
    pub(crate) fn new(shipment: &'a Shipment) -> Self {
        Self {
            id: Text(shipment.id),
            reference: shipment.reference.as_deref(),
            carrier: shipment.carrier.as_deref(),
            tracking_number: shipment.tracking_number.as_deref(),
            tracking_url: shipment.tracking_address(),
            status: shipment.status.as_str(),
            items: shipment.items.iter().map(UnitsResponse::new).collect(),
            shipped_at: Text(shipment.shipped_at),
            delivered_at: shipment.delivered_at.map(Text),
            returned_at: shipment.returned_at.map(Text),
        }
    }
}

/// Units of an item in a shipment.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippedUnits)]
pub(crate) struct UnitsResponse {
    /// Id of the item.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ItemId>,
    /// Number of units.
    #[schema(minimum = 1)]
    quantity: u32,
}

impl UnitsResponse {
    fn new(units: &ShippedUnits) -> Self {
        Self {
            id: Text(units.id),
            quantity: units.quantity,
        }
    }
}
