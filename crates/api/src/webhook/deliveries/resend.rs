//! Send an event again.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{OfStore, ResendDelivery};
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send an event again
    ///
    /// Sends the event of a delivery to its endpoint again, immediately and then by the retry
    /// schedule. It has the same `id`, `type` and `sequence`, and its order as it was right after
    /// the event.
    store "resendDelivery" at "/app/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend";
    errors [DeliveryNotFound, WebhookDisabled];
    request OfStore<ResendDelivery>;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "../examples/deliveries_resend" request response;
}

async fn handle(call: Signed, request: Request<OfStore<ResendDelivery>>) -> Response {
    let deliveries = &call.api.services.webhooks.deliveries;
    let done = deliveries.resend(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::queued)
}
