//! Operations on production.

use pressline_backoffice::import::shipment::PARCEL_COLUMNS;
use pressline_backoffice::production::{
    ExportedParcels, MisprintDraft, RecordDraft, ShipmentExportDraft,
};
use pressline_backoffice::queue::{QueueDraft, StoresDraft};
use pressline_domain::check::{Field, Path};
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;
use pressline_http::request_error::{RequestError, chain};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::response::{self, OrderBody, ProducedResponse};
use crate::caller::ByOperator;
use crate::json::{Body, Lenient, Unknown, body};
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Envelope, Response, ResponseOf, json, respond};
use crate::schema::{KindName, StatusName};

operations! {
    const OPERATIONS;

    /// Export shipments
    ///
    /// Returns a CSV file for shipping programs, with a row for each order that has units to send:
    /// all unshipped units of its items that are ready or in production. Label orders are excluded,
    /// and so are orders with a pending change or with an item that is held, not ready or waiting
    /// for an answer. With the additional columns `carrier` and `tracking_number`,
    /// `shipments/import` reads the file.
    operator "exportShipments" at "/admin/v1/shipments/export";
    tag "shipments", span "api.shipment.export", handler export;
    with kind: CallKind::Search;
    errors [BatchNotFound];
    request ExportShipments;
    response ResponseOf<ShipmentsExported>: "The file.";
    example "The parcels of a store": "examples/export" request response;

    /// Record production
    ///
    /// Records that units of an item are done at a step. An item that is `ready` is started. No
    /// step can have more done units than the previous step.
    ///
    /// A repeated call changes nothing. A call counts as repeated if it has the same `once` as an
    /// earlier call for the item, or if all units are done at the step. Without `units`, it also
    /// counts as repeated if no units wait at the step and some are done.
    operator "recordProduction" at "/admin/v1/production/record";
    tag "production", span "api.production.record", handler record;
    errors [UnknownItem, OrderNotFound, IllegalTransition, StepOutOfOrder];
    request RecordProduction;
    response ProducedResponse: "The item as it now is.";
    example "All units that wait at the step": "examples/record" request response;

    /// Record a misprint
    ///
    /// Moves unshipped units back to the first step, and counts them as misprints: they must be
    /// done again at every step. Units with the fewest finished steps are moved back first.
    operator "recordMisprint" at "/admin/v1/production/misprint";
    tag "production", span "api.production.misprint", handler misprint;
    errors [UnknownItem, OrderNotFound, IllegalTransition, StepOutOfOrder];
    request RecordMisprint;
    response ProducedResponse: "The item as it now is.";
    example "One unit": "examples/misprint" request response;

    /// Get production
    ///
    /// Returns the progress of an order's items, with the latest production records and their
    /// operators.
    operator "getProduction" at "/admin/v1/production/get";
    tag "production", span "api.production.get", handler get;
    errors [OrderNotFound];
    request GetProduction;
    response ResponseOf<OrderBody<'static>>: "The items and the records.";
    example "Progress of an order": "examples/get" request response;
}

async fn export(call: ByOperator, request: Request<ExportShipments>) -> Response {
    let exported = export_parcels(&call, &request).await;
    respond(exported, request.unknown, |body, unknown| {
        json(&Envelope::new("OK", body, unknown))
    })
}

async fn export_parcels(
    call: &ByOperator,
    request: &Request<ExportShipments>,
) -> Result<ShipmentsExported, RequestError> {
    let exports = &call.api.services.exports;
    let within = &call.caller.operator.stores;
    let ExportedParcels { rows, next_cursor } = exports.export(within, &request.draft).await?;
    let parcels = rows.len();
    let file = pressline_tabular::table(&PARCEL_COLUMNS, rows);
    let file = file.map_err(|error| RequestError::internal(chain(&error)))?;
    Ok(ShipmentsExported {
        parcels,
        // The writer only writes UTF-8, so no character is replaced.
        file: String::from_utf8_lossy(&file).into_owned(),
        next_cursor,
    })
}

