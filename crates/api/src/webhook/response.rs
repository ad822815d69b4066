//! Webhook endpoints and deliveries in responses, and in the output of the command line.

use pressline_backoffice::webhook::{
    Delivery, DeliveryMatches, EndpointOutcome, EndpointScope, EndpointView, EndpointWithSecret,
};
use pressline_domain::check::Warning;
use pressline_domain::value::Timestamp;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::response::{Envelope, PageResponse, Response, ResponseOf, json, ok_or_unchanged};
use crate::schema::{
    DeliveryErrorName, DeliveryStatusName, DisabledReasonName, EventName, PayloadName,
};

/// A webhook endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDocument {
    /// Id of the endpoint.
    #[schema(format = "uuid")]
    id: String,
    /// Id of the store that owns the endpoint. Absent for endpoints of the print shop.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uuid")]
    store_id: Option<String>,
    /// Ids of the stores from which the endpoint receives events; `null` for all stores. Absent for
    /// endpoints of a store.
    // Two options: absent for a store's endpoint, `null` for an endpoint of all stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    stores: Option<Option<Vec<String>>>,
    /// URL that events are sent to.
    #[schema(pattern = "^[Hh][Tt][Tt][Pp][Ss]?://")]
    url: String,
    /// Event types to send. Empty for all types.
    #[schema(value_type = Vec<EventName>)]
    types: Vec<&'static str>,
    /// Content of the events: `full` or `thin`.
    #[schema(value_type = PayloadName)]
    payload: &'static str,
    /// Description for people; `null` for an endpoint without a description.
    #[schema(required)]
    description: Option<String>,
    /// Whether events are sent to the endpoint.
    enabled: bool,
    /// Reason why the endpoint is disabled; `null` if it is enabled.
    #[schema(value_type = Option<DisabledReasonName>, required)]
    disabled_reason: Option<&'static str>,
    /// Start of the first failed attempt since the last success; `null` if no attempt has failed
    /// since.
    #[schema(format = "date-time", required)]
    failing_since: Option<String>,
    /// End of the pause, before which no event is sent; `null` if the endpoint is not paused.
    #[schema(format = "date-time", required)]
    paused_until: Option<String>,
    /// Time when the previous secret stops signing; `null` if it no longer signs.
    #[schema(format = "date-time", required)]
    old_secret_until: Option<String>,
    /// Time of creation.
    #[schema(format = "date-time")]
    created_at: String,
    /// Time of the latest change, except changes by the service itself.
    #[schema(format = "date-time")]
    updated_at: String,
    /// Events that the endpoint does not have yet.
    lag: LagDocument,
    /// The new secret, which no other response shows. Only in responses that create a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^whsec_[A-Za-z0-9+/]{43}=$")]
    secret: Option<String>,
}

/// Backlog of an endpoint: events that wait to be sent to it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookLag)]
#[serde(rename_all = "camelCase")]
struct LagDocument {
    /// Number of events that the endpoint does not have yet, including events of types that are not
    /// in `types`.
    #[schema(minimum = 0)]
    events: u64,
    /// Age of the oldest event that the endpoint does not have yet, in seconds; `0` if it has all
    /// events.
    #[schema(minimum = 0)]
    oldest_seconds: u64,
}

impl From<&EndpointView> for WebhookDocument {
    fn from(view: &EndpointView) -> Self {
        let (endpoint, state) = (&view.record.endpoint, &view.record.state);
        let (store_id, stores) = match &endpoint.scope {
            EndpointScope::Store(store) => (Some(store.to_string()), None),
            EndpointScope::AllStores => (None, Some(None)),
            EndpointScope::Stores(stores) => {
                let stores = stores.iter().map(ToString::to_string).collect();
                (None, Some(Some(stores)))
            }
        };
        let text = |moment: Timestamp| moment.to_string();
        Self {
            id: endpoint.id.to_string(),
            store_id,
            stores,
            url: endpoint.url.clone(),
            types: endpoint.types.iter().map(|kind| kind.as_str()).collect(),
            payload: endpoint.payload.as_str(),
            description: endpoint.description.clone(),
            enabled: state.disabled.is_none(),
            disabled_reason: state.disabled.map(|disabled| disabled.reason.as_str()),
            failing_since: state.failing_since.map(text),
            paused_until: view.paused_until().map(text),
            old_secret_until: view.old_secret_until().map(text),
            created_at: text(endpoint.created_at),
            updated_at: text(endpoint.updated_at),
            lag: LagDocument {
                events: view.lag.events,
                oldest_seconds: view.oldest_seconds(),
            },
            // A secret is shown only in the response that creates it.
            secret: None,
        }
    }
}

impl From<&EndpointWithSecret> for WebhookDocument {
    fn from(made: &EndpointWithSecret) -> Self {
        Self {
            secret: Some(made.secret.expose().to_owned()),
            ..Self::from(&made.outcome.view)
        }
    }
}

