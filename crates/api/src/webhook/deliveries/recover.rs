//! Send all events again that an endpoint did not accept.

use pressline_backoffice::webhook::RecoverDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, RecoverDeliveries};
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send all events again that an endpoint did not accept
    ///
    /// All events since `afterSequence` or `fromTime` that the endpoint has not accepted are sent
    /// again, immediately and then by the retry schedule. Events older than the delivery log,
    /// usually 30 days, are not sent.
    store "recoverDeliveries" at "/app/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover";
    errors [WebhookNotFound, WebhookDisabled];
    request OfStore<RecoverDeliveries>;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "../examples/deliveries_recover" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Send all events again that an endpoint did not accept
    ///
    /// All events since `fromTime` that the endpoint has not accepted are sent again, immediately
    /// and then by the retry schedule. With `storeId`, `afterSequence` can replace `fromTime`.
    /// Events older than the delivery log, usually 30 days, are not sent.
    operator "recoverDeliveries" at "/admin/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover";
    errors [StoreNotFound, WebhookNotFound, WebhookDisabled];
    request RecoverDeliveries;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "../examples/operator_deliveries_recover" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = RecoverDraft>>,
) -> Response {
    let deliveries = call.services().deliveries;
    let done = deliveries.recover(call.caller(), &request.draft).await;
    respond(done, request.unknown, response::queued)
}
