//! Operations on the production queue of all stores.

use pressline_backoffice::production::{QueuedItem, Steps};
use pressline_backoffice::queue::{ItemCounts, QueueDraft, StoresDraft};
use pressline_domain::check::{Field, Warning};
use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::order::{LineItem, Order, OrderError};
use pressline_domain::value::page::{Page, PageDraft};
use pressline_domain::value::{ItemId, ServiceOrderId, StoreId, Timestamp};
use pressline_http::CallKind;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::caller::ByOperator;
use crate::json::bodies;
use crate::operation::operations;
use crate::production::ProductionBody;
use crate::request::Request;
use crate::response::{Envelope, PageOf, PageResponse, Response, ResponseOf, Text, json, respond};
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
    response PageOf<QueueItemBody<'static>, false>: "A page of items.";
    example "Items not in production yet, to one country": "examples/search" request response;

    /// Count the queue
    ///
    /// Returns the number of items in each status, in all stores that you have access to, or only
    /// in `stores`.
    operator "countQueue" at "/admin/v1/queue/counts";
    tag "queue", span "api.queue.counts", handler counts;
    with kind: CallKind::Search;
    request CountQueue;
    response ResponseOf<CountsBody>: "The number of items in each status.";
    example "Counts of all stores": "examples/counts" request response;
}

async fn search(call: ByOperator, request: Request<SearchQueue>) -> Response {
    let (queue, production) = (&call.api.services.queue, &call.api.services.production);
    let search_result = queue.search(&call.caller.operator, &request.draft).await;
    // Production is recorded apart from orders (ADR 27), and only read for the items of the page.
    let result = match search_result {
        Ok(page) => production.of_queue(page).await.map_err(OrderError::from),
        Err(error) => Err(error),
    };
    respond(result, request.unknown, |page, unknown| {
        items(&page, &production.steps, unknown)
    })
}

async fn counts(call: ByOperator, request: Request<CountQueue>) -> Response {
    let queue = &call.api.services.queue;
    let counted = queue.counts(&call.caller.operator, &request.draft).await;
    respond(counted, request.unknown, |counts, unknown| {
        json(&Envelope::new("OK", CountsBody(counts), unknown))
    })
}

bodies! {
    /// Search for items. Every field is optional; `{}` finds all items except fulfilled, delivered,
    /// returned and cancelled items.
    ///
    /// A page may have fewer items than `size` although `pageHasNext` is true, because about 10,000
    /// orders are examined for a page. `nextCursor` continues after the examined orders.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchQueue {
        /// Item statuses. Empty for all except `fulfilled`, `delivered`, `returned` and
        /// `cancelled`.
        statuses: Option<Vec<StatusName>>,
        /// Ids of stores. Empty for all stores that you have access to.
        stores: Option<Vec<String>>,
        /// `true` to include orders of test stores; default `false`.
        test: Option<bool>,
        /// Exact SKU of the item.
        sku: Option<String> [max_length = 255],
        /// Exact name of a print area for which the item has a file.
        area: Option<String> [max_length = 255],
        /// Shipping class of the item, in any letter case.
        ship_class: Option<String> [max_length = 255],
        /// Order types: `manual` or `label`. Empty for both.
        types: Option<Vec<KindName>>,
        /// ISO 3166-1 codes of the destination countries. Empty for all countries.
        countries: Option<Vec<String>>,
        /// Only items of orders created before this time, in milliseconds since 1970; `0` for no
        /// limit.
        placed_before: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Words, or beginnings of words. An order matches if each is the beginning of a word in
        /// its ids, names, e-mail addresses, phone number, SKUs or item names.
        search_key: Option<String> [max_length = 255],
        /// Number of items per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. All filters must be the
        /// same.
        cursor: Option<String>,
    }
    draft QueueDraft {
        statuses,
        stores: StoresDraft { ids = stores, test },
        sku, area, ship_class, types, countries, placed_before, search_key,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }

    /// Query for the number of items in each status. Every field is optional.
    pub(crate) struct CountQueue {
        /// Ids of stores. Empty for all stores that you have access to.
        stores: Option<Vec<String>>,
        /// `true` to include orders of test stores; default `false`.
        test: Option<bool>,
    }
    draft StoresDraft { ids = stores, test }
}