/// An attempt to send an event to an endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDocument {
    /// Id of the delivery.
    #[schema(format = "uuid")]
    id: String,
    /// Id of the endpoint.
    #[schema(format = "uuid")]
    webhook_id: String,
    /// Id of the event's store; the nil UUID for a test of an endpoint of the print shop.
    #[schema(format = "uuid")]
    store_id: String,
    /// Id of the event, as in the header `webhook-id`.
    event_id: String,
    /// Type of the event; `webhook.test` for a test.
    #[serde(rename = "type")]
    kind: String,
    /// `sequence` of the event; `null` for a test.
    #[schema(minimum = 1, required)]
    sequence: Option<u64>,
    /// The store's id of the order; `null` for an event without an order.
    #[schema(required)]
    order_id: Option<String>,
    /// Number of the attempt in the event's retry schedule, from `1`; a resent event begins again
    /// at `1`. A failed attempt that pauses the endpoint, or follows a pause, does not count: the
    /// next attempt has the same number.
    #[schema(minimum = 1)]
    attempt: u32,
    /// Result of the attempt: `succeeded` or `failed`.
    #[schema(value_type = DeliveryStatusName)]
    status: &'static str,
    /// HTTP status of the response; `null` without a response.
    #[schema(required)]
    http_status: Option<u16>,
    /// Reason of the failure; `null` if the attempt succeeded.
    #[schema(value_type = Option<DeliveryErrorName>, required)]
    error: Option<&'static str>,
    /// Start of the attempt.
    #[schema(format = "date-time")]
    started_at: String,
    /// Duration of the attempt, in milliseconds.
    #[schema(minimum = 0)]
    duration_ms: u32,
    /// Beginning of the response's body as a string; `null` without a response.
    #[schema(required, max_length = 1024)]
    response: Option<String>,
    /// Time of the next attempt; `null` if no further attempt will be made, or if another attempt
    /// has already followed.
    #[schema(format = "date-time", required)]
    next_attempt_at: Option<String>,
}

impl From<&Delivery> for DeliveryDocument {
    fn from(delivery: &Delivery) -> Self {
        let (event, result) = (&delivery.event, &delivery.result);
        Self {
            id: delivery.id.to_string(),
            webhook_id: delivery.endpoint.to_string(),
            store_id: delivery.store.to_string(),
            event_id: event.id.clone(),
            kind: event.kind.clone(),
            sequence: event.sequence,
            order_id: event.order.as_ref().map(|order| order.order_id.clone()),
            attempt: delivery.attempt,
            status: result.status().as_str(),
            http_status: result.http_status,
            error: result.error.map(|error| error.as_str()),
            started_at: delivery.started_at.to_string(),
            duration_ms: delivery.duration_ms,
            response: result.response.clone(),
            next_attempt_at: delivery.next_attempt_at.map(|next| next.to_string()),
        }
    }
}

/// Result of resending events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Queued)]
pub(super) struct QueuedDocument {
    /// Number of events that are sent again.
    #[schema(minimum = 0)]
    queued: u64,
}

/// Always `null`. The schema also allows an object: client generators have no type for `null`.
#[derive(Debug, Serialize)]
pub(super) struct Nothing;

impl ToSchema for Nothing {}

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
            .description(Some("Always null."))
            .into()
    }
}

pub(crate) type WebhookResponse = ResponseOf<WebhookDocument>;
pub(super) type QueuedResponse = ResponseOf<QueuedDocument>;

pub(crate) fn changed(outcome: EndpointOutcome, unknown: Vec<Warning>) -> Response {
    let document = WebhookDocument::from(&outcome.view);
    let warnings = outcome.warnings.into_iter().chain(unknown).collect();
    ok_or_unchanged(document, outcome.replayed, warnings)
}

pub(super) fn with_secret(made: EndpointWithSecret, unknown: Vec<Warning>) -> Response {
    let document = WebhookDocument::from(&made);
    let warnings = made.outcome.warnings.into_iter().chain(unknown).collect();
    json(&Envelope::new("OK", document, warnings))
}

pub(super) fn list(views: Vec<EndpointView>, unknown: Vec<Warning>) -> Response {
    let documents: Vec<WebhookDocument> = views.iter().map(WebhookDocument::from).collect();
    json(&Envelope::new("OK", documents, unknown))
}

pub(super) fn deleted(_: (), unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", Nothing, unknown))
}

pub(super) fn delivery(made: Delivery, unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", DeliveryDocument::from(&made), unknown))
}

pub(super) fn deliveries(matches: DeliveryMatches, unknown: Vec<Warning>) -> Response {
    let documents = matches
        .page
        .entries
        .iter()
        .map(DeliveryDocument::from)
        .collect();
    let warnings = matches.warnings.into_iter().chain(unknown).collect();
    json(&PageResponse::new(&matches.page, documents, None, warnings))
}

pub(super) fn queued(queued: u64, unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", QueuedDocument { queued }, unknown))
}
