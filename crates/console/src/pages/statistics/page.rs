//! Page of reports.

use askama::Template;
use pressline_backoffice::statistics::{
    Group, GroupBy, OrderStatistics, Statistics, StatisticsRow, Sum,
};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Currency;

use super::columns::{APART, ORDERED, fee_label, occurring};
use super::filter::{self, REPORTS};
use crate::shell::filter::stores::StoreNames;
use crate::shell::form::with_errors;
use crate::shell::paths::order;
use crate::shell::view::{money_sum, number};
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, SignedInRequest, When,
};

/// Maximum number of rows on the page. The export has all rows.
const MAX_ROWS: usize = 200;

const EXPORT: &str = "/console/reports/export.csv";

#[derive(Template)]
#[template(path = "reports.html")]
struct ReportsPage {
    frame: Frame,
    questions: Vec<FormField>,
    shortcuts: [(&'static str, String); 4],
    includes_test: bool,
    table: Option<Table>,
    errors: Option<FormErrors>,
}

struct Table {
    at: When,
    /// Header of the first column, which contains the names of the rows.
    name: &'static str,
    columns: Vec<Column>,
    rows: Vec<Row>,
    totals: Vec<Row>,
    /// Total number of rows; `None` if the page shows all.
    more: Option<String>,
    export: String,
}

struct Column {
    label: &'static str,
    is_number: bool,
}

struct Row {
    name: String,
    /// URL of a page with details of the row; `None` for SKUs and totals.
    path: Option<String>,
    cells: Vec<String>,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let filters = filter::filters(&visit);
    let draft = filter::draft(&visit, &filters);
    let service = &visit.services().statistics;
    let (statistics, errors) = match service.orders(visit.operator(), &draft).await {
        Ok(statistics) => (Some(statistics), None),
        Err(error) => (None, Some(FormErrors::from_error(error)?)),
    };
    let stores = StoreNames::new(&visit).await?;
    let questions = filter::questions(&visit, statistics.as_ref(), &stores);
    let now = visit.services().clock.now();
    let page = ReportsPage {
        frame: visit.frame(&["Reports"])?,
        questions: with_errors(questions, errors.as_ref()),
        shortcuts: filter::shortcuts(now, visit.zone()),
        includes_test: visit.query().chooses("test", "on"),
        table: statistics.map(|statistics| Table::new(&statistics, &filters, &visit)),
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

impl Table {
    fn new(statistics: &OrderStatistics, filters: &Fields, visit: &SignedInRequest) -> Self {
        let fees = occurring(&statistics.totals);
        let rows = statistics
            .rows
            .iter()
            .take(MAX_ROWS)
            .map(|row| Row::of(row, statistics, &fees, (filters, visit)));
        let (name, of_order): (_, &[&str]) = match statistics.by {
            GroupBy::Store => ("Store", &[]),
            GroupBy::Sku => ("SKU", &[]),
            GroupBy::Day => ("Day", &[]),
            GroupBy::Order => ("Order", &["Store's id", "Placed"]),
        };
        let totals = statistics.totals.iter().map(|(currency, sums)| {
            let mut texts = vec![String::new(); of_order.len()];
            texts.extend(cells(sums, *currency, &fees));
            Row {
                name: format!("Total {currency}"),
                path: None,
                cells: texts,
            }
        });
        Self {
            at: When::in_zone(statistics.at, visit.zone()),
            name,
            columns: columns(of_order, &fees),
            rows: rows.collect(),
            totals: totals.collect(),
            more: (statistics.rows.len() > MAX_ROWS).then(|| number(statistics.rows.len() as u64)),
            export: filters.without(&[]).address(EXPORT),
        }
    }
}

fn columns(of_order: &[&'static str], fees: &[FeeType]) -> Vec<Column> {
    let texts = of_order.iter().map(|label| (*label, false));
    let fees = fees.iter().map(|fee| fee_label(*fee));
    let numbers = ORDERED
        .iter()
        .map(|(label, ..)| *label)
        .chain(fees)
        .chain(["Total"])
        .chain(APART.iter().map(|(label, ..)| *label));
    let columns = texts.chain(numbers.map(|label| (label, true)));
    let column = |(label, is_number)| Column { label, is_number };
    columns.map(column).collect()
}

fn cells(statistics: &Statistics, currency: Currency, fees: &[FeeType]) -> Vec<String> {
    let fee = |fee: &FeeType| statistics.fee(*fee).map(|sum| money_sum(sum, currency));
    let mut cells = ORDERED.map(|(_, _, of)| number(of(statistics))).to_vec();
    cells.extend(fees.iter().map(|of| fee(of).unwrap_or_default()));
    cells.push(total(statistics, currency));
    cells.extend(APART.map(|(_, _, of)| number(of(statistics))));
    cells
}

/// Includes the known fees of unpriced orders.
fn total(statistics: &Statistics, currency: Currency) -> String {
    // A total of 0 would look like a known price.
    if statistics.unpriced_orders > 0 && statistics.total == Sum::default() {
        return "not priced".to_owned();
    }
    format!("{} {currency}", money_sum(statistics.total, currency))
}

impl Row {
    fn of(
        row: &StatisticsRow,
        statistics: &OrderStatistics,
        fees: &[FeeType],
        (filters, visit): (&Fields, &SignedInRequest),
    ) -> Self {
        let numbers = cells(&row.statistics, row.currency, fees);
        let (name, path, mut texts) = match &row.group {
            Group::Store(id) => {
                let store = statistics.stores.get(id);
                let name = store.map_or_else(|| id.to_string(), |store| store.name.clone());
                let orders = filters
                    .without(&["by", "stores"])
                    .with("by", GroupBy::Order.as_str())
                    .with("stores", &id.to_string());
                (name, Some(orders.address(REPORTS)), Vec::new())
            }
            Group::Sku(Some(sku)) => (sku.clone(), None, Vec::new()),
            Group::Sku(None) => ("Of no single item".to_owned(), None, Vec::new()),
            Group::Day(day) => {
                let stores = filter::of_days(&filters.without(&["by"]), *day, *day);
                (day.to_string(), Some(stores.address(REPORTS)), Vec::new())
            }
            Group::Order {
                id,
                number,
                order_id,
                ..
            } => {
                let placed = When::in_zone(id.created_at(), visit.zone());
                let texts = vec![order_id.clone(), placed.text().to_owned()];
                (number.clone(), Some(order::path(number)), texts)
            }
        };
        texts.extend(numbers);
        Self {
            name,
            path,
            cells: texts,
        }
    }
}
