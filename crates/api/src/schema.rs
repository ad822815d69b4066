//! Schemas of values that several requests and responses share.

use pressline_backoffice::operator::ImportDraft;
use pressline_backoffice::production::Exclusion;
use pressline_backoffice::sandbox::PlayDraft;
use pressline_backoffice::statistics::GroupBy;
use pressline_backoffice::webhook::{
    DeliveryError, DeliveryStatus, DisabledReason, EnableDraft, EndpointPayload,
    SandboxWebhookDraft,
};
use pressline_domain::catalog::{AlphaRule, PrintAreaParts};
use pressline_domain::check::limits;
use pressline_domain::event::{EventType, FeedDraft, Omitted, Role};
use pressline_domain::fulfilment::{
    ActionEffect, ChangeKind, Command, Holder, ItemStatus, NeedCode, ShipmentStatus, Tracking,
};
use pressline_domain::order::request::{DecideDraft, MoveDraft};
use pressline_domain::order::{OrderKind, Source};
use pressline_domain::pricing::corrections::LineOrigin;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{ColourModel, FileFormat};
use pressline_http::value_sets;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::json::texts;

value_sets! {
    /// Status of an item.
    StatusName as "ItemStatus" = ItemStatus::ALL.map(ItemStatus::as_str);
    /// An action that a store may take.
    ActionName as "Action" = Command::offered_to(Role::Store).iter().map(|action| action.as_str());
    /// An action that an operator may take.
    OperatorActionName as "Action" = Command::offered_to(Role::Operator).iter().map(|action| action.as_str());
    /// A command of `moveOrders`.
    MoveCommandName as "MoveCommand" = Command::moving().map(|(command, _)| command.as_str());
    /// `moved`, `unchanged` if the order already had the requested state, or `refused`.
    MoveResultName as "MoveResult" = ["moved", "unchanged", "refused"];
    /// Reason why an item of a batch is excluded from production: its status, or `removed` if the
    /// order no longer contains it.
    TakenOutName as "TakenOut" = Exclusion::all().map(Exclusion::as_str);
    /// Decision on a pending change.
    DecisionName as "Decision" = DecideDraft::DECISIONS;
    /// A status that an order can be moved to in the sandbox.
    SandboxTargetName as "SandboxTarget" = PlayDraft::TARGETS.map(ItemStatus::as_str);
    /// Decision on a pending change in the sandbox.
    SandboxDecisionName as "SandboxDecision" = PlayDraft::DECISIONS;
    /// Effect of `resolve`: `return` lets the items continue, `cancelled` cancels them.
    ResolutionName as "Resolution" = MoveDraft::resolutions();
    /// `now` if the action takes effect immediately; `request` if the print shop must approve it.
    EffectName as "ActionEffect" = ActionEffect::ALL.map(ActionEffect::as_str);
    /// Kind of change that a store can request.
    ChangeKindName as "ChangeKind" = ChangeKind::ALL.map(ChangeKind::as_str);
    /// Kind of input that the print shop needs from the store.
    NeedCodeName as "NeedCode" = NeedCode::ALL.map(NeedCode::as_str);
    /// State of a shipment; `void` if it was recorded by mistake.
    ShipmentStatusName as "ShipmentStatus" = ShipmentStatus::ALL.map(ShipmentStatus::as_str);
    /// State of a parcel, as the carrier reports it: `delivered` or `returned`.
    TrackingName as "Tracking" = Tracking::ALL.map(Tracking::as_str);
    /// Who holds an item: `store` or `operator`.
    HolderName as "Holder" = Holder::ALL.map(Holder::as_str);
    /// Origin of a fee line: `rule` if it follows from a price, rate or fee schedule, `operator` if
    /// the print shop has added it.
    OriginName as "LineOrigin" = LineOrigin::ALL.map(LineOrigin::as_str);
    /// Type of an event, such as `order.created`.
    EventName as "EventType" = EventType::ALL.map(EventType::as_str);
    /// Content of events: `order` with the order right after the event, or `changes` without the
    /// order.
    IncludeName as "EventInclude" = FeedDraft::INCLUDES.map(|(name, _)| name);
    /// A part of an event that was omitted because of its size: `order` or `changes`.
    OmittedName as "EventPart" = Omitted::ALL.map(Omitted::as_str);
    /// Who changed an order. `service` for automatic changes.
    ActorName as "Actor" = Role::ALL.map(Role::as_str);
    /// Content of sent events: `full`, or `thin` with only ids and changed paths, without personal
    /// data.
    PayloadName as "WebhookPayload" = EndpointPayload::ALL.map(EndpointPayload::as_str);
    /// Treatment of an event in the sandbox.
    SandboxActionName as "SandboxAction" = SandboxWebhookDraft::ACTIONS.map(|(name, _)| name);
    /// Position at which an enabled endpoint starts: `stopped` for the event where it stopped,
    /// `now` for events from now on.
    StartName as "WebhookStart" = EnableDraft::STARTS.map(|(name, _)| name);
    /// Reason why an endpoint is disabled: `requested` by its owner, `gone` if the receiver
    /// responded with 410, `failing` after 5 days of failures.
    DisabledReasonName as "DisabledReason" = DisabledReason::ALL.map(DisabledReason::as_str);
    /// Result of an attempt to send an event: `succeeded` or `failed`.
    DeliveryStatusName as "DeliveryStatus" = DeliveryStatus::ALL.map(DeliveryStatus::as_str);
    /// Reason why an attempt to send an event failed.
    DeliveryErrorName as "DeliveryError" = DeliveryError::ALL.map(DeliveryError::as_str);
    /// `manual`, or `label` if the store prepared the shipping label.
    KindName as "OrderType" = OrderKind::ALL.map(OrderKind::as_str);
    /// `store` for orders that the store created by its own calls, `app` for imported orders and
    /// replacements.
    SourceName as "OrderSource" = Source::ALL.map(Source::as_str);
    /// The fee that a line is a part of, such as `shipping` of `shippingFee`.
    FeeName as "FeeType" = FeeType::ALL.map(FeeType::as_str);
    /// Format of a print file.
    FileFormatName as "FileFormat" = PrintAreaParts::POSSIBLE_FORMATS.map(FileFormat::as_str);
    /// Colour model of a print file. A palette counts as `rgb`.
    ColourModelName as "ColourModel" = PrintAreaParts::POSSIBLE_COLOURS.map(ColourModel::as_str);
    /// Whether a print file must or must not be transparent.
    AlphaRuleName as "AlphaRule" = AlphaRule::ALL.map(AlphaRule::as_str);
    /// Kind of rows in a catalog file: `products`, `prices`, `shipping` or `fees`.
    CatalogContentName as "CatalogContent" = ImportDraft::CONTENTS.map(|(name, _)| name);
    /// Effect of a catalog import on a variant or row.
    CatalogChangeName as "CatalogChange" = ["added", "changed", "removed"];
    /// Grouping of a report's rows.
    GroupByName as "GroupBy" = GroupBy::ALL.map(GroupBy::as_str);
}

texts! {
    StatusName, KindName, EventName, PayloadName, StartName, DeliveryStatusName, SandboxActionName,
    SandboxTargetName, SandboxDecisionName, IncludeName, GroupByName, NeedCodeName, ResolutionName,
    MoveCommandName, DecisionName, FeeName, TrackingName, CatalogContentName, OptionalUrl,
}

/// Has no format `uri`, because URLs of stores need not be ASCII.
pub(crate) struct Url;

impl ToSchema for Url {}

impl PartialSchema for Url {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[Hh][Tt][Tt][Pp][Ss]?://"))
            .into()
    }
}

/// Accepts blank strings and `null` as no URL, which the format `uri` would refuse.
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
