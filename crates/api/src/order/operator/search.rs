//! Search orders: pages of the orders of all stores, newest first.

use pressline_backoffice::queue::{OrdersDraft, StoresDraft};
use pressline_domain::check::field::Field;
use pressline_domain::event::Role;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::ByOperator;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::order::response::{self, OrderBody};
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::{Response, respond};
use crate::schema::{KindName, StatusName};

operation! {
    /// Search orders
    ///
    /// Returns a page of the orders of all stores that you have access to, newest first.
    operator "searchOrders" at "/admin/v1/orders/search";
    tag "orders", span "api.operator.search";
    with kind: CallKind::Search;
    request SearchOrdersOfStores;
    response OrderPage: "A page of orders.";
    example "By name, in one store": "examples/search" request response;
}

type OrderPage = PageOf<OrderBody<'static>, false>;

/// Search for orders. Every field is optional; `{}` finds all orders.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchOrdersOfStores {
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// Earliest time of creation, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of creation, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Words, or beginnings of words. An order matches if each is the beginning of a word in its
    /// ids, names, e-mail addresses, phone number, SKUs or item names.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Exact tracking number of a shipment of the order.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// Item statuses. Finds orders with at least one item in a listed status; if empty, all orders.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Order types: `manual` or `label`. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// Number of orders per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. All filters must be the same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchOrdersOfStores => OrdersDraft {
        search: SearchDraft {
            from_time, to_time, search_key, statuses, types,
            paging: PageDraft { page: Field::Absent, size, cursor },
        },
        stores: StoresDraft { ids = stores, test },
        tracking_number,
    }
}

async fn handle(call: ByOperator, request: Request<SearchOrdersOfStores>) -> Response {
    let operator = &call.caller.operator;
    let found = call
        .api
        .services
        .queue
        .orders(operator, &request.draft)
        .await;
    respond(found, request.unknown, |page, unknown| {
        response::page(page, unknown, &call.api.responses, Role::Operator)
    })
}
