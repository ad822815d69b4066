//! Import catalog: products, prices, shipping rates or fees from a file.

use pressline_backoffice::limits;
use pressline_backoffice::operator::{FileImportError, ImportDraft};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use pressline_tabular::Format;

use super::request::ImportCatalog;
use super::response::{self, CatalogImportedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Import catalog
    ///
    /// Stores the products, prices, shipping rates or fees of a CSV file. If a row is wrong,
    /// nothing is stored, and `problems` lists the problems by line. The same file can be imported
    /// again. An import is recorded in the audit log. Operators with access to only some stores
    /// cannot import, because all stores share the catalog.
    operator "importCatalog" at "/admin/v1/catalog/import";
    tag "catalog", span "api.catalog.import";
    with kind: CallKind::Large, has_file: true;
    request ImportCatalog;
    response CatalogImportedResponse: "What was imported, or what is wrong.";
    example "Prices in euros": "examples/catalog" request response;
}

async fn handle(call: ByOperator, request: Request<ImportCatalog>) -> Response {
    let imported = import(&call, request.draft).await;
    respond(imported, request.unknown, response::catalog)
}

async fn import(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<response::CatalogImported, RequestError> {
    // Cloned, because the work runs on another thread.
    let (imports, request_id) = (call.api.services.imports.clone(), call.id());
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let of_catalog = draft.catalog()?;
        let (bytes, content) = (of_catalog.file.bytes, of_catalog.content);
        let rows = pressline_tabular::read_at_most(limits::FILE_ROWS, bytes, Format::Csv, content);
        let settings = of_catalog.settings();
        let imported = imports.catalog(&operator, rows, &settings, Some(request_id));
        Ok::<_, FileImportError>((imported.await?, settings.mode))
    };
    // Parsing a file takes too long for the threads that serve calls.
    let (imported, mode) = call.api.request_limits.file_work().run(work).await??;
    response::CatalogImported::new(imported, mode)
}
