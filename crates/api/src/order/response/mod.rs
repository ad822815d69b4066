//! Responses to operations on orders.

mod address;
mod change;
mod event;
mod fee;
pub(crate) mod item;
mod life;
mod order;
mod page;

use actix_web::HttpResponse;
use pressline_domain::event::Role;
use pressline_domain::order::{DryRun, DryRunOrder, History, Order, Placed};
use pressline_domain::report::Warning;
use pressline_http::request_error::RequestError;
use serde::Serialize;

use crate::response::page::PageResponse;
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{already_so, json, mark_replayed};

pub(crate) use address::{AddressResponse, LabelAddress};
pub(crate) use change::ChangeResponse;
pub(crate) use event::{EventResponse, MoveResponse};
pub(crate) use life::ShipmentResponse;
pub(crate) use order::{OrderBody, View};
pub(crate) use page::page;

/// Documents the response of the operations that create, change or estimate an order.
pub(crate) type OrderResponse = ResponseOf<OrderBody<'static>>;

/// Returns the response to a call that creates an order.
pub(crate) fn created(placed: Placed, unknown: Vec<Warning>) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::stored(&placed.order, View::Created);
    new_or_replayed(body, placed.replayed, &placed.warnings, unknown)
}

/// Returns the response to an estimate, or to a dry run of a call that creates an order.
pub(crate) fn dry_run_of_create(
    run: DryRun,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let is_replay = matches!(run.order, DryRunOrder::Existing(_));
    let body = OrderBody::dry_run(&run, View::Created, Role::Store);
    new_or_replayed(body, is_replay, &run.warnings, unknown)
}

/// Returns the response to a call that changes an order.
pub(crate) fn updated(placed: Placed, unknown: Vec<Warning>) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::stored(&placed.order, View::Updated);
    order(body, "OK", &placed.warnings, unknown)
}

/// Returns the response to a command about an order.
pub(crate) fn moved(placed: Placed, unknown: Vec<Warning>) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::stored(&placed.order, View::Updated);
    if !placed.replayed {
        return order(body, "OK", &placed.warnings, unknown);
    }
    let warnings = placed.warnings.iter().cloned().chain(unknown).collect();
    already_so(body, warnings)
}

/// Returns the response with an order that was read.
pub(crate) fn found(found: Order, unknown: Vec<Warning>) -> Result<HttpResponse, RequestError> {
    order(OrderBody::stored(&found, View::Found), "OK", &[], unknown)
}

/// Returns the response to a call of an operator that changes an order.
pub(crate) fn updated_by_operator(
    placed: Placed,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::for_operator(&placed.order, View::Updated);
    order(body, "OK", &placed.warnings, unknown)
}

/// Returns the response to a call of an operator that makes an order.
pub(crate) fn created_by_operator(
    placed: Placed,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::for_operator(&placed.order, View::Updated);
    new_or_replayed(body, placed.replayed, &placed.warnings, unknown)
}

/// Returns the response to a dry run of a call of an operator.
pub(crate) fn dry_run_for_operator(
    run: DryRun,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::dry_run(&run, View::Updated, Role::Operator);
    order(body, "OK", &run.warnings, unknown)
}

/// Returns the response with a page of the history of an order.
pub(crate) fn history(
    history: History,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let History { page, currency } = &history;
    let events = page.entries.iter();
    let events = events.map(|event| EventResponse::of(event, *currency));
    json(&PageResponse::new(page, events.collect(), None, unknown))
}

/// Returns the response to a dry run of a call that changes an order.
pub(crate) fn dry_run_of_update(
    run: DryRun,
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let body = OrderBody::dry_run(&run, View::Updated, Role::Store);
    order(body, "OK", &run.warnings, unknown)
}

/// Returns the response with an order. `is_replay` says whether an earlier call with the same
/// request created it.
fn new_or_replayed(
    body: OrderBody<'_>,
    is_replay: bool,
    warnings: &[Warning],
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    if !is_replay {
        return order(body, "OK", warnings, unknown);
    }
    let mut response = order(body, "Already exists", warnings, unknown)?;
    mark_replayed(&mut response);
    Ok(response)
}

fn order(
    body: OrderBody<'_>,
    message: &str,
    warnings: &[Warning],
    unknown: Vec<Warning>,
) -> Result<HttpResponse, RequestError> {
    let warnings = warnings.iter().cloned().chain(unknown).collect();
    json(&Envelope::new(message, body, warnings))
}

/// Returns an order as a search responds with it, for callers that are not HTTP clients, such as
/// the command line.
pub fn order_document(order: &Order) -> impl Serialize + '_ {
    OrderBody::stored(order, View::Found)
}
