//! Export of reports as CSV files.

use pressline_backoffice::statistics::{Group, GroupBy, OrderStatistics, StatisticsRow};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::StoreId;

use super::columns::{APART, ORDERED, plain};
use super::filter;
use crate::shell::list;
use crate::shell::{Answer, SignedInRequest};

pub(crate) async fn export(visit: SignedInRequest) -> Answer {
    let draft = filter::draft(&visit, visit.query());
    let statistics = visit
        .services()
        .statistics
        .orders(visit.operator(), &draft)
        .await?;
    let mut header = names(statistics.by).to_vec();
    header.push("currency");
    header.extend(ORDERED.map(|(_, field, _)| field));
    // Fees that do not occur have a column, too, so that all files have the same columns.
    header.extend(FeeType::ALL.map(FeeType::field));
    header.push("totalCost");
    header.extend(APART.map(|(_, field, _)| field));
    let rows = statistics.rows.iter().map(|row| cells(row, &statistics));
    let ends = statistics.days.ends();
    let days = ends.map_or_else(String::new, |(from, to)| format!("-{from}-{to}"));
    let name = format!("report-by-{}{days}.csv", statistics.by.as_str());
    list::csv(&name, &header.join(","), rows)
}

fn names(by: GroupBy) -> &'static [&'static str] {
    match by {
        GroupBy::Store => &["storeId", "store"],
        GroupBy::Sku => &["sku"],
        GroupBy::Day => &["day"],
        GroupBy::Order => &["storeId", "store", "serviceOrderId", "orderId", "createdAt"],
    }
}

fn cells(row: &StatisticsRow, report: &OrderStatistics) -> Vec<String> {
    let (statistics, currency) = (&row.statistics, row.currency);
    let of_store = |id: &StoreId| {
        let store = report.stores.get(id);
        [
            id.to_string(),
            store.map_or_else(String::new, |store| store.name.clone()),
        ]
    };
    let mut cells = match &row.group {
        Group::Store(id) => of_store(id).to_vec(),
        Group::Sku(sku) => vec![sku.clone().unwrap_or_default()],
        Group::Day(day) => vec![day.to_string()],
        Group::Order {
            id,
            store,
            number,
            order_id,
        } => {
            let created_at = id.created_at().to_string();
            let order = [number.clone(), order_id.clone(), created_at];
            of_store(store).into_iter().chain(order).collect()
        }
    };
    cells.push(currency.to_string());
    cells.extend(ORDERED.map(|(_, _, of)| of(statistics).to_string()));
    cells.extend(FeeType::ALL.map(|fee| plain(statistics.fee(fee), currency)));
    cells.push(statistics.total.to_fixed(currency));
    cells.extend(APART.map(|(_, _, of)| of(statistics).to_string()));
    cells
}
