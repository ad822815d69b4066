//! Set the treatment of the next event of a webhook endpoint.

use pressline_backoffice::webhook::SandboxWebhookDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::schema::SandboxActionName;
use crate::webhook::{WebhookResponse, changed};

operation! {
    /// Decide what happens to the next event
    ///
    /// Drops, repeats, delays or reorders the next event for one of your test store's webhook
    /// endpoints. A later call replaces a treatment that no event has used yet.
    store "arrangeSandboxWebhook" at "/app/v1/sandbox/webhooks";
    tag "sandbox", span "api.sandbox.webhooks";
    with of_test_stores: true;
    errors [WebhookNotFound];
    request ArrangeWebhook;
    response WebhookResponse: "The endpoint.";
    example "Send the next event twice": "examples/webhooks" request;
}

/// Treatment of the next event of a webhook endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArrangeWebhook {
    /// Id of the webhook endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// `drop`: the next event is not sent, but logged as failed. `repeat`: it is sent twice.
    /// `delay`: it is sent `delaySeconds` later. `reorder`: it is sent after the next event of any
    /// order, or 10 seconds after it happened if no event follows by then.
    #[schema(value_type = SandboxActionName)]
    action: Lenient<String>,
    /// Delay in seconds. Only with `delay`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 60)]
    delay_seconds: Lenient<i64>,
}

body! {
    ArrangeWebhook => SandboxWebhookDraft {
        webhook_id, action, delay_seconds,
    }
}

async fn handle(call: Signed, request: Request<ArrangeWebhook>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let arranged = endpoints.arrange(&call.store, &request.draft).await;
    respond(arranged, request.unknown, changed)
}
