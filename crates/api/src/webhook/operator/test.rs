//! Test a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, DeliveryResponse};

operation! {
    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, also to a disabled endpoint, and
    /// returns the delivery. There is one attempt; its result does not change the endpoint. For
    /// endpoints of the print shop, the event's `storeId` is the nil UUID.
    operator "testWebhook" at "/admin/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response DeliveryResponse: "The delivery.";
    example "Try it": "../examples/operator_test" request response;
}

async fn handle(call: ByOperator, request: Request<WebhookIdRequest>) -> Response {
    let tester = call.api.services.webhooks.tester.by(call.author());
    let done = tester.test(&call.caller.operator, &request.draft).await;
    respond(done, request.unknown, response::delivery)
}
