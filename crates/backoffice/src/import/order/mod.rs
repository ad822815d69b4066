//! Import of orders from the rows of a file, for one store.
//!
//! Rows with the same order id form one order; each row is an item. All rows are checked first, by
//! the same rules as orders placed by the store; if any row is invalid, nothing is placed. Then the
//! orders are placed one by one. Orders that already exist are recognised by their ids, so an
//! interrupted import is completed by running it again.

mod rows;

use std::mem::take;

use futures_util::{StreamExt as _, stream};

use crate::import::catalog::Mode;
use crate::import::confirm::confirm_skus;
use crate::import::shipment::{Problems, RowProblem};
use crate::rows::FileRows;
use pressline_domain::check::{IssueCode, Violation};
use pressline_domain::error::Result;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::{
    DryRun, DryRunOrder, OrderError, OrderKind, OrderPlacer, OrderPricing, OrderService, Placed,
    Source,
};
use pressline_domain::store::Store;

use rows::{OrderOfFile, Reader};

pub use rows::{ImportedOrder, ORDER_COLUMNS};

/// Concurrent writes are faster, because they share database commits.
const CONCURRENT_WRITES: usize = 8;
const MAX_ORDERS: usize = 100;

/// Result of an order import: counts, problems and the first orders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OrderImportReport {
    /// Number of rows in the file, without the header.
    pub rows: usize,
    /// Number of orders placed by this import. In a dry run, the number of orders it would place.
    pub created: usize,
    /// Number of orders that already existed with the same content.
    pub unchanged: usize,
    /// Errors, sorted by line. If the check finds errors, nothing is placed and `created` is 0.
    pub problems: Vec<RowProblem>,
    /// Warnings, sorted by line, for example about an unknown SKU. They do not prevent the import.
    pub warnings: Vec<RowProblem>,
    /// First valid orders of the file, sorted by line; up to 100.
    pub orders: Vec<ImportedOrder>,
}

/// Checks the rows of order files, and places their orders.
#[derive(Clone)]
pub struct OrderImport {
    orders: OrderPlacer,
    pricing: OrderPricing,
}

type OrderRowResult = Result<(ImportedOrder, Vec<RowProblem>), Vec<RowProblem>>;

impl OrderImport {
    /// Creates an import that places orders with `orders`.
    pub fn new(orders: OrderService) -> Self {
        Self {
            orders: orders.place,
            pricing: orders.pricing,
        }
    }

    /// Checks all rows of `file` and, if all are valid and `mode` is [`Mode::Apply`], places their
    /// orders in `store` in the name of `by`. Orders placed before an error remain.
    pub async fn import(
        &self,
        store: &Store,
        mut file: FileRows,
        mode: Mode,
        by: &Caller,
    ) -> Result<OrderImportReport> {
        let rows = file.len();
        let mut reader = Reader::default();
        reader.problems.add_findings(take(&mut file.findings));
        confirm_skus(&mut file, &self.pricing).await?;
        file.each(|row, damages| reader.read(row, damages));
        let Reader {
            orders,
            mut problems,
            ..
        } = reader;
        let running = stream::iter(&orders).map(|order| self.check(store, order));
        // `buffered` keeps the order of the file.
        let checks = running.buffered(CONCURRENT_WRITES).collect().await;
        let mut report = added_up(checks, &mut problems)?;
        if !problems.is_empty() {
            // A single invalid row prevents all orders.
            report.created = 0;
        } else if mode == Mode::Apply && report.created > 0 {
            let placed = stream::iter(&orders)
                .map(|order| self.place(store, order, by))
                .buffered(CONCURRENT_WRITES)
                .collect()
                .await;
            report = added_up(placed, &mut problems)?;
        }
        Ok(OrderImportReport {
            rows,
            problems: problems.sorted(),
            ..report
        })
    }

    async fn check(&self, store: &Store, order: &OrderOfFile) -> Result<OrderRowResult> {
        let checked = self
            .orders
            .dry_run_create(store, &order.draft(), OrderKind::Manual)
            .await;
        let imported = |dry_run: DryRun| {
            let number = match &dry_run.order {
                DryRunOrder::New(_) => None,
                DryRunOrder::Existing(existing) => Some(existing.service_order_id.to_string()),
            };
            let imported = order.imported(dry_run.order.parts(), number);
            (imported, order.warnings(dry_run.warnings))
        };
        outcome(order, checked.map(imported))
    }

    async fn place(
        &self,
        store: &Store,
        order: &OrderOfFile,
        by: &Caller,
    ) -> Result<OrderRowResult> {
        // With `Source::App`, the order is shown by its service order id.
        let origin = (OrderKind::Manual, Source::App);
        let placed = self.orders.place(store, &order.draft(), origin, by).await;
        let imported = |placed: Placed| {
            let order_number = placed.order.service_order_id.to_string();
            let number = placed.replayed.then_some(order_number);
            let imported = order.imported(&placed.order.content, number);
            (imported, order.warnings(placed.warnings))
        };
        outcome(order, placed.map(imported))
    }
}

fn outcome(
    order: &OrderOfFile,
    result: Result<(ImportedOrder, Vec<RowProblem>), OrderError>,
) -> Result<OrderRowResult> {
    let problem = |column: &str, code: &'static str, message: String| {
        let problem = RowProblem::new(order.line, column, code, message);
        Ok(Err(vec![problem]))
    };
    match result {
        Ok(imported) => Ok(Ok(imported)),
        // A failed query ends the import; all other errors concern this order only.
        Err(OrderError::Repository(error)) => Err(error),
        Err(OrderError::Invalid { violations, .. }) => {
            let violations = violations.into_iter();
            let problems = violations.map(|violation: Violation| {
                let (line, column) = order.place(&violation.field);
                RowProblem::in_row(line, column, violation)
            });
            Ok(Err(problems.collect()))
        }
        Err(OrderError::Duplicate {
            existing,
            differing,
        }) => {
            let (number, differing) = (existing.service_order_id, differing.join(", "));
            let message = format!("{number} has this id and other content: {differing}");
            problem("order_id", "duplicate_order_id", message)
        }
        // Placing an order has no other refusals. An unexpected refusal is reported unchanged.
        Err(other) => problem("", IssueCode::Conflict.as_str(), other.to_string()),
    }
}

fn added_up(
    outcomes: Vec<Result<OrderRowResult>>,
    problems: &mut Problems,
) -> Result<OrderImportReport> {
    let mut report = OrderImportReport::default();
    let mut warnings = Problems::default();
    for outcome in outcomes {
        match outcome? {
            Ok((order, of_order)) => {
                warnings.extend(of_order);
                match order.number {
                    None => report.created += 1,
                    Some(_) => report.unchanged += 1,
                }
                if report.orders.len() < MAX_ORDERS {
                    report.orders.push(order);
                }
            }
            Err(of_order) => problems.extend(of_order),
        }
    }
    report.warnings = warnings.sorted();
    Ok(report)
}
