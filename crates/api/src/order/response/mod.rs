//! Responses to operations on orders.

mod address;
mod change;
mod difference;
mod event;
mod fee;
pub(crate) mod item;
mod life;
mod order;
mod page;
mod view;

use pressline_domain::check::Warning;
use pressline_domain::event::Role;
use pressline_domain::order::{DryRun, DryRunOrder, History, Order, Placed, ReadOrder};
use serde::Serialize;

use crate::response::{
    Envelope, PageResponse, Response, ResponseOf, json, mark_replayed, ok_or_unchanged,
};

pub(crate) use address::{AddressResponse, LabelAddress};
pub(crate) use change::ChangeResponse;
pub(crate) use difference::WrittenOrder;
pub(crate) use event::{EventResponse, MoveResponse, written_events};
pub(crate) use life::ShipmentResponse;
pub(crate) use order::OrderBody;
pub(crate) use page::page;
pub(crate) use view::View;

pub(crate) type OrderResponse = ResponseOf<OrderBody<'static>>;

pub(crate) fn created(placed: Placed, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::stored(&placed.order, View::Created, Role::Store);
    new_or_replayed(body, placed.replayed, &placed.warnings, unknown)
}

pub(crate) fn dry_run_of_create(run: DryRun, unknown: Vec<Warning>) -> Response {
    new_order(&run, View::Created, unknown)
}

pub(crate) fn estimate(run: DryRun, unknown: Vec<Warning>) -> Response {
    new_order(&run, View::Estimated, unknown)
}

/// Shows the new order, or the existing order if an equal request has already created it.
fn new_order(run: &DryRun, view: View, unknown: Vec<Warning>) -> Response {
    let is_replay = matches!(run.order, DryRunOrder::Existing(_));
    let body = OrderBody::dry_run(run, view, Role::Store);
    new_or_replayed(body, is_replay, &run.warnings, unknown)
}

pub(crate) fn updated(placed: Placed, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::stored(&placed.order, View::Updated, Role::Store);
    order(body, "OK", &placed.warnings, unknown)
}

pub(crate) fn moved(placed: Placed, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::stored(&placed.order, View::Updated, Role::Store);
    let warnings = placed.warnings.iter().cloned().chain(unknown).collect();
    ok_or_unchanged(body, placed.replayed, warnings)
}

pub(crate) fn found(read_order: ReadOrder, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::stored(&read_order.order, View::Found, Role::Store);
    order(body, "OK", &read_order.warnings, unknown)
}

pub(crate) fn updated_by_operator(placed: Placed, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::stored(&placed.order, View::Updated, Role::Operator);
    order(body, "OK", &placed.warnings, unknown)
}

pub(crate) fn created_by_operator(placed: Placed, unknown: Vec<Warning>) -> Response {
    // Not `View::Created`, which leaves out the statuses.
    let body = OrderBody::stored(&placed.order, View::Updated, Role::Operator);
    new_or_replayed(body, placed.replayed, &placed.warnings, unknown)
}

pub(crate) fn dry_run_for_operator(run: DryRun, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::dry_run(&run, View::Updated, Role::Operator);
    order(body, "OK", &run.warnings, unknown)
}

pub(crate) fn history(history: History, unknown: Vec<Warning>) -> Response {
    let events = written_events(&history, |_, event| event)?;
    let warnings = history.warnings.iter().cloned().chain(unknown).collect();
    json(&PageResponse::new(&history.page, events, None, warnings))
}

pub(crate) fn dry_run_of_update(run: DryRun, unknown: Vec<Warning>) -> Response {
    let body = OrderBody::dry_run(&run, View::Updated, Role::Store);
    order(body, "OK", &run.warnings, unknown)
}

/// Marks the response if `is_replay`: an earlier call with an equal request created the order.
fn new_or_replayed(
    body: OrderBody<'_>,
    is_replay: bool,
    warnings: &[Warning],
    unknown: Vec<Warning>,
) -> Response {
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
) -> Response {
    let warnings = warnings.iter().cloned().chain(unknown).collect();
    json(&Envelope::new(message, body, warnings))
}

/// Returns `order` in the form of search responses, for the command line.
pub fn order_document(order: &Order) -> impl Serialize + '_ {
    OrderBody::stored(order, View::Found, Role::Store)
}
