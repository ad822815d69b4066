//! Send an event again.

use crate::intake::Request;
use crate::operation::operation;
use crate::response::{Response, respond};
use crate::signed::Signed;
use crate::webhook::request::{OfStore, ResendDelivery};
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send an event again
    ///
    /// The event of a delivery is sent again to its endpoint, at once and then by the schedule. It has the same
    /// id, type and sequence; its order is as it was right after it.
    store "resendDelivery" at "/app/v1/webhooks/deliveries/resend";
    tag "webhooks", span "api.webhook.deliveries.resend";
    request OfStore<ResendDelivery>;
    response QueuedResponse: "How many events are sent again.";
    example "Send it again": "../examples/deliveries_resend" request response;
}

async fn handle(call: Signed, request: Request<OfStore<ResendDelivery>>) -> Response {
    let deliveries = &call.api.services.webhooks.deliveries;
    let done = deliveries.resend(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::queued)
}
