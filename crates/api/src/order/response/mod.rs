//! Responses to operations on orders.

mod address;
mod fee;
pub(crate) mod item;
mod order;
mod page;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use pressline_domain::order::{Order, Placed, Quote, QuotedOrder};
use pressline_domain::report::Warning;
use pressline_http::problem::{Issue, issues};
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::json;

pub(crate) use address::{AddressResponse, LabelAddress};
pub(crate) use order::OrderBody;
use order::{Shown, View};
pub(crate) use page::page;

/// The header of a response to a repeated request.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The response of the operations that create, change or estimate an order.
#[derive(Serialize, ToSchema)]
pub(crate) struct OrderResponse<'a> {
    /// Always true.
    success: bool,
    /// `OK`, or `Already exists` if an earlier call with the same request created the order.
    message: &'a str,
    /// The order in its current state.
    data: OrderBody<'a>,
    /// Warnings about the request. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

/// The result of an operation on one order.
#[expect(
    clippy::large_enum_variant,
    reason = "a value is moved once, and a box would cost each create an allocation"
)]
pub(crate) enum OrderResult {
    /// The order was written, or an earlier call with the same request has written it.
    Placed(Placed),
    /// The call was a dry run or an estimate.
    Quoted(Quote),
}

impl From<Placed> for OrderResult {
    fn from(placed: Placed) -> Self {
        Self::Placed(placed)
    }
}

impl From<Quote> for OrderResult {
    fn from(quote: Quote) -> Self {
        Self::Quoted(quote)
    }
}

impl OrderResult {
    /// Returns whether an earlier call with the same request has created the order.
    fn is_replay(&self) -> bool {
        match self {
            Self::Placed(placed) => placed.replayed,
            Self::Quoted(quote) => matches!(quote.order, QuotedOrder::Existing(_)),
        }
    }

    fn warnings(&self) -> &[Warning] {
        match self {
            Self::Placed(placed) => &placed.warnings,
            Self::Quoted(quote) => &quote.warnings,
        }
    }

    fn shown(&self, view: View) -> Shown<'_> {
        match self {
            Self::Placed(placed) => Shown::stored(&placed.order, view),
            Self::Quoted(quote) => Shown::quoted(quote, view),
        }
    }
}

/// Returns the response to a call that creates an order, or estimates one.
pub(crate) fn created(
    result: OrderResult,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    if !result.is_replay() {
        return order(&result, View::Created, "OK", unknown);
    }
    let mut response = order(&result, View::Created, "Already exists", unknown)?;
    let replayed = HeaderValue::from_static("true");
    response.headers_mut().insert(REPLAYED, replayed);
    Ok(response)
}

/// Returns the response to a call that changes an order.
pub(crate) fn updated(
    result: OrderResult,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    order(&result, View::Updated, "OK", unknown)
}

fn order(
    result: &OrderResult,
    view: View,
    message: &str,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let warnings = result.warnings().iter().cloned().chain(unknown).collect();
    json(&OrderResponse {
        success: true,
        message,
        data: OrderBody::of(&result.shown(view)),
        warnings: issues(warnings),
    })
}

/// Returns an order as a search responds with it, for callers that are not HTTP clients, such as
/// the command line.
pub fn order_document(order: &Order) -> impl Serialize + '_ {
    OrderBody::of(&Shown::stored(order, View::Found))
}
