//! Stores' operations that read orders.

use pressline_domain::event::Role;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{GetDraft, HistoryDraft};
use pressline_domain::store::SignatureForm;
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;

use super::response::{self, EventResponse, OrderBody, OrderResponse};
use crate::caller::{Access, Signed};
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{PageOf, Response, respond};
use crate::schema::{KindName, StatusName};

operations! {
    const OPERATIONS;

    /// Search orders
    ///
    /// Returns a page of orders, newest first. Served at `/app/v1/orders/search` and
    /// `/api/v1/orders/search`. If your store allows searches without a signature, you can leave
    /// the signature out; a wrong signature is refused in any case.
    store "searchOrders" at "/app/v1/orders/search",
        "searchOrdersAtOtherPath" at "/api/v1/orders/search";
    tag "orders", span "api.order.search", handler search;
    with access: Access::Signed(SignatureForm::PlainOrNone),
        // Searches have their own limit, so that other calls find free connections (ADR 4).
        kind: CallKind::Search;
    request SearchOrders;
    response PageOf<OrderBody<'static>, false>: "A page of orders.";
    example "Everything": "examples/search" request;
    example "By name, in June 2024": "examples/search_by_name_in_june" request response;

    /// Get an order
    ///
    /// Returns an order as it is now, or as it was at the time `asOf` or at the version
    /// `atVersion`.
    store "getOrder" at "/app/v1/orders/get";
    tag "orders", span "api.order.get", handler get;
    errors [OrderNotFound];
    request GetOrder;
    response OrderResponse: "The order.";
    example "As it was created": "examples/get" request;

    /// Read the history of an order
    ///
    /// Returns the changes of an order, newest first: the time, who made the change, and the values
    /// before and after.
    store "getOrderHistory" at "/app/v1/orders/history";
    tag "orders", span "api.order.history", handler history;
    errors [OrderNotFound];
    request OrderHistory;
    response PageOf<EventResponse<'static>, false>: "A page of events.";
    example "The latest events": "examples/history" request;
}

async fn search(call: Signed, request: Request<SearchOrders>) -> Response {
    let orders = &call.api.services.orders;
    let result = orders.read.search(&call.store, &request.draft).await;
    respond(result, request.unknown, |page, unknown| {
        response::page(page, unknown, &call.api.responses, Role::Store)
    })
}

async fn get(call: Signed, request: Request<GetOrder>) -> Response {
    let orders = &call.api.services.orders;
    let result = orders.read.get(&call.store, &request.draft).await;
    respond(result, request.unknown, response::found)
}

async fn history(call: Signed, request: Request<OrderHistory>) -> Response {
    let orders = &call.api.services.orders;
    let result = orders.read.history(&call.store, &request.draft).await;
    respond(result, request.unknown, response::history)
}

bodies! {
    /// Search for orders. Every field is optional; `{}` finds all orders.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchOrders {
        /// Earliest time of creation, in milliseconds since 1970; `0` for no limit.
        from_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Latest time of creation, in milliseconds since 1970; `0` for no limit.
        to_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Words, or beginnings of words. An order matches if each is the beginning of a word in
        /// its ids, names, e-mail addresses, phone number, SKUs or item names. Case and accents do
        /// not matter, and no character has a special meaning.
        search_key: Option<String> [max_length = 255],
        /// Item statuses. Finds orders with at least one item in a listed status; if empty, all
        /// orders.
        statuses: Option<Vec<StatusName>>,
        /// Order types: `manual` or `label`. Empty for both.
        types: Option<Vec<KindName>>,
        /// Number of the page, from 1; default 1. Not together with `cursor`.
        page: Option<i64> [minimum = 1, maximum = 1_000_000],
        /// Number of orders per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. All filters must be the
        /// same. Faster than `page` for later pages. No order that existed before the first page
        /// was read is skipped or repeated.
        cursor: Option<String>,
    }
    draft SearchDraft {
        from_time, to_time, search_key, statuses, types,
        paging: PageDraft { page, size, cursor },
    }

    /// Query for an order, now or in an earlier state.
    pub(crate) struct GetOrder {
        /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Shows the order as it was at this time, in milliseconds since 1970; default now. Not
        /// together with `atVersion`.
        #[serde(rename = "asOf")]
        as_of: Option<i64> [minimum = 0],
        /// Shows the order as it was at this `version`; default the latest.
        #[serde(rename = "atVersion")]
        at_version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
    }
    draft GetDraft

    /// Query for a page of an order's history.
    pub(crate) struct OrderHistory {
        /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Number of events per page; default `100`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page.
        cursor: Option<String>,
    }
    draft HistoryDraft
}
