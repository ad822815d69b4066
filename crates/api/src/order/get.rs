//! Get order: an order as it is, or as it was.

use actix_web::{HttpResponse, web};
use pressline_domain::order::GetDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, OrderResponse};
use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "As it was created",
        request: include_str!("examples/get.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "getOrder",
        "/app/v1/orders/get",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Which order, and of which moment.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GetOrder {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// The moment of which the order is wanted, in milliseconds since 1970. Not together with `atVersion`.
    #[serde(rename = "asOf")]
    #[schema(value_type = Option<i64>, minimum = 0)]
    as_of: Lenient<i64>,
    /// The version that is wanted.
    #[serde(rename = "atVersion")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    at_version: Lenient<i64>,
}

impl Body for GetOrder {
    type Draft = GetDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> GetDraft {
        GetDraft {
            order_id: self.order_id.0,
            as_of: self.as_of.0,
            at_version: self.at_version.0,
        }
    }
}

/// Get an order
///
/// Returns an order as it is now, or as it was at a moment or a version.
#[utoipa::path(
    post,
    path = "/app/v1/orders/get",
    operation_id = "getOrder",
    tag = "orders",
    request_body(content = GetOrder),
    responses((status = 200, description = "The order.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.order.get", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<GetOrder>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let found = orders.get(&request.store, &request.draft).await;
    respond(found, request.unknown, response::found)
}
