//! The import of orders of a store.

use pressline_domain::catalog::import::Mode;
use pressline_domain::order::{
    ImportedOrder, ORDER_COLUMNS, OrderImportReport, OrderRows, RowProblem,
};
use pressline_domain::store::{Store, StoreError};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{ORDERS, path};
use crate::form::{Fields, Question};
use crate::import::{Checked, Importer, MOST_ROWS, PreviewLine, Ran, Wrong};
use crate::list::count_text;
use crate::visit::Visit;

/// The field of the store.
const STORES: &str = "stores";

/// Imports orders.
pub(super) struct Orders;

impl Importer for Orders {
    const PATH: &'static str = "/console/orders/import";
    const NAME: &'static str = "Import orders";
    const SECTION: &'static str = "Orders";
    const DONE: &'static str = ORDERS;
    const OPTIONS: &'static [&'static str] = &[STORES];

    fn hint() -> String {
        format!(
            "Columns: {}. Each row is an item; rows with the same order_id are one order. Several URLs in a cell are separated by |.",
            ORDER_COLUMNS.columns.join(", ")
        )
    }

    async fn questions(visit: &Visit, given: &Fields) -> Result<Vec<Question>, RequestError> {
        let stores = stores(visit).await?.into_iter();
        let options = stores.map(|store| {
            let name = format!("{} ({})", store.name, store.prefix);
            (store.id.to_string(), name)
        });
        let question = Question::choice(STORES, "Store", given.get(STORES), options);
        Ok(vec![question])
    }

    async fn check(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Checked, RequestError> {
        let report = import(visit, options, bytes, Mode::DryRun).await?;
        let counts = [
            (report.created, "new"),
            (report.unchanged, "placed already"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        Ok(Checked {
            rows: report.rows,
            counts: counts
                .map(|(count, what)| format!("{} {what}", orders(count)))
                .collect(),
            lines: report.orders.into_iter().map(line).collect(),
            problems: report.problems.into_iter().map(wrong).collect(),
            warnings: Vec::new(),
        })
    }

    async fn run(visit: &Visit, options: &Fields, bytes: &[u8]) -> Result<Ran, RequestError> {
        let report = import(visit, options, bytes, Mode::Apply).await?;
        let mut text = format!("{} placed.", orders(report.created));
        if report.unchanged > 0 {
            let unchanged = count_text(report.unchanged as u64);
            text.push_str(&format!(" {unchanged} were so already."));
        }
        Ok(Ran {
            text,
            problems: report.problems.into_iter().map(wrong).collect(),
        })
    }
}

/// Returns the enabled stores that the operator reaches.
async fn stores(visit: &Visit) -> Result<Vec<Store>, StoreError> {
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    let open = stores.filter(|store| store.enabled && visit.operator().reaches(store.id));
    Ok(open.collect())
}

/// Imports a file on behalf of the operator, into the chosen store.
async fn import(
    visit: &Visit,
    options: &Fields,
    bytes: &[u8],
    mode: Mode,
) -> Result<OrderImportReport, RequestError> {
    let chosen = options.get(STORES);
    let mut stores = stores(visit).await?.into_iter();
    let Some(store) = stores.find(|store| store.id.to_string() == chosen) else {
        let message = "choose one of your stores";
        return Err(RequestError::new(Code::ValidationFailed, message));
    };
    // A file whose form is wrong has no rows, and its problems are reported like those of rows.
    let rows = pressline_tabular::read_orders_at_most(MOST_ROWS, bytes);
    let rows = rows.unwrap_or_else(|findings| OrderRows {
        findings,
        ..OrderRows::default()
    });
    let import = &visit.services().order_import;
    Ok(import.import(&store, rows, mode, &visit.by()).await?)
}

fn line(order: ImportedOrder) -> PreviewLine {
    let new = format!("{} units in {} items", order.units, order.items);
    let old = match &order.number {
        Some(_) => new.clone(),
        None => String::new(),
    };
    PreviewLine {
        line: order.line,
        link: order.number.as_deref().map(path),
        field: order.number.unwrap_or_default(),
        subject: order.order_id,
        old,
        new,
    }
}

fn wrong(problem: RowProblem) -> Wrong {
    Wrong {
        line: problem.line,
        column: problem.field,
        message: problem.message,
    }
}

fn orders(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} order{plural}", count_text(count as u64))
}
