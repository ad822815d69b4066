//! Report orders: the numbers and fees of the orders placed in a range of days.

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::statistics::StatisticsDraft;
use pressline_domain::check::field::Field;
use pressline_http::CallKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, StatisticsResponse};
use crate::caller::ByOperator;
use crate::json::{Lenient, body};
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::schema::GroupByName;

operations! {
    const OPERATIONS;

    /// Report orders
    ///
    /// Returns statistics of the orders placed on the days `from` to `to`, up to 31 days. The
    /// statistics reflect the current state of the orders. Each row has the amounts of one
    /// currency; amounts of different currencies are never added. Reports of more than 50,000 rows
    /// are refused. Two reports can run concurrently; meanwhile, further reports are refused with
    /// 503.
    operator "reportOrders" at "/admin/v1/reports/orders";
    tag "reports", span "api.figures.orders", handler orders;
    with kind: CallKind::Search;
    request ReportOrders;
    response StatisticsResponse: "The figures.";
    example "A month of all stores": "examples/orders" request response;
    example "The orders of a store, for its invoice": "examples/invoice" request response;
}

/// Query for a report. Every field is optional; `{}` reports the present month, by store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportOrders {
    /// First day. Default: the first day of the month of `to`.
    #[schema(value_type = Option<String>, format = "date")]
    from: Lenient<String>,
    /// Last day, at most 30 days after `from`. Default: today.
    #[schema(value_type = Option<String>, format = "date")]
    to: Lenient<String>,
    /// Name of the time zone of the days, such as `Europe/Berlin`. Default: `UTC`.
    #[schema(value_type = Option<String>)]
    time_zone: Lenient<String>,
    /// Grouping of the rows. Default: `store`. For `order`, `stores` must have exactly one id.
    #[schema(value_type = Option<GroupByName>)]
    by: Lenient<String>,
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
}

body! {
    ReportOrders => StatisticsDraft {
        from, to, time_zone,
        stores: StoresDraft { ids = stores, test },
        by,
    }
}

async fn orders(call: ByOperator, request: Request<ReportOrders>) -> Response {
    let (figures, operator) = (&call.api.services.figures, &call.caller.operator);
    let figures = figures.orders(operator, &request.draft).await;
    respond(figures, request.unknown, |figures, unknown| {
        response::statistics(&figures, unknown)
    })
}
