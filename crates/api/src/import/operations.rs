//! Imports of files.

use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::order::OrderImportReport;
use pressline_backoffice::import::shipment::ShipmentImportReport;
use pressline_backoffice::limits;
use pressline_backoffice::operator::{FileImportError, ImportDraft};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use pressline_tabular::Format;

use super::response::{self, CatalogImported, OrdersImported, ShipmentsImported};
use crate::caller::ByOperator;
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, ResponseOf, respond};
use crate::schema::CatalogContentName;

operations! {
    const OPERATIONS;

    /// Import orders
    ///
    /// Places the orders of a CSV file in a store, as the store's own calls do, but with the
    /// `source` `app`. If a row is wrong, no order is placed, and `problems` lists the problems by
    /// line. Existing orders with the same `order_id` and content are `unchanged`, so the same file
    /// can be imported again.
    operator "importOrders" at "/admin/v1/orders/import";
    tag "orders", span "api.order.import", handler orders;
    with kind: CallKind::Large, has_file: true;
    errors [StoreNotFound];
    request ImportOrders;
    response ResponseOf<OrdersImported<'static>>: "What was imported, or what is wrong.";
    example "A check of two orders": "examples/orders" request response;

    /// Import shipments
    ///
    /// Records each parcel of a CSV file as `shipments/create` does. If a row is wrong, no parcel
    /// is recorded, and `problems` lists the problems by line. Existing parcels are
    /// `unchanged`, so the same file can be imported again. If a concurrent change of an order
    /// makes its parcel invalid, `problems` lists the parcel; all other parcels are still recorded.
    operator "importShipments" at "/admin/v1/shipments/import";
    tag "shipments", span "api.shipment.import", handler shipments;
    with kind: CallKind::Large, has_file: true;
    request ImportShipments;
    response ResponseOf<ShipmentsImported<'static>>: "What was imported, or what is wrong.";
    example "A parcel": "examples/shipments" request response;
    example "A check of a file with a wrong row": "examples/shipments_wrong" request response;

    /// Import catalog
    ///
    /// Stores the products, prices, shipping rates or fees of a CSV file. If a row is wrong,
    /// nothing is stored, and `problems` lists the problems by line. The same file can be imported
    /// again. An import is recorded in the audit log. Operators with access to only some stores
    /// cannot import, because all stores share the catalog.
    operator "importCatalog" at "/admin/v1/catalog/import";
    tag "catalog", span "api.catalog.import", handler catalog;
    with kind: CallKind::Large, has_file: true;
    request ImportCatalog;
    response ResponseOf<CatalogImported>: "What was imported, or what is wrong.";
    example "Prices in euros": "examples/catalog" request response;
}

async fn orders(call: ByOperator, request: Request<ImportOrders>) -> Response {
    let imported = import_orders(&call, request.draft).await;
    respond(imported, request.unknown, |(report, mode), unknown| {
        response::orders(&report, mode, unknown)
    })
}

async fn import_orders(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<(OrderImportReport, Mode), RequestError> {
    let (imports, by) = (call.api.services.imports.clone(), call.by());
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let (file, mode, store) = draft.orders()?;
        let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, file);
        let report = imports.orders(&operator, store, rows, (mode, &by));
        Ok::<_, FileImportError>((report.await?, mode, store))
    };
    // Parsing a file takes too long for the threads that serve calls.
    let (report, mode, store) = call.api.request_limits.file_work().run(work).await??;
    // Noted only now, because the import has checked the store.
    call.note_store_id(store);
    Ok((report, mode))
}

async fn shipments(call: ByOperator, request: Request<ImportShipments>) -> Response {
    let imported = import_shipments(&call, request.draft).await;
    respond(imported, request.unknown, |report, unknown| {
        response::shipments(&report, unknown)
    })
}

async fn import_shipments(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<ShipmentImportReport, RequestError> {
    let imports = call.api.services.imports.clone();
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let (file, mode) = draft.file()?;
        let rows = pressline_tabular::read_shipments_at_most(limits::FILE_ROWS, file);
        let report = imports.shipments(&operator, rows, mode);
        Ok::<_, FileImportError>(report.await?)
    };
    // Parsing a file takes too long for the threads that serve calls.
    Ok(call.api.request_limits.file_work().run(work).await??)
}

async fn catalog(call: ByOperator, request: Request<ImportCatalog>) -> Response {
    let imported = import_catalog(&call, request.draft).await;
    respond(imported, request.unknown, response::catalog)
}

async fn import_catalog(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<response::CatalogImported, RequestError> {
    // Cloned, because the work runs on another thread.
    let (imports, request_id) = (call.api.services.imports.clone(), call.id());
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let (bytes, content, settings) = draft.catalog()?;
        let rows = pressline_tabular::read_at_most(limits::FILE_ROWS, bytes, Format::Csv, content);
        let imported = imports.catalog(&operator, rows, &settings, Some(request_id));
        Ok::<_, FileImportError>((imported.await?, settings.mode))
    };
    // Parsing a file takes too long for the threads that serve calls.
    let (imported, mode) = call.api.request_limits.file_work().run(work).await??;
    response::CatalogImported::new(imported, mode)
}

bodies! {
    /// Import of parcels.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ImportShipments {
        /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows.
        file: String,
        /// `true` to change nothing and only report the result that an import would have.
        dry_run: Option<bool>,
    }
    draft ImportDraft { .. }

    /// Import of a store's orders.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ImportOrders {
        /// Id of the store that the orders are placed in.
        store_id: String [format = "uuid"],
        /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows.
        file: String,
        /// `true` to change nothing and only report the result that an import would have.
        dry_run: Option<bool>,
    }
    draft ImportDraft { .. }

    /// Import of a part of the catalog.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ImportCatalog {
        /// Kind of rows in `file`, such as `prices`.
        content: CatalogContentName,
        /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows, with the same columns
        /// as an exported file.
        file: String,
        /// `true` to retire variants missing from a product file. For a price file, `true` to
        /// remove missing prices from each price list in the file. Shipping rates, and each fee
        /// schedule in a file, are always replaced entirely.
        replace: Option<bool>,
        /// `true` to change nothing and only report the result that an import would have.
        dry_run: Option<bool>,
    }
    draft ImportDraft { .. }
}
