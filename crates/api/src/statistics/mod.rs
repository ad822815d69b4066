//! Operations on order statistics, for operators.

use std::collections::HashMap;

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::statistics::{
    Day, Group, OrderStatistics, Statistics, StatisticsDraft, StatisticsRow,
};
use pressline_domain::check::Warning;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, StoreId, Timestamp};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::ByOperator;
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Envelope, MoneySum, Response, ResponseOf, Text, json, respond};
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
    tag "reports", span "api.statistics.orders", handler orders;
    with kind: CallKind::Search;
    request ReportOrders;
    response ResponseOf<StatisticsBody<'static>>: "The statistics.";
    example "A month of all stores": "examples/orders" request response;
    example "The orders of a store, for its invoice": "examples/invoice" request response;
}

bodies! {
    /// Query for a report. Every field is optional; `{}` reports the present month, by store.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ReportOrders {
        /// First day. Default: the first day of the month of `to`.
        from: Option<String> [format = "date"],
        /// Last day, at most 30 days after `from`. Default: today.
        to: Option<String> [format = "date"],
        /// Name of the time zone of the days, such as `Europe/Berlin`. Default: `UTC`.
        time_zone: Option<String>,
        /// Grouping of the rows. Default: `store`. For `order`, `stores` must have exactly one id.
        by: Option<GroupByName>,
        /// Ids of stores. Empty for all stores that you have access to.
        stores: Option<Vec<String>>,
        /// `true` to include orders of test stores; default `false`.
        test: Option<bool>,
    }
    draft StatisticsDraft {
        from, to, time_zone,
        stores: StoresDraft { ids = stores, test },
        by,
    }
}

async fn orders(call: ByOperator, request: Request<ReportOrders>) -> Response {
    let (service, operator) = (&call.api.services.statistics, &call.caller.operator);
    let result = service.orders(operator, &request.draft).await;
    respond(result, request.unknown, |statistics, unknown| {
        response(&statistics, unknown)
    })
}

/// Statistics of the orders placed in a range of days.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderStatistics)]
#[serde(rename_all = "camelCase")]
struct StatisticsBody<'a> {
    /// Time of the report: orders are counted as they were then.
    #[schema(value_type = String, format = "date-time")]
    at: Text<Timestamp>,
    /// First day, inclusive.
    #[schema(value_type = String, format = "date")]
    from: Text<Day>,
    /// Last day, inclusive.
    #[schema(value_type = String, format = "date")]
    to: Text<Day>,
    /// Name of the time zone of the days, such as `Europe/Berlin`.
    time_zone: &'a str,
    /// Grouping of the `rows`.
    #[schema(value_type = GroupByName)]
    by: &'static str,
    /// The rows: stores sorted by name, SKUs by descending units, days and orders in chronological
    /// order.
    rows: Vec<RowBody<'a>>,
    /// Totals of all orders, for each currency. An order counts once, even if it is in the rows of
    /// several SKUs.
    totals: Vec<SumsBody>,
}

/// A row of a report: the fields that identify the group, and its statistics.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatisticsRow)]
#[serde(rename_all = "camelCase")]
struct RowBody<'a> {
    /// Id of the store. Only if the report's `by` is `store` or `order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, format = "uuid")]
    store_id: Option<Text<StoreId>>,
    /// Name of the store. Only if the report's `by` is `store` or `order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    store: Option<&'a str>,
    /// The SKU; `null` in the row for amounts of no single item, such as shipping. Only if the
    /// report's `by` is `sku`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    // Two options: absent in rows by another group, `null` for amounts of no single SKU.
    sku: Option<Option<&'a str>>,
    /// Day of the orders' creation. Only if the report's `by` is `day`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, format = "date")]
    day: Option<Text<Day>>,
    /// The service's number of the order. Only if the report's `by` is `order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    service_order_id: Option<&'a str>,
    /// The store's id of the order: its `order_id`. Only if the report's `by` is `order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<&'a str>,
    /// Time of the order's creation. Only if the report's `by` is `order`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, format = "date-time")]
    created_at: Option<Text<Timestamp>>,
    #[serde(flatten)]
    sums: SumsBody,
}

