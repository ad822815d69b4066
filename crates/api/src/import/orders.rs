//! Import orders: the orders of a file, for a store.

use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::order::OrderImportReport;
use pressline_backoffice::limits;
use pressline_backoffice::operator::{FileImportError, ImportDraft, OrderFile};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

use super::request::ImportOrders;
use super::response::{self, OrdersImportedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Import orders
    ///
    /// Places the orders of a CSV file in a store, as the store's own calls do, but with the
    /// `source` `app`. If a row is wrong, no order is placed, and `problems` lists the problems by
    /// line. Existing orders with the same `order_id` and content are `unchanged`, so the same file
    /// can be imported again.
    operator "importOrders" at "/admin/v1/orders/import";
    tag "orders", span "api.order.import";
    with kind: CallKind::Large, has_file: true;
    errors [StoreNotFound];
    request ImportOrders;
    response OrdersImportedResponse: "What was imported, or what is wrong.";
    example "A check of two orders": "examples/orders" request response;
}

async fn handle(call: ByOperator, request: Request<ImportOrders>) -> Response {
    let imported = import(&call, request.draft).await;
    respond(imported, request.unknown, |(report, mode), unknown| {
        response::orders(&report, mode, unknown)
    })
}

async fn import(
    call: &ByOperator,
    draft: ImportDraft,
) -> Result<(OrderImportReport, Mode), RequestError> {
    let (imports, by) = (call.api.services.imports.clone(), call.by());
    let operator = call.caller.operator.clone();
    let work = move || async move {
        let OrderFile { file, store } = draft.orders()?;
        let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, file.bytes);
        let report = imports.orders(&operator, store, rows, (file.mode, &by));
        Ok::<_, FileImportError>((report.await?, file.mode, store))
    };
    // Parsing a file takes too long for the threads that serve calls.
    let (report, mode, store) = call.api.request_limits.file_work().run(work).await??;
    // Noted only now, because the import has checked the store.
    call.note_store_id(store);
    Ok((report, mode))
}
