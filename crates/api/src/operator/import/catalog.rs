//! Import catalog: products, prices, shipping rates or fees of a file.

use pressline_domain::limits;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use pressline_tabular::Format;

use super::request::ImportCatalog;
use super::response::{self, CatalogImportedResponse};
use crate::intake::Request;
use crate::operation::operation;
use crate::operator::ByOperator;
use crate::response::{Response, respond};

operation! {
    /// Import catalog
    ///
    /// Stores the products, prices, shipping rates or fees of a CSV file, or nothing if a row is wrong: `problems` lists what is wrong, by
    /// line. The same file can be imported again. An import is recorded in the audit. An operator that is bound to some stores
    /// cannot import what holds for all.
    operator "importCatalog" at "/admin/v1/catalog/import";
    tag "catalog", span "api.catalog.import";
    with kind: CallKind::Large, has_file: true;
    request ImportCatalog;
    response CatalogImportedResponse: "What was imported, or what is wrong.";
    example "Prices in euros": "examples/catalog" request response;
}

async fn handle(call: ByOperator, request: Request<ImportCatalog>) -> Response {
    let imported = import(&call, &request).await;
    respond(imported, request.unknown, response::catalog)
}

async fn import(
    call: &ByOperator,
    request: &Request<ImportCatalog>,
) -> Result<response::CatalogImported, RequestError> {
    let of_catalog = request.draft.catalog()?;
    let (bytes, content) = (of_catalog.file.bytes, of_catalog.content);
    let rows = pressline_tabular::read_at_most(limits::FILE_ROWS, bytes, Format::Csv, content);
    let settings = of_catalog.settings();
    let operator = &call.caller.operator;
    let imports = &call.api.services.imports;
    let imported = imports.catalog(operator, rows, &settings, Some(call.id()));
    response::CatalogImported::of(imported.await?, settings.mode)
}
