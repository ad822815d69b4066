//! Report orders: the numbers and fees of the orders that were placed on some days.

use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::figures::FiguresDraft;
use pressline_domain::order::queue::StoresDraft;
use pressline_domain::report::Path;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, FiguresResponse};
use crate::OperatorApi;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::schema::GroupByName;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[
        Example {
            title: "A month of all stores",
            request: include_str!("examples/orders.request.json"),
            response: Some(include_str!("examples/orders.response.json")),
        },
        Example {
            title: "The orders of a store, for its invoice",
            request: include_str!("examples/invoice.request.json"),
            response: Some(include_str!("examples/invoice.response.json")),
        },
    ],
    ..Operation::of_operators(
        "reportOrders",
        "/admin/v1/reports/orders",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// The orders to report. Every field is optional; `{}` reports the present month, by store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportOrders {
    /// The first day. Without it, the first of the month of the last day.
    #[schema(value_type = Option<String>, format = "date")]
    from: Lenient<String>,
    /// The last day, at most 30 days after the first. Without it, today.
    #[schema(value_type = Option<String>, format = "date")]
    to: Lenient<String>,
    /// Name of the time zone that the days are of, such as `Europe/Berlin`. Without it, `UTC`.
    #[schema(value_type = Option<String>)]
    time_zone: Lenient<String>,
    /// What a row is. Without it, a store. The rows of orders are of one store only, which `stores` names.
    #[schema(value_type = Option<GroupByName>)]
    by: Lenient<String>,
    /// Ids of stores. Empty for all that you reach.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// True to include the orders of test stores. They are left out otherwise.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
}

impl Body for ReportOrders {
    type Draft = FiguresDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> FiguresDraft {
        FiguresDraft {
            from: self.from.0,
            to: self.to.0,
            time_zone: self.time_zone.0,
            stores: StoresDraft {
                ids: self.stores.0,
                test: self.test.0,
            },
            by: self.by.0,
        }
    }
}

/// Report orders
///
/// Returns the numbers and fees of the orders that were placed on up to 31 days, as they are now. Each row has the amounts of one
/// currency; amounts of different currencies are never added. More than 50,000 rows are refused. Two reports are made at the
/// same time; further ones are refused with 503 meanwhile.
#[utoipa::path(
    post,
    path = "/admin/v1/reports/orders",
    operation_id = "reportOrders",
    tag = "reports",
    request_body(content = ReportOrders),
    responses((status = 200, description = "The figures.", body = FiguresResponse))
)]
#[tracing::instrument(name = "api.figures.orders", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ReportOrders>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let figures = api.services.figures.orders(operator, &request.draft).await;
    respond(figures, request.unknown, |figures, unknown| {
        response::figures(&figures, unknown)
    })
}
