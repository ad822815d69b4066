//! Order history: the events of an order of any store, with their operators.

use pressline_backoffice::operator::OperatorNames;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Actor, Event};

use super::response::{self, OperatorEvent};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::history::OrderHistory;
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::{Response, respond};

operation! {
    /// Read the history of an order
    ///
    /// Returns the changes of an order, newest first: the time, who made the change, and the values
    /// before and after.
    operator "getOrderHistory" at "/admin/v1/orders/history";
    tag "orders", span "api.operator.history";
    errors [OrderNotFound];
    request OrderHistory;
    response EventPage: "A page of events.";
    example "The latest events": "examples/history" request response;
}

type EventPage = PageOf<OperatorEvent<'static>, false>;

async fn handle(call: ByOperator, request: Request<OrderHistory>) -> Response {
    let orders = &call.api.services.orders;
    let scope = call.scope();
    let found = orders.history(scope, &request.draft).await;
    let names = match &found {
        Ok(history) => names_in(&call, &history.page.entries).await?,
        Err(_) => OperatorNames::new(),
    };
    respond(found, request.unknown, |history, unknown| {
        response::history(&history, &names, unknown)
    })
}

/// Returns no names unless an operator or a carrier caused an event: other events show no name.
async fn names_in(call: &ByOperator, events: &[Event]) -> Result<OperatorNames, RepositoryError> {
    let is_operators =
        |event: &Event| matches!(event.event.actor, Actor::Operator(_) | Actor::Carrier(_));
    if events.iter().any(is_operators) {
        call.api.services.operators.names().await
    } else {
        Ok(OperatorNames::new())
    }
}
