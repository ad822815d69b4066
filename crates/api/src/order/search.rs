//! Search orders: pages of a store's orders, newest first.

use pressline_domain::check::field::Field;
use pressline_domain::event::Role;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::store::SignatureForm;
use pressline_domain::value::page::PageDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, OrderBody};
use crate::caller::Access;
use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::{Response, respond};
use crate::schema::{KindName, StatusName};
use pressline_http::CallKind;

operation! {
    /// Search orders
    ///
    /// Returns a page of orders, newest first. Served at `/app/v1/orders/search` and
    /// `/api/v1/orders/search`. If your store allows searches without a signature, you can leave
    /// the signature out; a wrong signature is refused in any case.
    store "searchOrders" at "/app/v1/orders/search",
        "searchOrdersAtOtherPath" at "/api/v1/orders/search";
    tag "orders", span "api.order.search";
    with access: Access::Signed(SignatureForm::PlainOrNone),
        // Searches have their own limit, so that other calls find free connections (ADR 4).
        kind: CallKind::Search;
    request SearchOrders;
    response OrderPage: "A page of orders.";
    example "Everything": "examples/search" request;
    example "By name, in June 2024": "examples/search_by_name_in_june" request response;
}

type OrderPage = PageOf<OrderBody<'static>, false>;

/// Search for orders. Every field is optional; `{}` finds all orders.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchOrders {
    /// Earliest time of creation, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of creation, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Words, or beginnings of words. An order matches if each is the beginning of a word in its
    /// ids, names, e-mail addresses, phone number, SKUs or item names. Case and accents do not
    /// matter, and no character has a special meaning.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Item statuses. Finds orders with at least one item in a listed status; if empty, all orders.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Order types: `manual` or `label`. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// Number of the page, from 1; default 1. Not together with `cursor`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    page: Lenient<i64>,
    /// Number of orders per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. All filters must be the same.
    /// Faster than `page` for later pages. No order that existed before the first page was read is
    /// skipped or repeated.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchOrders => SearchDraft {
        from_time, to_time, search_key, statuses, types,
        paging: PageDraft { page, size, cursor },
    }
}

async fn handle(call: Signed, request: Request<SearchOrders>) -> Response {
    let orders = &call.api.services.orders;
    let found = orders.search(&call.store, &request.draft).await;
    respond(found, request.unknown, |page, unknown| {
        response::page(page, unknown, &call.api.responses, Role::Store)
    })
}
