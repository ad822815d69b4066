//! Send an event again.

use pressline_backoffice::webhook::ResendDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, ResendDelivery};
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. The event keeps its `id`, `type` and `sequence`, and shows the order as it was
    /// right after the event.
    store "resendDelivery" at "/app/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend";
    errors [DeliveryNotFound, WebhookDisabled];
    request OfStore<ResendDelivery>;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "../examples/deliveries_resend" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. The event keeps its `id`, `type` and `sequence`, and shows the order as it was
    /// right after the event.
    operator "resendDelivery" at "/admin/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend";
    errors [StoreNotFound, DeliveryNotFound, WebhookDisabled];
    request ResendDelivery;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "../examples/operator_deliveries_resend" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = ResendDraft>>,
) -> Response {
    let deliveries = call.services().deliveries;
    let done = deliveries.resend(call.caller(), &request.draft).await;
    respond(done, request.unknown, response::queued)
}
