//! Export shipments: unsent parcels as a CSV file for shipping programs.

use pressline_backoffice::import::shipment::PARCEL_COLUMNS;
use pressline_backoffice::production::{ExportedParcels, ShipmentExportDraft};
use pressline_backoffice::queue::{QueueDraft, StoresDraft};
use pressline_domain::check::field::Field;
use pressline_domain::value::page::PageDraft;
use pressline_http::CallKind;
use pressline_http::request_error::{RequestError, chain};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::ByOperator;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{Response, json, respond};
use crate::schema::{KindName, StatusName};

operation! {
    /// Export shipments
    ///
    /// Returns a CSV file for shipping programs, with a row for each order that has units to send:
    /// all unshipped units of its items that are ready or in production. Label orders are excluded,
    /// and so are orders with a pending change or with an item that is held, not ready or waiting
    /// for an answer. With the additional columns `carrier` and `tracking_number`,
    /// `shipments/import` reads the file.
    operator "exportShipments" at "/admin/v1/shipments/export";
    tag "shipments", span "api.shipment.export";
    with kind: CallKind::Search;
    errors [BatchNotFound];
    request ExportShipments;
    response ShipmentsExportedResponse: "The file.";
    example "The parcels of a store": "examples/export" request response;
}

type ShipmentsExportedResponse = ResponseOf<ShipmentsExported>;

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

async fn handle(call: ByOperator, request: Request<ExportShipments>) -> Response {
    let exported = export(&call, &request).await;
    respond(exported, request.unknown, |body, unknown| {
        json(&Envelope::new("OK", body, unknown))
    })
}

async fn export(
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
