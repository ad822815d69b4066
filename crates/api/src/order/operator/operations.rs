//! Operators' operations on orders.

use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::queue::{OrdersDraft, StoresDraft};
use pressline_domain::check::{Field, limits};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Actor, Event, Role};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;

use super::request::{AddFeeLine, AddNote, DecideChange, MoveOrders, ReplaceOrder};
use super::response::{self, MovedResponse, NotedResponse, OperatorEvent};
use crate::caller::ByOperator;
use crate::json::bodies;
use crate::operation::operations;
use crate::order;
use crate::order::reading::{GetOrder, OrderHistory};
use crate::order::request::UpdateOrder;
use crate::order::response::{OrderBody, OrderResponse};
use crate::request::Request;
use crate::response::{ListOf, PageOf, Response, respond};
use crate::schema::{KindName, StatusName};

operations! {
    const OPERATIONS;

    /// Search orders
    ///
    /// Returns a page of the orders of all stores that you have access to, newest first.
    operator "searchOrders" at "/admin/v1/orders/search";
    tag "orders", span "api.operator.search", handler search;
    with kind: CallKind::Search;
    request SearchOrdersOfStores;
    response PageOf<OrderBody<'static>, false>: "A page of orders.";
    example "By name, in one store": "examples/search" request response;

    /// Get an order
    ///
    /// Returns an order of any store as it is now, or as it was at the time `asOf` or at the
    /// version `atVersion`.
    operator "getOrder" at "/admin/v1/orders/get";
    tag "orders", span "api.operator.get", handler get;
    errors [OrderNotFound];
    request GetOrder;
    response NotedResponse: "The order with the notes about it.";
    example "As it is": "examples/get" request response;

    /// Read the history of an order
    ///
    /// Returns the changes of an order, newest first: the time, who made the change, and the values
    /// before and after.
    operator "getOrderHistory" at "/admin/v1/orders/history";
    tag "orders", span "api.operator.history", handler history;
    errors [OrderNotFound];
    request OrderHistory;
    response PageOf<OperatorEvent<'static>, false>: "A page of events.";
    example "The latest events": "examples/history" request response;

    /// Move orders
    ///
    /// Applies one command to 1 to 500 orders. Each order is moved independently: the response has
    /// a result for each order, in the order of the request, and a refusal does not affect other
    /// orders. In a repeated call, orders that were already moved are `unchanged`. The response is
    /// 503 if the database was unavailable for every order.
    operator "moveOrders" at "/admin/v1/orders/move";
    tag "orders", span "api.operator.move", handler move_orders;
    with kind: CallKind::Large;
    request MoveOrders;
    response ListOf<MovedResponse>: "What became of each order.";
    example "Hold orders": "examples/move" request response;

    /// Decide a pending change
    ///
    /// Approves or refuses the change that the store has requested, or asks the store a question
    /// about it. An approved change is applied to the order as it is now. If an item can no longer
    /// be changed in this way, the call is refused, and the change stays pending.
    operator "decideChange" at "/admin/v1/orders/decide";
    tag "orders", span "api.operator.decide", handler decide;
    errors ORDER_COMMAND [OrderNotEditable];
    request DecideChange;
    response OrderResponse: "The order as it now is.";
    example "Refuse": "examples/decide" request response;

    /// Update an order
    ///
    /// Applies all changes of the request, or none, on behalf of the store. Changes of items that
    /// are already fulfilled or cancelled are refused. Fees are computed again. Absent fields
    /// remain unchanged.
    operator "updateOrder" at "/admin/v1/orders/update";
    tag "orders", span "api.operator.update", handler update;
    errors ITEM_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrder;
    response OrderResponse: "The order as it now is.";
    example "Another quantity": "examples/update" request response;

    /// Add a fee line
    ///
    /// Raises or lowers a fee of the order by a separate line, which remains whenever the order is
    /// priced again. A fee never falls below zero.
    operator "addFeeLine" at "/admin/v1/orders/fee-lines";
    tag "orders", span "api.operator.fee_lines", handler fee_lines;
    errors ITEM_COMMAND;
    request AddFeeLine;
    response OrderResponse: "The order as it now is.";
    example "A discount on shipping": "examples/fee_lines" request response;

    /// Add a note
    ///
    /// Adds a note about the order, which only operators see. The order and its `version` remain
    /// unchanged.
    operator "addNote" at "/admin/v1/orders/notes";
    tag "orders", span "api.operator.notes", handler notes;
    errors [OrderNotFound, AmbiguousOrderId];
    request AddNote;
    response NotedResponse: "The order with all notes about it.";
    example "A note": "examples/notes" request response;

    /// Replace items of an order
    ///
    /// Creates a new order that produces items of an order again. The new order has no change
    /// window, and is free unless `charge` is `true`. The fields `replaces` and `replacedBy` link
    /// both orders. A repeated call with the same `version` and content returns the order that the
    /// first call created.
    operator "replaceOrder" at "/admin/v1/orders/replace";
    tag "orders", span "api.operator.replace", handler replace;
    errors ITEM_COMMAND [DuplicateOrderId];
    request ReplaceOrder;
    response OrderResponse: "The new order.",
        replayed: "`true` if an earlier call with the same request made the order.";
    example "One unit again, free": "examples/replace" request response;
}

