//! Search orders: a page of a store's orders, newest first.

use actix_web::{HttpResponse, web};
use pressline_domain::event::Role;
use pressline_domain::field::Field;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, OrderBody};
use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Access, Example, Operation};
use crate::response::page::PageOf;
use crate::response::respond;
use crate::schema::{KindName, StatusName};
use crate::signed::Signed;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    aliases: &[("/api/v1/orders/search", "searchOrdersAtOtherPath")],
    access: Access::SignedOrOpen,
    kind: CallKind::Search,
    examples: &[
        Example {
            title: "Everything",
            request: include_str!("examples/search.request.json"),
            response: None,
        },
        Example {
            title: "By name, in June 2024",
            request: include_str!("examples/search_by_name_in_june.request.json"),
            response: Some(include_str!(
                "examples/search_by_name_in_june.response.json"
            )),
        },
    ],
    ..Operation::of_stores(
        "searchOrders",
        "/app/v1/orders/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response: orders are not counted.
type OrderPage = PageOf<OrderBody<'static>, false>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// The orders to find. Every field is optional; `{}` finds all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchOrders {
    /// Earliest time of creation, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of creation, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Beginnings of words of the order's ids, names, e-mail addresses, phone number, SKUs and item
    /// names; each must be found. Case and accents do not matter, and no character has a special
    /// meaning.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Statuses: an order is found if any of its items has one of them. Empty for all.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Types of orders. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// The number of the page, from 1; 1 if it is absent. Not together with `cursor`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    page: Lenient<i64>,
    /// Orders on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same filters. Faster than `page` for later
    /// pages, and no order that existed at the start is skipped or repeated.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for SearchOrders {
    type Draft = SearchDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> SearchDraft {
        SearchDraft {
            from_time: self.from_time.0,
            to_time: self.to_time.0,
            search_key: self.search_key.0,
            statuses: self.statuses.0,
            types: self.types.0,
            paging: PageDraft {
                page: self.page.0,
                size: self.size.0,
                cursor: self.cursor.0,
            },
        }
    }
}

/// Search orders
///
/// Returns a page of orders, newest first. Served at `/app/v1/orders/search` and
/// `/api/v1/orders/search`. A store can be set to allow searches without a signature; a signature
/// that is sent must be right in any case.
#[utoipa::path(
    post,
    path = "/app/v1/orders/search",
    operation_id = "searchOrders",
    tag = "orders",
    request_body(content = SearchOrders),
    responses((status = 200, description = "A page of orders.", body = OrderPage))
)]
#[tracing::instrument(name = "api.order.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<SearchOrders>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let found = orders.search(&request.store, &request.draft).await;
    respond(found, request.unknown, |page, unknown| {
        response::page(page, unknown, &api.responses, Role::Store)
    })
}
