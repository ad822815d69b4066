//! Send all events again that an endpoint did not accept, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::RecoverDeliveries;
use crate::webhook::response::{self, QueuedResponse};

operation! {
    /// Send all events again that an endpoint did not take
    ///
    /// All events in the delivery log that the endpoint did not accept since `fromTime` are sent
    /// again, immediately and then by the retry schedule. With `storeId`, `afterSequence` can
    /// replace `fromTime`.
    operator "recoverDeliveries" at "/admin/v1/webhooks/deliveries/recover";
    tag "webhooks", span "api.webhook.deliveries.recover";
    errors [StoreNotFound, WebhookNotFound, WebhookDisabled];
    request RecoverDeliveries;
    response QueuedResponse: "How many events are sent again.";
    example "All events since a time": "../../examples/operator_deliveries_recover" request response;
}

async fn handle(call: ByOperator, request: Request<RecoverDeliveries>) -> Response {
    let deliveries = call.api.services.webhooks.deliveries.by(call.author());
    let done = deliveries
        .recover(&call.caller.operator, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
