//! Webhook endpoints and deliveries in responses, and in the output of the command line.

use pressline_backoffice::webhook::{
    Delivery, EndpointOutcome, EndpointScope, EndpointView, EndpointWithSecret,
};
use pressline_domain::page::Page;
use pressline_domain::report::Warning;
use pressline_domain::time::Timestamp;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::response::page::{PageOf, PageResponse};
use crate::response::single::{Envelope, ListOf, ResponseOf};
use crate::response::{Response, already_so, json};
use crate::schema::{
    DeliveryErrorName, DeliveryStatusName, DisabledReasonName, EventName, PayloadName,
};

/// A webhook endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDocument {
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// The store whose endpoint it is. Absent of an endpoint of the shop.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uuid")]
    store_id: Option<String>,
    /// Of an endpoint of the shop, ids of the stores that it hears; null for all. Absent of a store's endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    stores: Option<Option<Vec<String>>>,
    /// Where events are sent.
    #[schema(format = "uri")]
    url: String,
    /// Types of events that it gets. Empty for all.
    #[schema(value_type = Vec<EventName>)]
    types: Vec<&'static str>,
    /// What it gets of events.
    #[schema(value_type = PayloadName)]
    payload: &'static str,
    /// A description for people; null if there is none.
    #[schema(required)]
    description: Option<String>,
    /// Whether events are sent to it.
    enabled: bool,
    /// Why it is disabled; null if it is enabled.
    #[schema(value_type = Option<DisabledReasonName>, required)]
    disabled_reason: Option<&'static str>,
    /// When the first of the latest attempts without success began; null if the latest one succeeded.
    #[schema(format = "date-time", required)]
    failing_since: Option<String>,
    /// Nothing is sent before; null if it does not pause.
    #[schema(format = "date-time", required)]
    paused_until: Option<String>,
    /// When the secret before the latest one stops signing; null if it does not sign any more.
    #[schema(format = "date-time", required)]
    old_secret_until: Option<String>,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// When you last changed it.
    #[schema(format = "date-time")]
    updated_at: String,
    /// How far it is behind.
    lag: LagDocument,
    /// The secret that was just created, shown only now. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^whsec_[A-Za-z0-9+/]{43}=$")]
    secret: Option<String>,
}

/// How far an endpoint is behind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookLag)]
#[serde(rename_all = "camelCase")]
struct LagDocument {
    /// Events that it does not have yet, also those of other types.
    #[schema(minimum = 0)]
    events: u64,
    /// Age of the oldest of them, in seconds; 0 if there is none.
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
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// The endpoint.
    #[schema(format = "uuid")]
    webhook_id: String,
    /// The store of the event; of a test of an endpoint of the shop, the nil UUID.
    #[schema(format = "uuid")]
    store_id: String,
    /// The id of the event, which `webhook-id` has.
    event_id: String,
    /// The type of the event, which can be `webhook.test`.
    #[serde(rename = "type")]
    kind: String,
    /// The sequence of the event; null of a test.
    #[schema(minimum = 1, required)]
    sequence: Option<u64>,
    /// The store's id of the order; null if the event concerns none.
    #[schema(required)]
    order_id: Option<String>,
    /// Number of the attempt in the schedule of the event. Attempts by which an endpoint begins to pause, or is found
    /// to fail still, do not count.
    #[schema(minimum = 1)]
    attempt: u32,
    /// Whether it succeeded.
    #[schema(value_type = DeliveryStatusName)]
    status: &'static str,
    /// The status of the response; null without a response.
    #[schema(required)]
    http_status: Option<u16>,
    /// Why it failed; null if it succeeded.
    #[schema(value_type = Option<DeliveryErrorName>, required)]
    error: Option<&'static str>,
    /// When it began.
    #[schema(format = "date-time")]
    started_at: String,
    /// How long it took, in milliseconds.
    #[schema(minimum = 0)]
    duration_ms: u32,
    /// The beginning of the response's body as text; null without a response.
    #[schema(required, max_length = 1024)]
    response: Option<String>,
    /// When the event is sent again; null if this was the last attempt, or another one followed.
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

/// Events that are sent again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Queued)]
pub(super) struct QueuedDocument {
    /// How many they are.
    #[schema(minimum = 0)]
    queued: u64,
}

/// Always null. Its schema also allows an object, because generators of clients have no type for null alone.
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
pub(super) type WebhookList = ListOf<WebhookDocument>;
pub(super) type DeliveryResponse = ResponseOf<DeliveryDocument>;
pub(super) type DeliveryPage = PageOf<DeliveryDocument, false>;
pub(super) type QueuedResponse = ResponseOf<QueuedDocument>;
pub(super) type NothingResponse = ResponseOf<Nothing>;

/// Returns the response with an endpoint that was changed, or was so already.
pub(crate) fn changed(done: EndpointOutcome, unknown: Vec<Warning>) -> Response {
    let document = WebhookDocument::from(&done.view);
    let warnings = done.warnings.into_iter().chain(unknown).collect();
    if done.replayed {
        return already_so(document, warnings);
    }
    json(&Envelope::new("OK", document, warnings))
}

pub(super) fn with_secret(made: EndpointWithSecret, unknown: Vec<Warning>) -> Response {
    let document = WebhookDocument::from(&made);
    let warnings = made.outcome.warnings.into_iter().chain(unknown).collect();
    json(&Envelope::new("OK", document, warnings))
}

pub(super) fn list(found: Vec<EndpointView>, unknown: Vec<Warning>) -> Response {
    let documents: Vec<WebhookDocument> = found.iter().map(WebhookDocument::from).collect();
    json(&Envelope::new("OK", documents, unknown))
}

pub(super) fn deleted(_: (), unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", Nothing, unknown))
}

pub(super) fn delivery(made: Delivery, unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", DeliveryDocument::from(&made), unknown))
}

pub(super) fn deliveries(page: Page<Delivery>, unknown: Vec<Warning>) -> Response {
    let documents = page.entries.iter().map(DeliveryDocument::from).collect();
    json(&PageResponse::new(&page, documents, None, unknown))
}

pub(super) fn queued(queued: u64, unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", QueuedDocument { queued }, unknown))
}
