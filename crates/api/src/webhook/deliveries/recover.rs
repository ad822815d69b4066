//! Send all events again that an endpoint did not accept.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{OfStore, RecoverDeliveries};
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send all events again that an endpoint did not take
    ///
    /// All events in the delivery log that the endpoint did not accept since `afterSequence` or
    /// `fromTime` are sent again, immediately and then by the retry schedule.
    store "recoverDeliveries" at "/app/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover";
    errors [WebhookNotFound, WebhookDisabled];
    request OfStore<RecoverDeliveries>;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "../examples/deliveries_recover" request response;
}

async fn handle(call: Signed, request: Request<OfStore<RecoverDeliveries>>) -> Response {
    let deliveries = &call.api.services.webhooks.deliveries;
    let done = deliveries
        .recover(call.store.as_ref(), &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
