//! Record units of an item that were misprinted.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::RecordMisprint;
use super::response::{self, ProducedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "One unit",
        request: include_str!("examples/misprint.request.json"),
        response: Some(include_str!("examples/misprint.response.json")),
    }],
    ..Operation::of_operators(
        "recordMisprint",
        "/admin/v1/production/misprint",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Record a misprint
///
/// Takes units that are not shipped back to the first step, and counts them: they must be done again at every step. Those that
/// are done at the fewest steps are taken back first.
#[utoipa::path(
    post,
    path = "/admin/v1/production/misprint",
    operation_id = "recordMisprint",
    tag = "production",
    request_body(content = RecordMisprint),
    responses((status = 200, description = "The item as it now is.", body = ProducedResponse))
)]
#[tracing::instrument(name = "api.production.misprint", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<RecordMisprint>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let (operator, by) = (&request.caller.operator, request.by());
    let recorded = production.misprint(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| request.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}
