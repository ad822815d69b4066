//! Import shipments: the parcels of a file.

use actix_web::{HttpResponse, web};
use pressline_domain::limits;
use pressline_domain::operator::FileImportError;
use pressline_domain::order::ShipmentImportReport;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::ImportShipments;
use super::response::{self, ShipmentsImportedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    has_file: true,
    examples: &[
        Example {
            title: "A parcel",
            request: include_str!("examples/shipments.request.json"),
            response: Some(include_str!("examples/shipments.response.json")),
        },
        Example {
            title: "A check of a file with a wrong row",
            request: include_str!("examples/shipments_wrong.request.json"),
            response: Some(include_str!("examples/shipments_wrong.response.json")),
        },
    ],
    ..Operation::of_operators(
        "importShipments",
        "/admin/v1/shipments/import",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Import shipments
///
/// Records the parcels of a CSV file, as `shipments/create` does for each, or none if a row is wrong: `problems` lists what is wrong,
/// by line. Parcels that are recorded already are `unchanged`, so the same file can be imported again. An order that
/// changes between check and import, so that its parcel no longer fits, is a problem too; all other parcels are recorded then.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/import",
    operation_id = "importShipments",
    tag = "shipments",
    request_body(content = ImportShipments),
    responses((status = 200, description = "What was imported, or what is wrong.", body = ShipmentsImportedResponse))
)]
#[tracing::instrument(name = "api.shipment.import", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ImportShipments>,
) -> Result<HttpResponse, RequestError> {
    let imported = import(&api, &request).await;
    respond(imported, request.unknown, |report, unknown| {
        response::shipments(&report, unknown)
    })
}

async fn import(
    api: &OperatorApi,
    request: &ByOperator<ImportShipments>,
) -> Result<ShipmentImportReport, FileImportError> {
    let file = request.draft.file()?;
    let rows = pressline_tabular::read_shipments_at_most(limits::FILE_ROWS, file.bytes);
    let imports = &api.services.imports;
    let report = imports.shipments(&request.caller.operator, rows, file.mode);
    Ok(report.await?)
}
