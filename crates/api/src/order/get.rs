//! Get order: an order as it is, or as it was.

use pressline_domain::order::GetDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, OrderResponse};
use crate::intake::Request;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::response::{Response, respond};
use crate::signed::Signed;

operation! {
    /// Get an order
    ///
    /// Returns an order as it is now, or as it was at a moment or a version.
    store "getOrder" at "/app/v1/orders/get";
    tag "orders", span "api.order.get";
    request GetOrder;
    response OrderResponse: "The order.";
    example "As it was created": "examples/get" request;
}

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

body! { GetOrder => GetDraft { order_id, as_of, at_version } }

async fn handle(call: Signed, request: Request<GetOrder>) -> Response {
    let orders = &call.api.services.orders;
    let found = orders.get(&call.store, &request.draft).await;
    respond(found, request.unknown, response::found)
}
