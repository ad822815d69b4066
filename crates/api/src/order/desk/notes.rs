//! Add a note about an order.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::AddNote;
use super::response::{self, NotedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A note",
        request: include_str!("examples/notes.request.json"),
        response: Some(include_str!("examples/notes.response.json")),
    }],
    ..Operation::of_operators(
        "addNote",
        "/admin/v1/orders/notes",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Add a note
///
/// Adds a note about the order, which only operators see. The order stays as it is, also its version.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/notes",
    operation_id = "addNote",
    tag = "orders",
    request_body(content = AddNote),
    responses((status = 200, description = "The order with all notes about it.", body = NotedResponse))
)]
#[tracing::instrument(name = "api.desk.notes", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<AddNote>,
) -> Result<HttpResponse, RequestError> {
    let notes = &api.services.notes;
    let (reach, operator) = (api.reach(&request.caller), &request.caller.operator);
    let added = notes.add(reach, &request.draft, operator).await;
    let added = added.inspect(|noted| request.note_store_of(&noted.order));
    respond(added, request.unknown, response::noted)
}
