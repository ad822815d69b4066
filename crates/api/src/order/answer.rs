//! Answer the shop.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::AnswerBody;
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Answer what the shop needs",
        request: include_str!("examples/answer.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "answerOrder",
        "/app/v1/orders/answer",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Answer the shop
///
/// Answers what `actionNeeded` lists, for the items that wait for it. A fee is accepted or declined with `accept`; an
/// accepted fee is charged, and the items return at once.
#[utoipa::path(
    post,
    path = "/app/v1/orders/answer",
    operation_id = "answerOrder",
    tag = "orders",
    request_body(content = AnswerBody),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.answer", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<AnswerBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders.answer(&request.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
