//! What moves of an order, in responses: what a caller may do, what waits for a decision, and shipments.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{
    self, Answer, ItemState, Need, PendingChange, Shipment, ShippedUnits, SnapshotParts,
    window_of_all,
};
use pressline_domain::id::{ChangeId, ItemId, NeedId, ServiceOrderId, ShipmentId};
use pressline_domain::money::Currency;
use pressline_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::change::ChangeResponse;
use crate::response::money::Money;
use crate::response::text::Text;
use crate::schema::{ActionName, ChangeKindName, EffectName, NeedCodeName, ShipmentStatusName};

/// Something that you may do now.
#[derive(Serialize, ToSchema)]
#[schema(as = AllowedAction)]
pub(crate) struct ActionResponse {
    /// The action, by the name of its operation.
    #[schema(value_type = ActionName)]
    action: &'static str,
    /// `now` if it is done at once, `request` if the shop decides.
    #[schema(value_type = EffectName)]
    effect: &'static str,
}

impl ActionResponse {
    /// Returns what a reader may do with an order.
    pub(super) fn of_order(order: &SnapshotParts, reader: Role) -> Vec<Self> {
        // What stores and operators may do does not depend on the time.
        let now = order.state.updated_at;
        let actions = fulfilment::allowed_actions(order, reader, now);
        actions.into_iter().map(Self::new).collect()
    }

    /// Returns what a reader may do with an item.
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

/// What moves of an order besides its items: fields of its response.
pub(super) struct LifeResponse<'a> {
    pub(super) allowed_actions: Vec<ActionResponse>,
    pub(super) editable_until: Option<Text<Timestamp>>,
    pub(super) pending_change: Option<PendingResponse<'a>>,
    pub(super) action_needed: Vec<NeedResponse<'a>>,
    pub(super) shipments: Vec<ShipmentResponse<'a>>,
    pub(super) replaces: Option<Text<&'a ServiceOrderId>>,
    pub(super) replaced_by: Vec<Text<&'a ServiceOrderId>>,
}

impl<'a> LifeResponse<'a> {
    pub(super) fn new(order: &'a SnapshotParts, reader: Role) -> Self {
        let (state, currency) = (&order.state, order.content.currency);
        let needs = state.needs.iter();
        Self {
            allowed_actions: ActionResponse::of_order(order, reader),
            editable_until: window_of_all(state).map(Text),
            pending_change: state
                .pending
                .as_ref()
                .map(|pending| PendingResponse::new(pending, currency)),
            action_needed: needs
                .map(|need| NeedResponse::new(need, currency))
                .collect(),
            shipments: order.shipments.iter().map(ShipmentResponse::new).collect(),
            replaces: state.replaces.as_ref().map(Text),
            replaced_by: state.replaced_by.iter().map(Text).collect(),
        }
    }
}

/// A change that you have asked for and the shop has not decided.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingChange)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingResponse<'a> {
    /// Its id.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ChangeId>,
    /// What kind of change it is.
    #[schema(value_type = ChangeKindName)]
    kind: &'static str,
    /// The ids of the items that it concerns.
    #[schema(value_type = Vec<String>)]
    items: Vec<Text<ItemId>>,
    /// What an update would change.
    changes: Vec<ChangeResponse<'a>>,
    /// When a hold would end by itself; null for other changes.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    until: Option<Text<Timestamp>>,
    /// The reason that you gave.
    #[schema(required)]
    reason: Option<&'a str>,
    /// When you asked.
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

/// Something that the shop needs from you.
#[derive(Serialize, ToSchema)]
#[schema(as = ActionNeeded)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NeedResponse<'a> {
    /// Its id.
    #[schema(value_type = String, format = "uuid")]
    id: Text<NeedId>,
    /// Why.
    #[schema(value_type = NeedCodeName)]
    code: &'static str,
    /// What is needed, for people.
    #[schema(required)]
    text: Option<&'a str>,
    /// The fee to approve, in major units; null for other codes.
    #[schema(value_type = Option<f64>, required)]
    amount: Option<Money>,
    /// ISO 4217 code of `amount`, the order's.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// The ids of the items that it concerns.
    #[schema(value_type = Vec<String>)]
    items: Vec<Text<ItemId>>,
    /// When the shop asked.
    #[schema(value_type = String, format = DateTime)]
    requested_at: Text<Timestamp>,
    /// Your answer; null before you have answered.
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

/// Your answer to the shop.
#[derive(Serialize, ToSchema)]
#[schema(as = Answer)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnswerResponse<'a> {
    /// The answer in words.
    #[schema(required)]
    text: Option<&'a str>,
    /// Whether the fee is accepted; null if none was to be approved.
    #[schema(required)]
    accept: Option<bool>,
    /// When you answered.
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
    /// Its id.
    #[schema(value_type = String, format = "uuid")]
    id: Text<ShipmentId>,
    /// The shop's reference.
    #[serde(rename = "ref")]
    #[schema(required)]
    reference: Option<&'a str>,
    /// The carrier.
    #[schema(required)]
    carrier: Option<&'a str>,
    /// The carrier's number of the parcel.
    #[schema(required)]
    tracking_number: Option<&'a str>,
    /// Where the parcel can be followed: the shop's address, else that of a usual carrier.
    #[schema(format = "uri", required)]
    tracking_url: Option<String>,
    /// What became of it; `void` if it was recorded by mistake.
    #[schema(value_type = ShipmentStatusName)]
    status: &'static str,
    /// The units that it holds.
    items: Vec<UnitsResponse>,
    /// When it was handed to the carrier.
    #[schema(value_type = String, format = DateTime)]
    shipped_at: Text<Timestamp>,
    /// When it arrived.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    delivered_at: Option<Text<Timestamp>>,
    /// When it came back.
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

/// Units of one item in a shipment.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippedUnits)]
pub(crate) struct UnitsResponse {
    /// The item's id.
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
