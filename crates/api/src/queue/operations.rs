//! Operations on the queue.

use pressline_backoffice::queue::{CountsDraft, QueueDraft, StoresDraft};
use pressline_domain::check::field::Field;
use pressline_domain::order::OrderError;
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, CountsBody, QueueItemBody};
use crate::caller::ByOperator;
use crate::json::{Lenient, body};
use crate::operation::operations;
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::single::ResponseOf;
use crate::response::{Response, respond};
use crate::schema::{KindName, StatusName};

operations! {
    const OPERATIONS;

    /// Search the queue
    ///
    /// Returns a page of the items that match the filters. Items of the oldest orders come first.
    operator "searchQueue" at "/admin/v1/queue/search";
    tag "queue", span "api.queue.search", handler search;
    with kind: CallKind::Search;
    request SearchQueue;
    response QueuePage: "A page of items.";
    example "Items not in production yet, to one country": "examples/search" request response;

    /// Count the queue
    ///
    /// Returns the number of items in each status, in all stores that you have access to, or only
    /// in `stores`.
    operator "countQueue" at "/admin/v1/queue/counts";
    tag "queue", span "api.queue.counts", handler counts;
    with kind: CallKind::Search;
    request CountQueue;
    response CountsResponse: "The number of items in each status.";
    example "Counts of all stores": "examples/counts" request response;
}

type QueuePage = PageOf<QueueItemBody<'static>, false>;
type CountsResponse = ResponseOf<CountsBody>;

async fn search(call: ByOperator, request: Request<SearchQueue>) -> Response {
    let (queue, production) = (&call.api.services.queue, &call.api.services.production);
    let found = queue.search(&call.caller.operator, &request.draft).await;
    // Production is recorded apart from orders (ADR 27), and only read for the items of the page.
    let found = match found {
        Ok(page) => production.of_queue(page).await.map_err(OrderError::from),
        Err(error) => Err(error),
    };
    respond(found, request.unknown, |found, unknown| {
        response::items(&found, production.steps(), unknown)
    })
}

async fn counts(call: ByOperator, request: Request<CountQueue>) -> Response {
    let queue = &call.api.services.queue;
    let counted = queue.counts(&call.caller.operator, &request.draft).await;
    respond(counted, request.unknown, response::counts)
}

/// Search for items. Every field is optional; `{}` finds all items except fulfilled, delivered,
/// returned and cancelled items.
///
/// A page may have fewer items than `size` although `pageHasNext` is true, because about 10,000
/// orders are examined for a page. `nextCursor` continues after the examined orders.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchQueue {
    /// Item statuses. Empty for all except `fulfilled`, `delivered`, `returned` and `cancelled`.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// Exact SKU of the item.
    #[schema(value_type = Option<String>, max_length = 255)]
    sku: Lenient<String>,
    /// Exact name of a print area for which the item has a file.
    #[schema(value_type = Option<String>, max_length = 255)]
    area: Lenient<String>,
    /// Shipping class of the item, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// Order types: `manual` or `label`. Empty for both.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// ISO 3166-1 codes of the destination countries. Empty for all countries.
    #[schema(value_type = Option<Vec<String>>)]
    countries: Lenient<Vec<Field<String>>>,
    /// Only items of orders created before this time, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    placed_before: Lenient<i64>,
    /// Words, or beginnings of words. An order matches if each is the beginning of a word in its
    /// ids, names, e-mail addresses, phone number, SKUs or item names.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Number of items per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. All filters must be the same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchQueue => QueueDraft {
        statuses,
        stores: StoresDraft { ids = stores, test },
        sku, area, ship_class, types, countries, placed_before, search_key,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}

/// Query for the number of items in each status. Every field is optional.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CountQueue {
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
}

body! { CountQueue => CountsDraft { stores: StoresDraft { ids = stores, test } } }
