//! Import orders: those of a file, for a store.

use actix_web::{HttpResponse, web};
use pressline_domain::catalog::import::Mode;
use pressline_domain::limits;
use pressline_domain::operator::FileImportError;
use pressline_domain::order::OrderImportReport;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::ImportOrders;
use super::response::{self, OrdersImportedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    has_file: true,
    examples: &[Example {
        title: "A check of two orders",
        request: include_str!("examples/orders.request.json"),
        response: Some(include_str!("examples/orders.response.json")),
    }],
    ..Operation::of_operators(
        "importOrders",
        "/admin/v1/orders/import",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Import orders
///
/// Places the orders of a CSV file in a store, as its own calls do, or none if a row is wrong: `problems` lists what is wrong, by line.
/// The orders have the `source` `app`. Those that were placed already, by the same `order_id` and content, are `unchanged`,
/// so the same file can be imported again.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/import",
    operation_id = "importOrders",
    tag = "orders",
    request_body(content = ImportOrders),
    responses((status = 200, description = "What was imported, or what is wrong.", body = OrdersImportedResponse))
)]
#[tracing::instrument(name = "api.order.import", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ImportOrders>,
) -> Result<HttpResponse, RequestError> {
    let imported = import(&api, &request).await;
    respond(imported, request.unknown, |(report, mode), unknown| {
        response::orders(&report, mode, unknown)
    })
}

async fn import(
    api: &OperatorApi,
    request: &ByOperator<ImportOrders>,
) -> Result<(OrderImportReport, Mode), FileImportError> {
    let of_store = request.draft.orders()?;
    let (file, store) = (of_store.file, of_store.store);
    let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, file.bytes);
    let (imports, by) = (&api.services.imports, request.by());
    let operator = &request.caller.operator;
    let report = imports.orders(operator, store, rows, (file.mode, &by));
    let report = report.await?;
    request.note_store_id(store);
    Ok((report, file.mode))
}
