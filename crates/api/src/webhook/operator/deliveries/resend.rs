//! Send an event again, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::ResendDelivery;
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. It has the same `id`, `type` and `sequence`, and its order as it was right after
    /// the event.
    operator "resendDelivery" at "/admin/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend";
    errors [StoreNotFound, DeliveryNotFound, WebhookDisabled];
    request ResendDelivery;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "../../examples/operator_deliveries_resend" request response;
}

async fn handle(call: ByOperator, request: Request<ResendDelivery>) -> Response {
    let deliveries = call.api.services.webhooks.deliveries.by(call.author());
    let done = deliveries
        .resend(&call.caller.operator, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