/// Statistics of a group of orders. A fee is `null` if no order has it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Statistics)]
#[serde(rename_all = "camelCase")]
struct SumsBody {
    /// ISO 4217 code of the currency of the amounts.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// Number of orders with an item that is not cancelled.
    orders: u64,
    /// Units of items that are not cancelled.
    units: u64,
    /// Sum of unit costs times quantities.
    #[schema(value_type = Option<f64>, required)]
    product_cost: Option<MoneySum>,
    /// Sum of the shipping fees.
    #[schema(value_type = Option<f64>, required)]
    shipping_fee: Option<MoneySum>,
    /// Sum of the extra fees of print areas and of other surcharges.
    #[schema(value_type = Option<f64>, required)]
    surcharge_fee: Option<MoneySum>,
    /// Sum of the fees for handling prepared labels.
    #[schema(value_type = Option<f64>, required)]
    handle_fee: Option<MoneySum>,
    /// Sum of other fees.
    #[schema(value_type = Option<f64>, required)]
    other_fee: Option<MoneySum>,
    /// Sum of other shipping-related fees.
    #[schema(value_type = Option<f64>, required)]
    other_shipping_fee: Option<MoneySum>,
    /// Sum of all fees.
    #[schema(value_type = f64)]
    total_cost: MoneySum,
    /// Number of orders with only cancelled items.
    cancelled_orders: u64,
    /// Units of cancelled items.
    cancelled_units: u64,
    /// Number of orders with an unknown cost. `totalCost` has only their known fees.
    unpriced_orders: u64,
    /// Units of overdue items, and of items that were already overdue when they were sent.
    late_units: u64,
    /// Number of misprinted units.
    misprinted_units: u64,
}

impl SumsBody {
    fn new(statistics: &Statistics, currency: Currency) -> Self {
        let fee = |fee| statistics.fee(fee).map(|sum| MoneySum(sum, currency));
        Self {
            currency: currency.code(),
            orders: statistics.orders,
            units: statistics.units,
            product_cost: fee(FeeType::Product),
            shipping_fee: fee(FeeType::Shipping),
            surcharge_fee: fee(FeeType::Surcharge),
            handle_fee: fee(FeeType::Handling),
            other_fee: fee(FeeType::Other),
            other_shipping_fee: fee(FeeType::OtherShipping),
            total_cost: MoneySum(statistics.total, currency),
            cancelled_orders: statistics.cancelled_orders,
            cancelled_units: statistics.cancelled_units,
            unpriced_orders: statistics.unpriced_orders,
            late_units: statistics.late_units,
            misprinted_units: statistics.misprinted_units,
        }
    }
}

impl<'a> RowBody<'a> {
    fn new(row: &'a StatisticsRow, stores: &'a HashMap<StoreId, Store>) -> Self {
        let (store, sku, day, order) = match &row.group {
            Group::Store(id) => (Some(id), None, None, None),
            Group::Sku(sku) => (None, Some(sku.as_deref()), None, None),
            Group::Day(day) => (None, None, Some(Text(*day)), None),
            Group::Order {
                id,
                store,
                number,
                order_id,
            } => (Some(store), None, None, Some((id, number, order_id))),
        };
        let name = store.and_then(|id| stores.get(id));
        Self {
            store_id: store.copied().map(Text),
            store: name.map(|store| store.name.as_str()),
            sku,
            day,
            service_order_id: order.map(|(_, number, _)| number.as_str()),
            order_id: order.map(|(_, _, order_id)| order_id.as_str()),
            // An order's id contains its time of creation.
            created_at: order.map(|(id, ..)| Text(id.created_at())),
            sums: SumsBody::new(&row.statistics, row.currency),
        }
    }
}

fn response(statistics: &OrderStatistics, unknown: Vec<Warning>) -> Response {
    let ends = statistics.days.ends();
    // The checked request has at least one day.
    let (from, to) = ends.ok_or_else(|| RequestError::internal("statistics of no day"))?;
    let rows = statistics.rows.iter();
    let totals = statistics.totals.iter();
    let body = StatisticsBody {
        at: Text(statistics.at),
        from: Text(from),
        to: Text(to),
        time_zone: statistics.zone.as_str(),
        by: statistics.by.as_str(),
        rows: rows
            .map(|row| RowBody::new(row, &statistics.stores))
            .collect(),
        totals: totals
            .map(|(currency, sums)| SumsBody::new(sums, *currency))
            .collect(),
    };
    json(&Envelope::new("OK", body, unknown))
}
