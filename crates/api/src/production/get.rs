//! Get production: how far the items of an order have come.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::GetProduction;
use super::response::{self, OrderResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Of an order",
        request: include_str!("examples/get.request.json"),
        response: Some(include_str!("examples/get.response.json")),
    }],
    ..Operation::of_operators(
        "getProduction",
        "/admin/v1/production/get",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Get production
///
/// Returns how far the items of an order have come, with the latest records of who did what.
#[utoipa::path(
    post,
    path = "/admin/v1/production/get",
    operation_id = "getProduction",
    tag = "production",
    request_body(content = GetProduction),
    responses((status = 200, description = "The items and the records.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.production.get", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<GetProduction>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let operator = &request.caller.operator;
    let found = production.of_order(operator, &request.draft).await;
    let found = found.inspect(|found| request.note_store_of(&found.order));
    respond(found, request.unknown, |found, unknown| {
        response::order(&found, production.steps(), unknown)
    })
}