async fn record(call: ByOperator, request: Request<RecordProduction>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let recorded = production.record(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| call.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}

async fn misprint(call: ByOperator, request: Request<RecordMisprint>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let recorded = production.misprint(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| call.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}

async fn get(call: ByOperator, request: Request<GetProduction>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let found = production.of_order(operator, &request.draft).await;
    let found = found.inspect(|found| call.note_store_of(&found.order));
    respond(found, request.unknown, |found, unknown| {
        response::order(&found, production.steps(), unknown)
    })
}

/// Orders to export: the orders of a batch, or the orders that match the filters. Every field is
/// optional; `{}` exports all orders with units to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExportShipments {
    /// Number of a batch, such as `BATCH-12`. Not together with other fields.
    #[schema(value_type = Option<String>)]
    batch: Lenient<String>,
    /// Item statuses. Finds orders with an item in any listed status. Default: `ready` and
    /// `in-production`.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// Exact SKU of an item of the order.
    #[schema(value_type = Option<String>, max_length = 255)]
    sku: Lenient<String>,
    /// Exact name of a print area for which an item of the order has a file.
    #[schema(value_type = Option<String>, max_length = 255)]
    area: Lenient<String>,
    /// Shipping class of an item of the order, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// Order types: `manual` or `label`; empty for both. Label orders are never exported.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// ISO 3166-1 codes of the destination countries. Empty for all countries.
    #[schema(value_type = Option<Vec<String>>)]
    countries: Lenient<Vec<Field<String>>>,
    /// Only orders created before this time, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    placed_before: Lenient<i64>,
    /// Words, or beginnings of words. An order matches if each is the beginning of a word in its
    /// ids, names, e-mail addresses, phone number, SKUs or item names.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// The `nextCursor` of the previous part, to export the next part. All filters must be the
    /// same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    ExportShipments => ShipmentExportDraft {
        batch,
        queue: QueueDraft {
            statuses,
            stores: StoresDraft { ids = stores, test },
            sku, area, ship_class, types, countries, placed_before, search_key,
            paging: PageDraft { page: Field::Absent, size: Field::Absent, cursor },
        },
    }
}

/// Parcels to send, as a CSV file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentsExported {
    /// Number of parcels in the file, up to 10,000.
    #[schema(maximum = 10_000)]
    parcels: usize,
    /// The CSV file with its header. A cell that a spreadsheet would treat as a formula begins with
    /// an apostrophe.
    file: String,
    /// Send it back as `cursor`, with the same filters, to export the next part; `null` for the
    /// last part.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Finished units of an item at a step.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordProduction {
    /// Code of the item, as it is scanned, in any letter case. Any character but letters and digits
    /// counts as a hyphen.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// The step: `print`, `check` or `pack`, unless other steps are configured.
    #[schema(value_type = String, pattern = r"^[a-z][a-z0-9-]*$", max_length = 20)]
    step: Lenient<String>,
    /// Number of finished units. If absent, all units that wait at the step: they are done at the
    /// previous step, but not at this step.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Your own name for this request. If you repeat the request for the same item with this name,
    /// nothing is recorded again.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordProduction => RecordDraft { item_code, step, units, once } }

/// Misprinted units of an item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordMisprint {
    /// Code of the item, as it is scanned.
    #[schema(value_type = String, pattern = r"\S", max_length = 40)]
    item_code: Lenient<String>,
    /// Number of misprinted units.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    units: Lenient<i64>,
    /// Reason, for the production records.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// Your own name for this request. If you repeat the request for the same item with this name,
    /// nothing is recorded again.
    #[schema(value_type = Option<String>, max_length = 64)]
    once: Lenient<String>,
}

body! { RecordMisprint => MisprintDraft { item_code, units, reason, once } }

/// Query for the production of an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GetProduction {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
}

impl Body for GetProduction {
    type Draft = Field<String>;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> Field<String> {
        self.order_id.0
    }
}