async fn search(call: ByOperator, request: Request<SearchOrdersOfStores>) -> Response {
    let (queue, operator) = (&call.api.services.queue, &call.caller.operator);
    let result = queue
        .orders(operator, &request.draft, limits::PAGE_SIZE)
        .await;
    respond(result, request.unknown, |page, unknown| {
        order::response::page(page, unknown, &call.api.responses, Role::Operator)
    })
}

async fn get(call: ByOperator, request: Request<GetOrder>) -> Response {
    let notes = &call.api.services.notes;
    let result = notes
        .get(call.scope(), &request.draft)
        .await
        .inspect(|noted| call.note_store_of(&noted.order));
    respond(result, request.unknown, response::noted)
}

async fn history(call: ByOperator, request: Request<OrderHistory>) -> Response {
    let orders = &call.api.services.orders;
    let scope = call.scope();
    let result = orders.read.history(scope, &request.draft).await;
    let names = match &result {
        Ok(history) => names_in(&call, &history.page.entries).await?,
        Err(_) => OperatorNames::new(),
    };
    respond(result, request.unknown, |history, unknown| {
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

async fn move_orders(call: ByOperator, request: Request<MoveOrders>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let moved = orders.moves.move_orders(scope, &request.draft, &by).await;
    respond(moved, request.unknown, response::moved)
}

async fn decide(call: ByOperator, request: Request<DecideChange>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    if request.draft.is_dry_run() {
        let run = orders
            .change
            .dry_run_decide(scope, &request.draft, &by)
            .await;
        return respond(run, request.unknown, order::response::dry_run_for_operator);
    }
    let decided = orders
        .change
        .decide_change(scope, &request.draft, &by)
        .await
        .inspect(|placed| call.note_store_of(&placed.order));
    respond(
        decided,
        request.unknown,
        order::response::updated_by_operator,
    )
}

async fn update(call: ByOperator, request: Request<UpdateOrder>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    if request.draft.is_dry_run() {
        let run = orders
            .change
            .dry_run_update(scope, &request.draft, &by)
            .await;
        return respond(run, request.unknown, order::response::dry_run_for_operator);
    }
    let updated = orders
        .change
        .update(scope, &request.draft, &by)
        .await
        .inspect(|placed| call.note_store_of(&placed.order));
    respond(
        updated,
        request.unknown,
        order::response::updated_by_operator,
    )
}

async fn fee_lines(call: ByOperator, request: Request<AddFeeLine>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let added = orders
        .change
        .correct_fees(scope, &request.draft, &by)
        .await
        .inspect(|placed| call.note_store_of(&placed.order));
    respond(added, request.unknown, order::response::updated_by_operator)
}

async fn notes(call: ByOperator, request: Request<AddNote>) -> Response {
    let notes = &call.api.services.notes;
    let (scope, operator) = (call.scope(), &call.caller.operator);
    let added = notes
        .add(scope, &request.draft, operator)
        .await
        .inspect(|noted| call.note_store_of(&noted.order));
    respond(added, request.unknown, response::noted)
}

async fn replace(call: ByOperator, request: Request<ReplaceOrder>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let replaced = orders
        .place
        .replace(scope, &request.draft, &by)
        .await
        .inspect(|placed| call.note_store_of(&placed.order));
    respond(
        replaced,
        request.unknown,
        order::response::created_by_operator,
    )
}

bodies! {
    /// Search for orders. Every field is optional; `{}` finds all orders.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchOrdersOfStores {
        /// Ids of stores. Empty for all stores that you have access to.
        stores: Option<Vec<String>>,
        /// `true` to include orders of test stores; default `false`.
        test: Option<bool>,
        /// Earliest time of creation, in milliseconds since 1970; `0` for no limit.
        from_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Latest time of creation, in milliseconds since 1970; `0` for no limit.
        to_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Words, or beginnings of words. An order matches if each is the beginning of a word in
        /// its ids, names, e-mail addresses, phone number, SKUs or item names.
        search_key: Option<String> [max_length = 255],
        /// Whole tracking number of a shipment of the order. Letter case and white space do not count.
        tracking_number: Option<String> [max_length = 255],
        /// Item statuses. Finds orders with at least one item in a listed status; if empty, all
        /// orders.
        statuses: Option<Vec<StatusName>>,
        /// Order types: `manual` or `label`. Empty for both.
        types: Option<Vec<KindName>>,
        /// Number of orders per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. All filters must be the
        /// same.
        cursor: Option<String>,
    }
    draft OrdersDraft {
        search: SearchDraft {
            from_time, to_time, search_key, statuses, types,
            paging: PageDraft { page: Field::Absent, size, cursor },
        },
        stores: StoresDraft { ids = stores, test },
        tracking_number,
    }
}
