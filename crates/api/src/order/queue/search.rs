//! Search the queue: items of all stores that wait, oldest first.

use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::queue::{QueueDraft, StoresDraft};
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, QueueItemBody};
use crate::OperatorApi;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::page::PageOf;
use crate::response::respond;
use crate::schema::{KindName, StatusName};

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "Items not in production yet, to one country",
        request: include_str!("examples/search.request.json"),
        response: Some(include_str!("examples/search.response.json")),
    }],
    ..Operation::of_operators(
        "searchQueue",
        "/admin/v1/queue/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response: items are not counted.
type QueuePage = PageOf<QueueItemBody<'static>, false>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// The items to find. Every field is optional; `{}` finds all that are not done.
///
/// A page may have fewer items than `size` though `pageHasNext` is true: about 10,000 orders are looked at for a page.
/// `nextCursor` continues behind them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchQueue {
    /// Statuses. Without any, all but `fulfilled`, `delivered`, `returned` and `cancelled`.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Ids of stores. Empty for all that you reach.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// True to include the orders of test stores. They are left out otherwise.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// The SKU, letter by letter.
    #[schema(value_type = Option<String>, max_length = 255)]
    sku: Lenient<String>,
    /// Name of a print area for which the item has a file, letter by letter.
    #[schema(value_type = Option<String>, max_length = 255)]
    area: Lenient<String>,
    /// The ship class. The case of letters does not matter.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// Types of orders. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// ISO 3166-1 codes of the countries of destination. Empty for all.
    #[schema(value_type = Option<Vec<String>>)]
    countries: Lenient<Vec<Field<String>>>,
    /// Only items of orders created before this time, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    placed_before: Lenient<i64>,
    /// Beginnings of words of the order, as in a search for orders.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Items on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same filters.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for SearchQueue {
    type Draft = QueueDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> QueueDraft {
        QueueDraft {
            statuses: self.statuses.0,
            stores: StoresDraft {
                ids: self.stores.0,
                test: self.test.0,
            },
            sku: self.sku.0,
            area: self.area.0,
            ship_class: self.ship_class.0,
            types: self.types.0,
            countries: self.countries.0,
            placed_before: self.placed_before.0,
            search_key: self.search_key.0,
            paging: PageDraft {
                page: Field::Absent,
                size: self.size.0,
                cursor: self.cursor.0,
            },
        }
    }
}

/// Search the queue
///
/// Returns a page of the items that match, those of the oldest orders first.
#[utoipa::path(
    post,
    path = "/admin/v1/queue/search",
    operation_id = "searchQueue",
    tag = "queue",
    request_body(content = SearchQueue),
    responses((status = 200, description = "A page of items.", body = QueuePage))
)]
#[tracing::instrument(name = "api.queue.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<SearchQueue>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let production = &api.services.production;
    let found = api.services.queue.search(operator, &request.draft).await;
    let found = match found {
        Ok(page) => production.of_queue(page).await.map_err(OrderError::from),
        Err(error) => Err(error),
    };
    respond(found, request.unknown, |found, unknown| {
        response::items(&found, production.steps(), unknown)
    })
}
