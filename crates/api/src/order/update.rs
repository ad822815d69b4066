//! Update order: changes an order by all of a request or not at all.

use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::request::{AddressBody, CustomerBody, LineItemChangeBody};
use super::response::{self, OrderResponse};
use crate::Api;
use crate::json::{Body, Lenient, Object, Unknown, list, object};
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[
        Example {
            title: "Another address, another quantity",
            request: include_str!("examples/update.request.json"),
            response: Some(include_str!("examples/update.response.json")),
        },
        Example {
            title: "One more item",
            request: include_str!("examples/update_one_more_item.request.json"),
            response: None,
        },
    ],
    ..Operation::of_stores(
        "updateOrder",
        "/app/v1/orders/update",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Changes to an order. Optional fields that are absent or null are unchanged; an empty text or
/// object clears them.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrder {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Replaces the whole shipping address. Only optional for label orders.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole billing address.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole customer.
    #[schema(value_type = CustomerBody)]
    customer: Lenient<Object<CustomerBody>>,
    /// Items to change, add or remove. Items that are not listed are unchanged.
    #[schema(value_type = Vec<LineItemChangeBody>, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemChangeBody>>>>,
    /// The form of the response. `normal` is the only one; any other value is treated as `normal`,
    /// with a warning.
    #[schema(value_type = Option<String>, max_length = 255)]
    response_type: Lenient<String>,
    /// Replaces the note to production.
    #[schema(value_type = Option<String>, max_length = 2000)]
    production_note: Lenient<String>,
    /// Replaces your e-mail address.
    #[schema(value_type = Option<String>, format = "email", max_length = 255)]
    email: Lenient<String>,
    /// The version that you have read. If the order has another version now, nothing is changed.
    /// Required to add an item.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Why, for the history of the order.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// True checks and prices the changes without storing them, and returns the order as it would
    /// be.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

impl Body for UpdateOrder {
    type Draft = UpdateDraft;

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> UpdateDraft {
        UpdateDraft {
            order_id: self.order_id.0,
            email: self.email.0,
            shipping_address: object(self.shipping_address, &at.key("shipping_address"), unknown),
            billing_address: object(self.billing_address, &at.key("billing_address"), unknown),
            customer: object(self.customer, &at.key("customer"), unknown),
            line_items: list(self.line_items, &at.key("line_items"), unknown),
            response_type: self.response_type.0,
            production_note: self.production_note.0,
            version: self.version.0,
            reason: self.reason.0,
            dry_run: self.dry_run.0,
        }
    }
}

/// Update an order
///
/// Applies all changes of the request, or none. Fees are computed again. Possible until production
/// begins.
#[utoipa::path(
    post,
    path = "/app/v1/orders/update",
    operation_id = "updateOrder",
    tag = "orders",
    request_body(content = UpdateOrder),
    responses((status = 200, description = "The order as it now is.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.order.update", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<UpdateOrder>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let caller = request.caller()?;
    if request.draft.is_dry_run() {
        let run = orders
            .dry_run_update(&request.store, &request.draft, &caller)
            .await;
        return respond(run, request.unknown, response::dry_run_of_update);
    }
    let placed = orders.update(&request.store, &request.draft, &caller).await;
    respond(placed, request.unknown, response::updated)
}
