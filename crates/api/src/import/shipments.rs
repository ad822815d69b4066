//! Import shipments: the parcels of a file.

use pressline_backoffice::import::shipment::ShipmentImportReport;
use pressline_backoffice::limits;
use pressline_backoffice::operator::{FileImportError, ImportDraft};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

use super::request::ImportShipments;
use super::response::{self, ShipmentsImportedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Import shipments
    ///
    /// Records each parcel of a CSV file as `shipments/create` does. If a row is wrong, no parcel
    /// is recorded, and `problems` lists the problems by line. Existing parcels are
    /// `unchanged`, so the same file can be imported again. If a concurrent change of an order
    /// makes its parcel invalid, `problems` lists the parcel; all other parcels are still recorded.
    operator "importShipments" at "/admin/v1/shipments/import";
    tag "shipments", span "api.shipment.import";
    with kind: CallKind::Large, has_file: true;
    request ImportShipments;
    response ShipmentsImportedResponse: "What was imported, or what is wrong.";
    example "A parcel": "examples/shipments" request response;
    example "A check of a file with a wrong row": "examples/shipments_wrong" request response;
}

async fn handle(call: ByOperator, request: Request<ImportShipments>) -> Response {
    let imported = import(&call, request.draft).await;
    respond(imported, request.unknown, |report, unknown| {
        response::shipments(&report, unknown)
    })
}

async fn import(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<ShipmentImportReport, RequestError> {
    let imports = call.api.services.imports.clone();
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let file = draft.file()?;
        let rows = pressline_tabular::read_shipments_at_most(limits::FILE_ROWS, file.bytes);
        let report = imports.shipments(&operator, rows, file.mode);
        Ok::<_, FileImportError>(report.await?)
    };
    // Parsing a file takes too long for the threads that serve calls.
    Ok(call.api.request_limits.file_work().run(work).await??)
}
