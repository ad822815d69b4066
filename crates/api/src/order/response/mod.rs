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
use pressline_http::failure::Failure;
use pressline_http::problem::{Issue, issues};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::bytes;

pub(crate) use address::{AddressAnswer, LabelAddress};
use order::Shown;
pub(crate) use order::{OrderBody, View};
pub(crate) use page::page;

/// The header of an answer to a repeated request.
pub(crate) const REPLAYED: &str = "Idempotent-Replayed";

/// The answer of the operations that write an order, or say what writing it would come to.
#[derive(Serialize, ToSchema)]
pub(crate) struct OrderAnswer<'a> {
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

/// A page of orders.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchAnswer<'a> {
    /// Always true.
    success: bool,
    /// Always `OK`.
    message: &'a str,
    /// The orders, newest first.
    data: Vec<OrderBody<'a>>,
    /// The page's number; absent where a cursor was followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    page: Option<u32>,
    /// Orders on a full page.
    size: u32,
    /// Whether there is a next page.
    page_has_next: bool,
    /// Whether there is a page before.
    page_has_pre: bool,
    /// Send it back as `cursor`, with the same filters, to read the next page. Absent on the last
    /// page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<&'a str>,
    /// What was accepted but is worth knowing. Absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

/// Answers a call that wrote an order.
pub(crate) fn placed(
    placed: &Placed,
    view: View,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, Failure> {
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
) -> Result<HttpResponse, Failure> {
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
pub(crate) fn estimated(quote: &Quote, unknown: Vec<Warning>) -> Result<HttpResponse, Failure> {
    let view = match Shown::quoted(quote, View::Written).parts.kind {
        OrderKind::Manual => View::Written,
        OrderKind::Label { .. } => View::LabelWritten,
    };
    quoted(quote, view, unknown)
}

/// Returns the response to a dry run of a call that changes an order.
pub(crate) fn quoted_update(quote: &Quote, unknown: Vec<Warning>) -> Result<HttpResponse, Failure> {
    let shown = Shown::quoted(quote, View::Written);
    written(&shown, false, &quote.warnings, unknown)
}

fn written(
    shown: &Shown<'_>,
    replayed: bool,
    warnings: &[Warning],
    unknown: Vec<Warning>,
) -> Result<HttpResponse, Failure> {
    let warnings = warnings.iter().cloned().chain(unknown).collect();
    let message = if replayed { "Already exists" } else { "OK" };
    let data = OrderBody::of(shown);
    let answer = OrderAnswer {
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
        .body(bytes(&answer)?))
}

/// An order as a search answers it, for callers that are not HTTP clients, such as the command
/// line.
pub fn order_document(order: &Order) -> impl Serialize + '_ {
    OrderBody::of(&Shown::stored(order, View::Found))
}
