//! Search orders: a page of the orders of all stores, newest first.

use actix_web::{HttpResponse, web};
use pressline_domain::event::Role;
use pressline_domain::field::Field;
use pressline_domain::order::queue::{OrdersDraft, StoresDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use crate::OperatorApi;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::response::{self, OrderBody};
use crate::response::page::PageOf;
use crate::response::respond;
use crate::schema::{KindName, StatusName};

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "By name, in one store",
        request: include_str!("examples/search.request.json"),
        response: Some(include_str!("examples/search.response.json")),
    }],
    ..Operation::of_operators(
        "searchOrders",
        "/admin/v1/orders/search",
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
pub(crate) struct SearchOrdersOfStores {
    /// Ids of stores. Empty for all that you reach.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// True to include the orders of test stores. They are left out otherwise.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// Earliest time of creation, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of creation, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Beginnings of words of the order, as in the search of a store.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// The tracking number of a shipment of the order, letter by letter.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// Statuses: an order is found if any of its items has one of them. Empty for all.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Types of orders. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// Orders on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same filters.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for SearchOrdersOfStores {
    type Draft = OrdersDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> OrdersDraft {
        OrdersDraft {
            search: SearchDraft {
                from_time: self.from_time.0,
                to_time: self.to_time.0,
                search_key: self.search_key.0,
                statuses: self.statuses.0,
                types: self.types.0,
                paging: PageDraft {
                    page: Field::Absent,
                    size: self.size.0,
                    cursor: self.cursor.0,
                },
            },
            stores: StoresDraft {
                ids: self.stores.0,
                test: self.test.0,
            },
            tracking_number: self.tracking_number.0,
        }
    }
}

/// Search orders
///
/// Returns a page of the orders of all stores that you reach, newest first.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/search",
    operation_id = "searchOrders",
    tag = "orders",
    request_body(content = SearchOrdersOfStores),
    responses((status = 200, description = "A page of orders.", body = OrderPage))
)]
#[tracing::instrument(name = "api.desk.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<SearchOrdersOfStores>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let found = api.services.queue.orders(operator, &request.draft).await;
    respond(found, request.unknown, |page, unknown| {
        response::page(page, unknown, &api.responses, Role::Operator)
    })
}
