//! Test a webhook endpoint.

use pressline_backoffice::webhook::EndpointIdDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, DeliveryResponse};

operation! {
    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, even to a paused or disabled
    /// endpoint, and returns the delivery. The event is sent only once, and the result does not
    /// change the endpoint. The event is not in the feed.
    store "testWebhook" at "/app/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test";
    errors [WebhookNotFound];
    request OfStore<WebhookIdRequest>;
    response DeliveryResponse: "The delivery.";
    example "Try it": "examples/test" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, even to a paused or disabled
    /// endpoint, and returns the delivery. The event is sent only once, and the result does not
    /// change the endpoint. For endpoints of the print shop, the event's `storeId` is the nil UUID.
    operator "testWebhook" at "/admin/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response DeliveryResponse: "The delivery.";
    example "Try it": "examples/operator_test" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointIdDraft>>,
) -> Response {
    let tester = call.services().tester;
    let done = tester.test(call.caller(), &request.draft).await;
    respond(done, request.unknown, response::delivery)
}
