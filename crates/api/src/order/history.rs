//! Order history: the events of an order, newest first.

use actix_web::{HttpResponse, web};
use pressline_domain::order::HistoryDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, EventResponse};
use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::response::page::PageOf;
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "The latest events",
        request: include_str!("examples/history.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "getOrderHistory",
        "/app/v1/orders/history",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response: events are not counted.
type EventPage = PageOf<EventResponse<'static>, false>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Which order, and which part of its history.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct OrderHistory {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Events on a page; 100 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for OrderHistory {
    type Draft = HistoryDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> HistoryDraft {
        HistoryDraft {
            order_id: self.order_id.0,
            size: self.size.0,
            cursor: self.cursor.0,
        }
    }
}

/// Read the history of an order
///
/// Returns what changed of an order, newest first: when, by whom, and the values before and after.
#[utoipa::path(
    post,
    path = "/app/v1/orders/history",
    operation_id = "getOrderHistory",
    tag = "orders",
    request_body(content = OrderHistory),
    responses((status = 200, description = "A page of events.", body = EventPage))
)]
#[tracing::instrument(name = "api.order.history", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<OrderHistory>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let found = orders.history(&request.store, &request.draft).await;
    respond(found, request.unknown, response::history)
}
