//! Record units of an item that are done at a step.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::RecordProduction;
use super::response::{self, ProducedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All units that wait at the step",
        request: include_str!("examples/record.request.json"),
        response: Some(include_str!("examples/record.response.json")),
    }],
    ..Operation::of_operators(
        "recordProduction",
        "/admin/v1/production/record",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Record production
///
/// Records units of an item that are done at a step. An item that is `ready` is started. No step can have more units than the
/// one before it. A repeated call finds nothing to record, and is unchanged: one without `units` if the step has done what
/// had come to it, one with `units` if all units are done, and any with the `once` of an earlier one.
#[utoipa::path(
    post,
    path = "/admin/v1/production/record",
    operation_id = "recordProduction",
    tag = "production",
    request_body(content = RecordProduction),
    responses((status = 200, description = "The item as it now is.", body = ProducedResponse))
)]
#[tracing::instrument(name = "api.production.record", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<RecordProduction>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let (operator, by) = (&request.caller.operator, request.by());
    let recorded = production.record(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| request.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}
