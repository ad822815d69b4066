//! Export shipments: the parcels to send, as a CSV file for shipping programs.

use pressline_backoffice::import::shipment::PARCEL_COLUMNS;
use pressline_backoffice::production::{ExportedParcels, ShipmentExportDraft};
use pressline_backoffice::queue::{QueueDraft, StoresDraft};
use pressline_domain::field::Field;
use pressline_domain::page::PageDraft;
use pressline_http::CallKind;
use pressline_http::request_error::{RequestError, chain};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::intake::Request;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::operator::ByOperator;
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{Response, json, respond};
use crate::schema::{KindName, StatusName};

operation! {
    /// Export shipments
    ///
    /// Returns the parcels to send as a CSV file for shipping programs, a row for each order: all of its units that are ready
    /// or in production and not shipped. Orders that must not go out, and label orders, are left out. With the columns `carrier` and
    /// `tracking_number` added, `shipments/import` reads the file.
    operator "exportShipments" at "/admin/v1/shipments/export";
    tag "shipments", span "api.shipment.export";
    with kind: CallKind::Search;
    request ExportShipments;
    response ShipmentsExportedResponse: "The file.";
    example "The parcels of a store": "examples/export" request response;
}

type ShipmentsExportedResponse = ResponseOf<ShipmentsExported>;

/// The parcels to export: all of a batch, or the parcels that the queue's filters find. Every field is optional; `{}`
/// exports all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExportShipments {
    /// Number of a batch, such as `BATCH-12`. Without the other fields.
    #[schema(value_type = Option<String>)]
    batch: Lenient<String>,
    /// Statuses: an item of the order must have one. Default: `ready` and `in-production`.
    #[schema(value_type = Option<Vec<StatusName>>)]
    statuses: Lenient<Vec<Field<String>>>,
    /// Ids of stores. Empty for all that you reach.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// True to include the orders of test stores. They are left out otherwise.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// The SKU of an item of the order, letter by letter.
    #[schema(value_type = Option<String>, max_length = 255)]
    sku: Lenient<String>,
    /// Name of a print area for which an item of the order has a file, letter by letter.
    #[schema(value_type = Option<String>, max_length = 255)]
    area: Lenient<String>,
    /// The ship class of an item of the order. The case of letters does not matter.
    #[schema(value_type = Option<String>, max_length = 255)]
    ship_class: Lenient<String>,
    /// Types of orders. Label orders are left out in any case.
    #[schema(value_type = Option<Vec<KindName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// ISO 3166-1 codes of the countries of destination. Empty for all.
    #[schema(value_type = Option<Vec<String>>)]
    countries: Lenient<Vec<Field<String>>>,
    /// Only orders created before this time, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    placed_before: Lenient<i64>,
    /// Beginnings of words of the order, as in a search for orders.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// The `nextCursor` of the previous part, with the same filters.
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

/// Parcels to send.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentsExported {
    /// Number of parcels in the file, at most 10,000.
    #[schema(maximum = 10_000)]
    parcels: usize,
    /// The CSV file with its header. A cell that a spreadsheet would take for a formula begins with an apostrophe.
    file: String,
    /// Send it back as `cursor`, with the same filters, to export the next part; null for the last one.
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
        file: String::from_utf8_lossy(&file).into_owned(),
        next_cursor,
    })
}
