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
use serde::Serialize;
use utoipa::ToSchema;

use super::response::{self, OrderBody, ProducedResponse};
use crate::caller::ByOperator;
use crate::json::{Body, Unknown, bodies};
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
    /// for an answer. Fill in the columns `carrier` and `tracking_number`, and `shipments/import`
    /// reads the file.
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
    let file = pressline_tabular::table(&PARCEL_COLUMNS, rows)
        .map_err(|error| RequestError::internal(chain(&error)))?;
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
    let recorded = production
        .record(operator, &request.draft, &by)
        .await
        .inspect(|outcome| call.note_store_id(outcome.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, &production.steps, unknown)
    })
}

async fn misprint(call: ByOperator, request: Request<RecordMisprint>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let recorded = production
        .misprint(operator, &request.draft, &by)
        .await
        .inspect(|outcome| call.note_store_id(outcome.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, &production.steps, unknown)
    })
}

async fn get(call: ByOperator, request: Request<GetProduction>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let result = production
        .of_order(operator, &request.draft)
        .await
        .inspect(|order_production| call.note_store_of(&order_production.order));
    respond(result, request.unknown, |order_production, unknown| {
        response::order(&order_production, &production.steps, unknown)
    })
}

bodies! {
    /// Orders to export: the orders of a batch, or the orders that match the filters. Every field
    /// is optional; `{}` exports all orders with units to send.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ExportShipments {
        /// Number of a batch, such as `BATCH-12`. Not together with other fields.
        batch: Option<String>,
        /// Item statuses. Finds orders with an item in any listed status. Default: `ready` and
        /// `in-production`.
        statuses: Option<Vec<StatusName>>,
        /// Ids of stores. Empty for all stores that you have access to.
        stores: Option<Vec<String>>,
        /// `true` to include orders of test stores; default `false`.
        test: Option<bool>,
        /// Exact SKU of an item of the order.
        sku: Option<String> [max_length = 255],
        /// Exact name of a print area for which an item of the order has a file.
        area: Option<String> [max_length = 255],
        /// Shipping class of an item of the order, in any letter case.
        ship_class: Option<String> [max_length = 255],
        /// Order types: `manual` or `label`; empty for both. Label orders are never exported.
        types: Option<Vec<KindName>>,
        /// ISO 3166-1 codes of the destination countries. Empty for all countries.
        countries: Option<Vec<String>>,
        /// Only orders created before this time, in milliseconds since 1970; `0` for no limit.
        placed_before: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Words, or beginnings of words. An order matches if each is the beginning of a word in
        /// its ids, names, e-mail addresses, phone number, SKUs or item names.
        search_key: Option<String> [max_length = 255],
        /// The `nextCursor` of the previous part, to export the next part. All filters must be the
        /// same.
        cursor: Option<String>,
    }
    draft ShipmentExportDraft {
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

bodies! {
    /// Finished units of an item at a step.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RecordProduction {
        /// Code of the item, as it is scanned, in any letter case. Any character but letters and
        /// digits counts as a hyphen.
        item_code: String [pattern = r"\S", max_length = 40],
        /// The step: `print`, `check` or `pack`, unless other steps are configured.
        step: String [pattern = r"^[a-z][a-z0-9-]*$", max_length = 20],
        /// Number of finished units. If absent, all units that wait at the step: they are done at
        /// the previous step, but not at this step.
        units: Option<i64> [minimum = 1, maximum = 1000],
        /// Your own name for this request. If you repeat the request for the same item with this
        /// name, nothing is recorded again.
        once: Option<String> [max_length = 64],
    }
    draft RecordDraft

    /// Misprinted units of an item.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RecordMisprint {
        /// Code of the item, as it is scanned.
        item_code: String [pattern = r"\S", max_length = 40],
        /// Number of misprinted units.
        units: i64 [minimum = 1, maximum = 1000],
        /// Reason, for the production records.
        reason: String [pattern = r"\S", max_length = 255],
        /// Your own name for this request. If you repeat the request for the same item with this
        /// name, nothing is recorded again.
        once: Option<String> [max_length = 64],
    }
    draft MisprintDraft

    /// Query for the production of an order.
    pub(crate) struct GetProduction {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        order_id: String [pattern = r"\S", max_length = 128],
    }
}

impl Body for GetProduction {
    type Draft = Field<String>;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> Field<String> {
        self.order_id.0
    }
}
