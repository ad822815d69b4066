//! Order history: the events of an order of any store, with the names of operators.

use actix_web::{HttpResponse, web};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Actor, Event};
use pressline_domain::operator::OperatorNames;
use utoipa::OpenApi;

use super::response::{self, DeskEvent};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::history::OrderHistory;
use crate::response::page::PageOf;
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "The latest events",
        request: include_str!("examples/history.request.json"),
        response: Some(include_str!("examples/history.response.json")),
    }],
    ..Operation::of_operators(
        "getOrderHistory",
        "/admin/v1/orders/history",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response: events are not counted.
type EventPage = PageOf<DeskEvent<'static>, false>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Read the history of an order
///
/// Returns what changed of an order, newest first: when, by whom, and the values before and after.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/history",
    operation_id = "getOrderHistory",
    tag = "orders",
    request_body(content = OrderHistory),
    responses((status = 200, description = "A page of events.", body = EventPage))
)]
#[tracing::instrument(name = "api.desk.history", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<OrderHistory>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let reach = api.reach(&request.caller);
    let found = orders.history(reach, &request.draft).await;
    let names = match &found {
        Ok(history) => names_in(&api, &history.page.entries).await?,
        Err(_) => OperatorNames::new(),
    };
    respond(found, request.unknown, |history, unknown| {
        response::history(&history, &names, unknown)
    })
}

/// Returns the names of operators, where one of the events is of an operator.
async fn names_in(api: &OperatorApi, events: &[Event]) -> Result<OperatorNames, RepositoryError> {
    let is_operators =
        |event: &Event| matches!(event.event.actor, Actor::Operator(_) | Actor::Carrier(_));
    if events.iter().any(is_operators) {
        api.services.operators.names().await
    } else {
        Ok(OperatorNames::new())
    }
}