/// An item in the queue.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QueueItem)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueItemBody<'a> {
    /// Id of the order's store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// The store's id of the order.
    order_id: &'a str,
    /// The service's number of the order, such as `SUN-12`.
    #[schema(value_type = String)]
    service_order_id: Text<&'a ServiceOrderId>,
    /// Version of the order.
    #[schema(minimum = 1)]
    version: u32,
    /// `manual`, or `label` if the store prepared the shipping label.
    #[serde(rename = "type")]
    #[schema(value_type = KindName)]
    kind: &'static str,
    /// Id of the item: `appItemId` in other calls.
    #[schema(value_type = String, format = "uuid")]
    item_id: Text<ItemId>,
    /// Code of the item, as it is scanned: `<serviceOrderId>-<n>`.
    item_code: String,
    /// SKU of the item.
    sku: &'a str,
    /// Name of the item; `null` if it has no name.
    #[schema(required)]
    name: Option<&'a str>,
    /// Number of ordered units.
    #[schema(minimum = 1, maximum = 1000)]
    quantity: u32,
    /// Number of shipped units.
    shipped_quantity: u32,
    /// Status of the item.
    #[schema(value_type = StatusName)]
    status: &'static str,
    /// Shipping class; `Standard` if the order names none.
    ship_class: &'a str,
    /// Country code of the destination; `null` for label orders without an address.
    #[schema(required)]
    country_code: Option<&'a str>,
    /// `true` for an order of a test store. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    test: Option<bool>,
    /// Time of the order's creation.
    #[schema(value_type = String, format = "date-time")]
    created_at: Text<Timestamp>,
    #[serde(flatten)]
    production: ProductionBody<'a>,
}

impl<'a> QueueItemBody<'a> {
    fn new(
        order: &'a Order,
        line: &'a LineItem,
        state: &ItemState,
        production: ProductionBody<'a>,
    ) -> Self {
        let content = &*order.content;
        let address = content.shipping_address.as_ref();
        Self {
            store_id: Text(content.store_id),
            order_id: &content.order_id,
            service_order_id: Text(&order.service_order_id),
            version: order.state.version,
            kind: content.kind().as_str(),
            item_id: Text(line.id),
            item_code: state.code(&order.service_order_id),
            sku: &line.sku,
            name: line.name.as_deref(),
            quantity: line.quantity,
            shipped_quantity: state.shipped_quantity,
            status: state.status.as_str(),
            ship_class: line.ship_class_or_standard(),
            country_code: address.and_then(|address| address.country_code.as_deref()),
            test: content.test.then_some(true),
            created_at: Text(content.created_at()),
            production,
        }
    }
}

fn items(page: &Page<QueuedItem>, steps: &Steps, unknown: Vec<Warning>) -> Response {
    let items = page.entries.iter().filter_map(|entry| {
        let (line, state) = entry.found.item()?;
        let production = ProductionBody::new(&entry.production, state, steps);
        Some(QueueItemBody::new(
            &entry.found.order,
            line,
            state,
            production,
        ))
    });
    json(&PageResponse::new(page, items.collect(), None, unknown))
}

#[derive(Debug)]
pub(crate) struct CountsBody(ItemCounts);

impl Serialize for CountsBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0
                .iter()
                .map(|(status, count)| (status.as_str(), count)),
        )
    }
}

impl ToSchema for CountsBody {
    fn name() -> std::borrow::Cow<'static, str> {
        "ItemCounts".into()
    }
}

impl PartialSchema for CountsBody {
    fn schema() -> RefOr<Schema> {
        let description = "The number of items in each status.";
        let object = ObjectBuilder::new().description(Some(description));
        // A property per status, so that generated clients have a field for each.
        let counts = ItemStatus::ALL.into_iter().fold(object, |counts, status| {
            let count = ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(0));
            counts
                .property(status.as_str(), count)
                .required(status.as_str())
        });
        counts.into()
    }
}
