//! Process an order now.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::CommandBody;
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Make an order ready",
        request: include_str!("examples/process_now.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "processOrderNow",
        "/app/v1/orders/process-now",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Process an order now
///
/// Ends the window in which you can change the order, so that production can begin. All items must have their files.
#[utoipa::path(
    post,
    path = "/app/v1/orders/process-now",
    operation_id = "processOrderNow",
    tag = "orders",
    request_body(content = CommandBody),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.process_now", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<CommandBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders
        .process_now(&request.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
