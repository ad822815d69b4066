//! Production in responses.

use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::production::{
    BatchNumber, ItemProduction, OrderProduction, ProducedItem, ProductionRecord, ProgressRecord,
    RecordedItem, Steps,
};
use pressline_domain::check::Warning;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::LineItem;
use pressline_domain::value::{ItemId, ServiceOrderId, StoreId, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::{Envelope, Response, ResponseOf, Text, json, ok_or_unchanged};
use crate::schema::{KindName, StatusName};

/// Units of an item at a production step.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StepUnits)]
struct StepBody<'a> {
    /// Name of the step, such as `print`.
    step: &'a str,
    /// Number of units done.
    done: u32,
    /// Number of units that wait at this step: done at the previous step, but not at this step. At
    /// the first step, all units wait until they are done.
    waiting: u32,
}

/// Production progress of an item.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ItemProduction)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductionBody<'a> {
    /// Units at each step, first to last.
    steps: Vec<StepBody<'a>>,
    /// Total number of misprinted units.
    misprints: u32,
    /// The open batch that contains the item; `null` if no open batch does.
    #[schema(value_type = Option<String>, required)]
    batch: Option<Text<BatchNumber>>,
    /// Time of the item's first `ready` status; `null` before.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    ready_at: Option<Text<Timestamp>>,
    /// Time by which the item must be shipped; `null` if it was never `ready`, or if its store has
    /// no time limit for shipping.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    due_at: Option<Text<Timestamp>>,
    /// Whether the item is overdue: still `ready` or `in-production` after `dueAt`.
    late: bool,
}

impl<'a> ProductionBody<'a> {
    pub(crate) fn new(production: &ItemProduction, state: &ItemState, steps: &'a Steps) -> Self {
        let units = &production.units;
        let steps = steps
            .names()
            .iter()
            .enumerate()
            .map(|(position, step)| StepBody {
                step: step.as_str(),
                done: units.done_at(position),
                waiting: units.waiting_at(position),
            });
        Self {
            steps: steps.collect(),
            misprints: production.misprints,
            batch: production.batch.map(Text),
            ready_at: state.ready_at.map(Text),
            due_at: production.due_at.map(Text),
            late: production.is_late,
        }
    }
}

/// An item in production.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProducedItem)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProducedBody<'a> {
    /// Code of the item.
    item_code: String,
    /// Id of the item: `appItemId` in other calls.
    #[schema(value_type = String, format = "uuid")]
    item_id: Text<ItemId>,
    /// Id of the order's store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// The service's number of the order, such as `SUN-12`.
    #[schema(value_type = String)]
    service_order_id: Text<&'a ServiceOrderId>,
    /// `manual`, or `label` if the store prepared the shipping label.
    #[serde(rename = "type")]
    #[schema(value_type = KindName)]
    kind: &'static str,
    /// SKU of the item.
    sku: &'a str,
    /// Name of the item; `null` if it has no name.
    #[schema(required)]
    name: Option<&'a str>,
    /// Names of the print areas that have a file.
    areas: Vec<&'a str>,
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
    /// The store's note to production; `null` if the order has no note.
    #[schema(required)]
    production_note: Option<&'a str>,
    #[serde(flatten)]
    production: ProductionBody<'a>,
}

fn areas_in_use(line: &LineItem) -> Vec<&str> {
    let files = line.files().into_iter();
    // A print area without a file is not printed.
    let in_use = files.filter(|file| !file.file_urls.is_empty());
    in_use.map(|file| file.area.name.as_str()).collect()
}

impl<'a> ProducedBody<'a> {
    pub(super) fn new(item: &'a ProducedItem, steps: &'a Steps) -> Self {
        let (line, state) = (&item.line, &item.state);
        Self {
            item_code: item.code(),
            item_id: Text(line.id),
            store_id: Text(item.place.store),
            service_order_id: Text(&item.order),
            kind: item.kind.as_str(),
            sku: &line.sku,
            name: line.name.as_deref(),
            areas: areas_in_use(line),
            quantity: line.quantity,
            shipped_quantity: state.shipped_quantity,
            status: state.status.as_str(),
            ship_class: line.ship_class_or_standard(),
            country_code: item.country_code.as_deref(),
            production_note: item.production_note.as_deref(),
            production: ProductionBody::new(&item.production, state, steps),
        }
    }
}

pub(super) type ProducedResponse = ResponseOf<ProducedBody<'static>>;

pub(super) fn recorded(recorded: RecordedItem, steps: &Steps, unknown: Vec<Warning>) -> Response {
    let warnings = recorded.warnings.into_iter().chain(unknown).collect();
    let item = ProducedBody::new(&recorded.item, steps);
    ok_or_unchanged(item, recorded.replayed, warnings)
}

/// A production record.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProductionRecord)]
#[serde(rename_all = "camelCase")]
struct RecordBody<'a> {
    /// Code of the item; `null` if the item was removed from its order.
    #[schema(required)]
    item_code: Option<String>,
    /// The step; `null` for a misprint.
    #[schema(required)]
    step: Option<&'a str>,
    /// Number of units done at the step, or misprinted.
    #[schema(minimum = 1)]
    units: u32,
    /// Reason for the misprint; `null` for a step.
    #[schema(required)]
    reason: Option<&'a str>,
    /// Name of the operator who recorded the units; `null` if unknown.
    #[schema(required)]
    operator: Option<&'a str>,
    /// Time of the record.
    #[schema(value_type = String, format = "date-time")]
    recorded_at: Text<Timestamp>,
}

impl<'a> RecordBody<'a> {
    fn new(record: &'a ProductionRecord, items: &[ProducedItem], names: &'a OperatorNames) -> Self {
        let mut items = items.iter();
        // An item can have records and no longer be in its order.
        let item = items.find(|item| item.place == record.place);
        let (step, units, reason) = match &record.recorded {
            ProgressRecord::Done { step, units } => (Some(step.as_str()), *units, None),
            ProgressRecord::Misprint { units, reason } => (None, *units, Some(reason.as_str())),
        };
        Self {
            item_code: item.map(ProducedItem::code),
            step,
            units,
            reason,
            operator: names.get(&record.stamp.by).map(String::as_str),
            recorded_at: Text(record.stamp.at),
        }
    }
}

/// Production of an order's items.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderProduction)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderBody<'a> {
    /// The service's number of the order, such as `SUN-12`.
    #[schema(value_type = String)]
    service_order_id: Text<&'a ServiceOrderId>,
    /// Version of the order. Production records do not change it.
    #[schema(minimum = 1)]
    version: u32,
    /// Items of the order.
    items: Vec<ProducedBody<'a>>,
    /// The latest 100 records about the items, newest first.
    records: Vec<RecordBody<'a>>,
}

pub(super) fn order(
    order_production: &OrderProduction,
    steps: &Steps,
    unknown: Vec<Warning>,
) -> Response {
    let items = order_production.items.iter();
    let records = order_production.records.iter();
    let body = OrderBody {
        service_order_id: Text(&order_production.order.service_order_id),
        version: order_production.order.state.version,
        items: items.map(|item| ProducedBody::new(item, steps)).collect(),
        records: records
            .map(|record| RecordBody::new(record, &order_production.items, &order_production.names))
            .collect(),
    };
    let warnings = order_production
        .warnings
        .iter()
        .cloned()
        .chain(unknown)
        .collect();
    json(&Envelope::new("OK", body, warnings))
}
