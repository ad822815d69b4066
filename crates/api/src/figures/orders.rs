//! Report orders: the numbers and fees of the orders that were placed on some days.

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::statistics::StatisticsDraft;
use pressline_domain::field::Field;
use pressline_http::CallKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, FiguresResponse};
use crate::intake::Request;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::operator::ByOperator;
use crate::response::{Response, respond};
use crate::schema::GroupByName;

operation! {
    /// Report orders
    ///
    /// Returns the numbers and fees of the orders that were placed on up to 31 days, as they are now. Each row has the amounts of one
    /// currency; amounts of different currencies are never added. More than 50,000 rows are refused. Two reports are made at the
    /// same time; further ones are refused with 503 meanwhile.
    operator "reportOrders" at "/admin/v1/reports/orders";
    tag "reports", span "api.figures.orders";
    with kind: CallKind::Search;
    request ReportOrders;
    response FiguresResponse: "The figures.";
    example "A month of all stores": "examples/orders" request response;
    example "The orders of a store, for its invoice": "examples/invoice" request response;
}

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

body! {
    ReportOrders => StatisticsDraft {
        from, to, time_zone,
        stores: StoresDraft { ids = stores, test },
        by,
    }
}

async fn handle(call: ByOperator, request: Request<ReportOrders>) -> Response {
    let operator = &call.caller.operator;
    let figures = call
        .api
        .services
        .figures
        .orders(operator, &request.draft)
        .await;
    respond(figures, request.unknown, |figures, unknown| {
        response::figures(&figures, unknown)
    })
}
