//! Get order: an order as it is now, or an earlier state.

use pressline_domain::order::GetDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Get an order
    ///
    /// Returns an order as it is now, or as it was at the time `asOf` or at the version
    /// `atVersion`.
    store "getOrder" at "/app/v1/orders/get";
    tag "orders", span "api.order.get";
    errors [OrderNotFound];
    request GetOrder;
    response OrderResponse: "The order.";
    example "As it was created": "examples/get" request;
}

/// Query for an order, now or in an earlier state.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GetOrder {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Shows the order as it was at this time, in milliseconds since 1970; default now. Not
    /// together with `atVersion`.
    #[serde(rename = "asOf")]
    #[schema(value_type = Option<i64>, minimum = 0)]
    as_of: Lenient<i64>,
    /// Shows the order as it was at this `version`; default the latest.
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
