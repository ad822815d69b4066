//! Import catalog: products, prices, shipping rates or fees of a file.

use actix_web::{HttpResponse, web};
use pressline_domain::limits;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use pressline_tabular::Format;
use utoipa::OpenApi;

use super::request::ImportCatalog;
use super::response::{self, CatalogImportedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    has_file: true,
    examples: &[Example {
        title: "Prices in euros",
        request: include_str!("examples/catalog.request.json"),
        response: Some(include_str!("examples/catalog.response.json")),
    }],
    ..Operation::of_operators(
        "importCatalog",
        "/admin/v1/catalog/import",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Import catalog
///
/// Stores the products, prices, shipping rates or fees of a CSV file, or nothing if a row is wrong: `problems` lists what is wrong, by
/// line. The same file can be imported again. An import is recorded in the audit. An operator that is bound to some stores
/// cannot import what holds for all.
#[utoipa::path(
    post,
    path = "/admin/v1/catalog/import",
    operation_id = "importCatalog",
    tag = "catalog",
    request_body(content = ImportCatalog),
    responses((status = 200, description = "What was imported, or what is wrong.", body = CatalogImportedResponse))
)]
#[tracing::instrument(name = "api.catalog.import", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ImportCatalog>,
) -> Result<HttpResponse, RequestError> {
    let response = import(&api, &request).await;
    match response {
        Ok(imported) => response::catalog(imported, request.unknown),
        Err(error) => Err(error.warned(request.unknown)),
    }
}

async fn import(
    api: &OperatorApi,
    request: &ByOperator<ImportCatalog>,
) -> Result<response::CatalogImported, RequestError> {
    let of_catalog = request.draft.catalog()?;
    let (bytes, content) = (of_catalog.file.bytes, of_catalog.content);
    let rows = pressline_tabular::read_at_most(limits::FILE_ROWS, bytes, Format::Csv, content);
    let settings = of_catalog.settings();
    let operator = &request.caller.operator;
    let imports = &api.services.imports;
    let imported = imports.catalog(operator, rows, &settings, Some(request.id()));
    response::CatalogImported::of(imported.await?, settings.mode)
}
