//! Test a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, DeliveryResponse};

operation! {
    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, also to a disabled endpoint, and
    /// returns the delivery. There is one attempt; its result does not change the endpoint. The
    /// event is not in the feed.
    store "testWebhook" at "/app/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test";
    errors [WebhookNotFound];
    request OfStore<WebhookIdRequest>;
    response DeliveryResponse: "The delivery.";
    example "Try it": "examples/test" request response;
}

async fn handle(call: Signed, request: Request<OfStore<WebhookIdRequest>>) -> Response {
    let tester = &call.api.services.webhooks.tester;
    let done = tester.test(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::delivery)
}
