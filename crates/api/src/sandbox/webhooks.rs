//! Decide what happens to the next event of a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_domain::report::Path;
use pressline_domain::webhook::SandboxWebhookDraft;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::schema::SandboxActionName;
use crate::signed::Signed;
use crate::webhook::{WebhookResponse, changed};

pub(crate) const OPERATION: Operation = Operation {
    of_test_stores: true,
    examples: &[Example {
        title: "Send the next event twice",
        request: include_str!("examples/webhooks.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "arrangeSandboxWebhook",
        "/app/v1/sandbox/webhooks",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// What happens to the next event of an endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArrangeWebhook {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// `drop`: it is not sent, and logged as failed. `repeat`: it is sent twice. `delay`: it is sent later. `reorder`:
    /// it is sent after the next event, of whichever order, at the latest after 10 seconds.
    #[schema(value_type = SandboxActionName)]
    action: Lenient<String>,
    /// With `delay`, how much later it is sent, in seconds.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 60)]
    delay_seconds: Lenient<i64>,
}

impl Body for ArrangeWebhook {
    type Draft = SandboxWebhookDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> SandboxWebhookDraft {
        SandboxWebhookDraft {
            webhook_id: self.webhook_id.0,
            action: self.action.0,
            delay_seconds: self.delay_seconds.0,
        }
    }
}

/// Decide what happens to the next event
///
/// Drops, repeats, delays or reorders the next event that is sent to one of your test store's webhook endpoints. It replaces
/// what was decided before and has not happened yet.
#[utoipa::path(
    post,
    path = "/app/v1/sandbox/webhooks",
    operation_id = "arrangeSandboxWebhook",
    tag = "sandbox",
    request_body(content = ArrangeWebhook),
    responses((status = 200, description = "The endpoint.", body = WebhookResponse))
)]
#[tracing::instrument(name = "api.sandbox.webhooks", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<ArrangeWebhook>,
) -> Result<HttpResponse, RequestError> {
    let endpoints = &api.services.webhooks.endpoints;
    let arranged = endpoints.arrange(&request.store, &request.draft).await;
    respond(arranged, request.unknown, changed)
}
