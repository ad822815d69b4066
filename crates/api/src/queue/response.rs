//! Queue items and item counts in responses.

use pressline_backoffice::production::{QueuedItem, Steps};
use pressline_backoffice::queue::ItemCounts;
use pressline_domain::check::report::Warning;
use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::order::{LineItem, Order};
use pressline_domain::value::id::{ItemId, ServiceOrderId, StoreId};
use pressline_domain::value::page::Page;
use pressline_domain::value::time::Timestamp;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::production::ProductionBody;
use crate::response::page::PageResponse;
use crate::response::single::Envelope;
use crate::response::text::Text;
use crate::response::{Response, json};
use crate::schema::{KindName, StatusName};

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

pub(super) fn items(page: &Page<QueuedItem>, steps: &Steps, unknown: Vec<Warning>) -> Response {
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
        let counts = ObjectBuilder::new().description(Some(description));
        // A property per status, so that generated clients have a field for each.
        let counts = ItemStatus::ALL.into_iter().fold(counts, |counts, status| {
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

pub(super) fn counts(counts: ItemCounts, unknown: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", CountsBody(counts), unknown))
}
