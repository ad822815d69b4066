//! Responses to operators' operations on orders.

use pressline_backoffice::note::{Note, NotedOrder};
use pressline_backoffice::operator::OperatorNames;
use pressline_domain::check::Warning;
use pressline_domain::event::{Actor, Event, Role};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::{History, MoveResult, MovedOrder, MovedOrders};
use pressline_domain::value::Timestamp;
use pressline_http::problem::RefusalBody;
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::order::response::{EventResponse, OrderBody, View, written_events};
use crate::response::{Envelope, PageResponse, Response, ResponseOf, Text, json};
use crate::schema::{MoveResultName, StatusName};

/// An event of an order, with the name of the operator who caused it.
#[derive(Serialize, ToSchema)]
#[schema(as = OperatorEvent)]
pub(crate) struct OperatorEvent<'a> {
    #[serde(flatten)]
    event: EventResponse<'a>,
    /// Name of the operator who changed the order; `null` if no operator did.
    #[schema(required)]
    operator: Option<&'a str>,
}

impl<'a> OperatorEvent<'a> {
    fn new(event: &'a Event, shown: EventResponse<'a>, names: &'a OperatorNames) -> Self {
        let operator = match event.event.actor {
            // A carrier reports with the token of an operator, who is named.
            Actor::Operator(id) | Actor::Carrier(id) => names.get(&id).map(String::as_str),
            Actor::Store(_) | Actor::CommandLine | Actor::Service => None,
        };
        Self {
            event: shown,
            operator,
        }
    }
}

/// A note of an operator about an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderNote)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoteResponse<'a> {
    /// Text of the note.
    text: &'a str,
    /// Name of the operator who wrote the note; `null` if unknown.
    #[schema(required)]
    operator: Option<&'a str>,
    /// Time of the note.
    #[schema(value_type = String, format = DateTime)]
    created_at: Text<Timestamp>,
}

impl<'a> NoteResponse<'a> {
    fn new(note: &'a Note, names: &'a OperatorNames) -> Self {
        Self {
            text: &note.text,
            operator: names.get(&note.operator).map(String::as_str),
            created_at: Text(note.created_at),
        }
    }
}

/// An order as operators see it, with the notes about it.
#[derive(Serialize, ToSchema)]
#[schema(as = NotedOrder)]
pub(crate) struct NotedBody<'a> {
    #[serde(flatten)]
    order: OrderBody<'a>,
    /// Notes of operators, oldest first. Stores do not see them.
    notes: Vec<NoteResponse<'a>>,
}

pub(super) type NotedResponse = ResponseOf<NotedBody<'static>>;

pub(super) fn noted(noted: NotedOrder, unknown: Vec<Warning>) -> Response {
    let body = NotedBody {
        order: OrderBody::stored(&noted.order, View::Found, Role::Operator),
        notes: noted
            .notes
            .iter()
            .map(|note| NoteResponse::new(note, &noted.names))
            .collect(),
    };
    let warnings = noted.warnings.iter().cloned().chain(unknown).collect();
    json(&Envelope::new("OK", body, warnings))
}

pub(super) fn history(history: &History, names: &OperatorNames, unknown: Vec<Warning>) -> Response {
    let finish = |event, shown| OperatorEvent::new(event, shown, names);
    let events = written_events(history, finish)?;
    let warnings = history.warnings.iter().cloned().chain(unknown).collect();
    json(&PageResponse::new(&history.page, events, None, warnings))
}

/// Result for one of the orders in the call.
#[derive(Serialize, ToSchema)]
#[schema(as = MovedOrder)]
pub(crate) struct MovedResponse {
    /// Number or id of the order, as in the request.
    order_id: String,
    /// `moved`, `unchanged` if the order already had the requested state, or `refused`.
    #[schema(value_type = MoveResultName)]
    result: &'static str,
    /// Version of the order now; `null` if the order was not found.
    #[schema(required)]
    version: Option<u32>,
    /// Distinct statuses of the order's items; `null` if the order was not found.
    #[serde(rename = "itemStatuses")]
    #[schema(value_type = Option<Vec<StatusName>>, required)]
    item_statuses: Option<Vec<&'static str>>,
    /// Error of a refused order; `null` if it was not refused.
    #[schema(required)]
    error: Option<RefusalBody>,
}

impl From<MovedOrder> for MovedResponse {
    fn from(moved: MovedOrder) -> Self {
        let state = moved.order.as_ref();
        let statuses = state.map(|state| state.item_statuses.iter().copied());
        let (result, error) = match moved.result {
            Ok(MoveResult::Moved) => ("moved", None),
            Ok(MoveResult::Unchanged) => ("unchanged", None),
            Err(error) => (
                "refused",
                Some(RefusalBody::from(RequestError::from(error))),
            ),
        };
        Self {
            order_id: moved.order_id,
            result,
            version: state.map(|state| state.version),
            item_statuses: statuses.map(|statuses| statuses.map(ItemStatus::as_str).collect()),
            error,
        }
    }
}

pub(super) fn moved(moved: MovedOrders, unknown: Vec<Warning>) -> Response {
    let orders: Vec<MovedResponse> = moved.orders.into_iter().map(Into::into).collect();
    let warnings = moved.warnings.into_iter().chain(unknown).collect();
    json(&Envelope::new("OK", orders, warnings))
}
