//! Operations on deliveries. Each is declared for stores and for operators.

use pressline_http::CallKind;

use super::caller::WebhookCall;
use super::request::{OPERATOR_FIELDS, RecoverDeliveries, ResendDelivery, SearchDeliveries};
use super::response::{self, DeliveryDocument, QueuedResponse};
use crate::operation::operations;
use crate::request::Request;
use crate::response::{PageOf, Response, respond};

operations! {
    const OPERATIONS;

    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to your endpoints, newest first. Attempts are
    /// stored for 30 days, unless the service is configured otherwise.
    store "searchDeliveries" at "/app/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search", handler search;
    with kind: CallKind::Search;
    errors [OrderNotFound, WebhookNotFound];
    request SearchDeliveries, without OPERATOR_FIELDS;
    response PageOf<DeliveryDocument, false>: "A page of deliveries.";
    example "Failed deliveries": "examples/deliveries_search" request response;

    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. The event keeps its `id`, `type` and `sequence`, and shows the order as it was
    /// right after the event.
    store "resendDelivery" at "/app/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend", handler resend;
    errors [DeliveryNotFound, WebhookDisabled];
    request ResendDelivery, without OPERATOR_FIELDS;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "examples/deliveries_resend" request response;

    /// Send all events again that an endpoint did not accept
    ///
    /// All events since `afterSequence` or `fromTime` that the endpoint has not accepted are sent
    /// again, immediately and then by the retry schedule. Events older than the delivery log,
    /// usually 30 days, are not sent.
    store "recoverDeliveries" at "/app/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover", handler recover;
    errors [WebhookNotFound, WebhookDisabled];
    request RecoverDeliveries, without OPERATOR_FIELDS;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "examples/deliveries_recover" request response;
}

operations! {
    const FOR_OPERATORS;

    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to the endpoints of the print shop, or of the
    /// store `storeId`, newest first. Attempts are stored for 30 days, unless the service is
    /// configured otherwise.
    operator "searchDeliveries" at "/admin/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search", handler search;
    with kind: CallKind::Search;
    errors [OrderNotFound, StoreNotFound, WebhookNotFound];
    request SearchDeliveries;
    response PageOf<DeliveryDocument, false>: "A page of deliveries.";
    example "Failed deliveries": "examples/operator_deliveries_search" request response;

    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. The event keeps its `id`, `type` and `sequence`, and shows the order as it was
    /// right after the event.
    operator "resendDelivery" at "/admin/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend", handler resend;
    errors [StoreNotFound, DeliveryNotFound, WebhookDisabled];
    request ResendDelivery;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "examples/operator_deliveries_resend" request response;

    /// Send all events again that an endpoint did not accept
    ///
    /// All events since `fromTime` that the endpoint has not accepted are sent again, immediately
    /// and then by the retry schedule. With `storeId`, `afterSequence` can replace `fromTime`.
    /// Events older than the delivery log, usually 30 days, are not sent.
    operator "recoverDeliveries" at "/admin/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover", handler recover;
    errors [StoreNotFound, WebhookNotFound, WebhookDisabled];
    request RecoverDeliveries;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "examples/operator_deliveries_recover" request response;
}

async fn search(call: impl WebhookCall, request: Request<SearchDeliveries>) -> Response {
    let endpoints = call.service();
    let result = endpoints.deliveries(call.caller(), &request.draft).await;
    respond(result, request.unknown, response::deliveries)
}

async fn resend(call: impl WebhookCall, request: Request<ResendDelivery>) -> Response {
    let endpoints = call.service();
    let result = endpoints.resend(call.caller(), &request.draft).await;
    respond(result, request.unknown, response::queued)
}

async fn recover(call: impl WebhookCall, request: Request<RecoverDeliveries>) -> Response {
    let endpoints = call.service();
    let result = endpoints.recover(call.caller(), &request.draft).await;
    respond(result, request.unknown, response::queued)
}
