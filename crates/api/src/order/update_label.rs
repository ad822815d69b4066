//! Update the label of an order.

use actix_web::{HttpResponse, web};
use pressline_domain::order::request::LabelDraft;
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
        title: "Another label",
        request: include_str!("examples/update_label.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "updateOrderLabel",
        "/app/v1/orders/update-label",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Another label for an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrderLabel {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Where the other label can be fetched: an http or https URL.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    shipping_address_label: Lenient<String>,
    /// The version that you have read. If the order has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Why, for the history of the order.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
}

impl Body for UpdateOrderLabel {
    type Draft = LabelDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> LabelDraft {
        LabelDraft {
            order_id: self.order_id.0,
            version: self.version.0,
            reason: self.reason.0,
            shipping_address_label: self.shipping_address_label.0,
        }
    }
}

/// Update the label of an order
///
/// Gives a label order another label. Like an update, it is done at once while all items are early; from `ready` on it
/// becomes a change request, which the shop decides.
#[utoipa::path(
    post,
    path = "/app/v1/orders/update-label",
    operation_id = "updateOrderLabel",
    tag = "orders",
    request_body(content = UpdateOrderLabel),
    responses((status = 200, description = "The order as it now is.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.order.update_label", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<UpdateOrderLabel>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let updated = orders
        .update_label(&request.store, &request.draft, &caller)
        .await;
    respond(updated, request.unknown, response::updated)
}
