//! Responses to operations on orders, written straight to bytes.

mod address;
mod fee;
pub(crate) mod item;
mod order;
mod page;

use actix_web::HttpResponse;
use pressline_domain::order::{Order, OrderKind, Placed, Quote, QuotedOrder};
use pressline_domain::report::Warning;
use pressline_http::error::OK;
use pressline_http::problem::{Issue, issues};
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::bytes;

pub(crate) use address::{AddressResponse, LabelAddress};
use order::Shown;
pub(crate) use order::{OrderBody, View};
pub(crate) use page::page;

/// The header of a response to a repeated request.
pub(crate) const REPLAYED: &str = "Idempotent-Replayed";

/// The response of the operations that write an order, or say what writing it would come to.
#[derive(Serialize, ToSchema)]
pub(crate) struct OrderResponse<'a> {
    /// Always true.
    success: bool,
    /// `OK`, or `Already exists` where the same request created the order before.
    message: &'a str,
    /// The order as it now is.
    data: OrderBody<'a>,
    /// What was accepted but is worth knowing. Absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

/// Returns the response to a call that wrote an order.
pub(crate) fn placed(
    placed: &Placed,
    view: View,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    written(
        &Shown::stored(&placed.order, view),
        placed.replayed,
        &placed.warnings,
        unknown,
    )
}

/// Returns the response to a dry run of a call that creates an order. An order that exists was created by the same
/// request.
pub(crate) fn quoted(
    quote: &Quote,
    view: View,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let replayed = matches!(quote.order, QuotedOrder::Existing(_));
    written(
        &Shown::quoted(quote, view),
        replayed,
        &quote.warnings,
        unknown,
    )
}

/// Returns the response to an estimate. It is spelled as that of the call that would create the
/// order.
pub(crate) fn estimated(
    quote: &Quote,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let view = match Shown::quoted(quote, View::Written).parts.kind() {
        OrderKind::Manual => View::Written,
        OrderKind::Label => View::LabelWritten,
    };
    quoted(quote, view, unknown)
}

/// Returns the response to a dry run of a call that changes an order.
pub(crate) fn quoted_update(
    quote: &Quote,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let shown = Shown::quoted(quote, View::Written);
    written(&shown, false, &quote.warnings, unknown)
}

fn written(
    shown: &Shown<'_>,
    replayed: bool,
    warnings: &[Warning],
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let warnings = warnings.iter().cloned().chain(unknown).collect();
    let message = if replayed { "Already exists" } else { "OK" };
    let data = OrderBody::of(shown);
    let body = OrderResponse {
        success: true,
        message,
        data,
        warnings: issues(warnings),
    };
    let mut response = HttpResponse::build(OK);
    if replayed {
        response.insert_header((REPLAYED, "true"));
    }
    Ok(response
        .content_type("application/json")
        .body(bytes(&body)?))
}

/// Returns an order as a search responds with it, for callers that are not HTTP clients, such as
/// the command line.
pub fn order_document(order: &Order) -> impl Serialize + '_ {
    OrderBody::of(&Shown::stored(order, View::Found))
}
