//! Order history: the events of an order, newest first.

use pressline_domain::order::HistoryDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, EventResponse};
use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::{Response, respond};

operation! {
    /// Read the history of an order
    ///
    /// Returns the changes of an order, newest first: the time, who made the change, and the values
    /// before and after.
    store "getOrderHistory" at "/app/v1/orders/history";
    tag "orders", span "api.order.history";
    errors [OrderNotFound];
    request OrderHistory;
    response EventPage: "A page of events.";
    example "The latest events": "examples/history" request;
}

type EventPage = PageOf<EventResponse<'static>, false>;

/// Query for a page of an order's history.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct OrderHistory {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Number of events per page; default `100`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! { OrderHistory => HistoryDraft { order_id, size, cursor } }

async fn handle(call: Signed, request: Request<OrderHistory>) -> Response {
    let orders = &call.api.services.orders;
    let found = orders.history(&call.store, &request.draft).await;
    respond(found, request.unknown, response::history)
}
