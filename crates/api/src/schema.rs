//! Schemas of values that several requests and responses have.

use pressline_backoffice::operator::ImportDraft;
use pressline_backoffice::production::Exclusion;
use pressline_backoffice::sandbox::PlayDraft;
use pressline_backoffice::statistics::GroupBy;
use pressline_backoffice::webhook::{
    DeliveryError, DeliveryStatus, DisabledReason, EnableDraft, EndpointPayload,
    SandboxWebhookDraft,
};
use pressline_domain::event::{EventType, FeedDraft, Omitted, Role};
use pressline_domain::fulfilment::{
    Action, ActionEffect, ChangeKind, Holder, ItemStatus, NeedCode, ShipmentStatus, Tracking,
};
use pressline_domain::limits;
use pressline_domain::order::request::{DecideDraft, MoveDraft};
use pressline_domain::order::{OrderKind, Source};
use pressline_domain::pricing::corrections::LineOrigin;
use pressline_domain::pricing::fees::FeeType;
use pressline_http::value_sets;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

value_sets! {
    /// The state of an item.
    StatusName as "ItemStatus" = ItemStatus::ALL.map(ItemStatus::as_str);
    /// Something that a store may do.
    ActionName as "Action" = Action::for_role(Role::Store).iter().map(|action| action.as_str());
    /// Something that an operator may do.
    OperatorActionName as "Action" = Action::for_role(Role::Operator).iter().map(|action| action.as_str());
    /// A command that moves orders.
    MoveCommandName as "MoveCommand" = MoveDraft::commands();
    /// `moved`, `unchanged` if it was so already, or `refused`.
    MoveResultName as "MoveResult" = ["moved", "unchanged", "refused"];
    /// Why an item of a batch is not produced.
    TakenOutName as "TakenOut" = Exclusion::all().map(Exclusion::as_str);
    /// What is decided about a pending change.
    DecisionName as "Decision" = DecideDraft::DECISIONS;
    /// A status that an order can be moved to in the sandbox.
    SandboxTargetName as "SandboxTarget" = PlayDraft::TARGETS.map(ItemStatus::as_str);
    /// What is decided about a pending change in the sandbox.
    SandboxDecisionName as "SandboxDecision" = PlayDraft::DECISIONS;
    /// What becomes of items for which nothing is needed any more.
    ResolutionName as "Resolution" = MoveDraft::resolutions();
    /// `now` if it is done at once, `request` if the shop decides.
    EffectName as "ActionEffect" = ActionEffect::ALL.map(ActionEffect::as_str);
    /// A kind of change that a store can ask for.
    ChangeKindName as "ChangeKind" = ChangeKind::ALL.map(ChangeKind::as_str);
    /// Why the shop needs the store.
    NeedCodeName as "NeedCode" = NeedCode::ALL.map(NeedCode::as_str);
    /// What became of a shipment.
    ShipmentStatusName as "ShipmentStatus" = ShipmentStatus::ALL.map(ShipmentStatus::as_str);
    /// What a carrier reports of a parcel.
    TrackingName as "Tracking" = Tracking::ALL.map(Tracking::as_str);
    /// Who holds an item.
    HolderName as "Holder" = Holder::ALL.map(Holder::as_str);
    /// `rule` for a line of a price, a rate or the fee schedule, `operator` for one that the shop added.
    OriginName as "LineOrigin" = LineOrigin::ALL.map(LineOrigin::as_str);
    /// What happened to an order.
    EventName as "EventType" = EventType::ALL.map(EventType::as_str);
    /// `order` or `changes`.
    IncludeName as "EventInclude" = FeedDraft::INCLUDES.map(|(name, _)| name);
    /// What is left out of an event for size.
    OmittedName as "EventPart" = Omitted::ALL.map(Omitted::as_str);
    /// Who changed an order.
    ActorName as "Actor" = Role::ALL.map(Role::as_str);
    /// `full`, or `thin`: ids and changed paths, no personal data.
    PayloadName as "WebhookPayload" = EndpointPayload::ALL.map(EndpointPayload::as_str);
    /// What happens to an event.
    SandboxActionName as "SandboxAction" = SandboxWebhookDraft::ACTIONS.map(|(name, _)| name);
    /// `stopped` or `now`.
    StartName as "WebhookStart" = EnableDraft::STARTS.map(|(name, _)| name);
    /// `requested`, `gone` if the receiver responded with 410, or `failing` if nothing succeeded for five days.
    DisabledReasonName as "DisabledReason" = DisabledReason::ALL.map(DisabledReason::as_str);
    /// Whether an attempt succeeded.
    DeliveryStatusName as "DeliveryStatus" = DeliveryStatus::ALL.map(DeliveryStatus::as_str);
    /// Why an attempt failed.
    DeliveryErrorName as "DeliveryError" = DeliveryError::ALL.map(DeliveryError::as_str);
    /// `manual`, or `label` if the store prepared the shipping label.
    KindName as "OrderType" = OrderKind::ALL.map(OrderKind::as_str);
    /// `store` for orders that came by this API, `app` for others.
    SourceName as "OrderSource" = Source::ALL.map(Source::as_str);
    /// The fee that a line is a part of, such as `shipping` of `shippingFee`.
    FeeName as "FeeType" = FeeType::ALL.map(FeeType::as_str);
    /// What a file of the catalog has.
    CatalogContentName as "CatalogContent" = ImportDraft::CONTENTS.map(|(name, _)| name);
    /// What an import does.
    CatalogChangeName as "CatalogChange" = ["added", "changed", "removed"];
    /// What figures are grouped by.
    GroupByName as "GroupBy" = GroupBy::ALL.map(GroupBy::as_str);
}

/// An entry of a list of URLs in a response.
pub(crate) struct Url;

impl ToSchema for Url {}

impl PartialSchema for Url {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("uri".to_owned())))
            .into()
    }
}

/// An entry of a list of URLs in a request. A blank text and null are an entry without a URL, so
/// that the format `uri` would refuse too much.
pub(crate) struct OptionalUrl;

impl ToSchema for OptionalUrl {}

impl PartialSchema for OptionalUrl {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .max_length(Some(limits::URL))
            .pattern(Some(r"^\s*$|^[Hh][Tt][Tt][Pp][Ss]?://[^/\s]+"))
            .into()
    }
}
