//! The import of orders of a store.

use pressline_domain::catalog::import::Mode;
use pressline_domain::limits;
use pressline_domain::operator::FileImportError;
use pressline_domain::order::{ImportedOrder, ORDER_COLUMNS, OrderImportReport, RowProblem};
use pressline_domain::store::StoreError;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{ORDERS, path};
use crate::form::{Fields, Question};
use crate::import::{Checked, Importer, PreviewLine, Ran, Wrong};
use crate::list::count_text;
use crate::visit::Visit;

const STORES: &str = "stores";

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
        let imports = &visit.services().file_imports;
        let stores = imports.stores(visit.operator()).await?.into_iter();
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

async fn import(
    visit: &Visit,
    options: &Fields,
    bytes: &[u8],
    mode: Mode,
) -> Result<OrderImportReport, RequestError> {
    let choose = || {
        let message = "choose one of your stores";
        RequestError::new(Code::ValidationFailed, message)
    };
    let store = options.get(STORES).parse().map_err(|_| choose())?;
    let rows = pressline_tabular::read_orders_at_most(limits::FILE_ROWS, bytes);
    let (imports, by) = (&visit.services().file_imports, visit.by());
    let imported = imports.orders(visit.operator(), store, rows, (mode, &by));
    imported.await.map_err(|error| match error {
        FileImportError::Store(StoreError::NotFound(_)) | FileImportError::Disabled(_) => choose(),
        other => other.into(),
    })
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
