//! Imports in responses.

use pressline_backoffice::import::catalog::{Accepted, Findings, Mode, Sheet, Summary};
use pressline_backoffice::import::order::{ImportedOrder, OrderImportReport};
use pressline_backoffice::import::shipment::{ImportedParcel, RowProblem, ShipmentImportReport};
use pressline_backoffice::operator;
use pressline_domain::catalog::{ChangeKind, ImportSummary};
use pressline_domain::report::{IssueCode, Warning};
use pressline_http::request_error::{RequestError, chain};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::single::{Envelope, ResponseOf};
use crate::response::{Response, json};
use crate::schema::CatalogChangeName;

const LISTED: usize = 100;

pub(crate) type ShipmentsImportedResponse = ResponseOf<ShipmentsImported<'static>>;
pub(crate) type OrdersImportedResponse = ResponseOf<OrdersImported<'static>>;
pub(crate) type CatalogImportedResponse = ResponseOf<CatalogImported>;

/// Something that is wrong with a row of a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RowProblem)]
struct ProblemBody {
    /// The line of the file, from 1.
    #[schema(minimum = 1)]
    line: u64,
    /// The column; empty for the whole row.
    field: String,
    /// What kind of problem it is, for programs: a code of a field, or the code of the error that the same call about one row
    /// would get.
    code: &'static str,
    /// What is wrong and what would be right, for people.
    message: String,
}

impl From<&RowProblem> for ProblemBody {
    fn from(problem: &RowProblem) -> Self {
        Self {
            line: problem.line,
            field: problem.field.clone(),
            code: problem.code,
            message: problem.message.clone(),
        }
    }
}

/// What an import of parcels comes to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentsImported<'a> {
    /// Number of rows of the file; 0 if it cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported: false for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of parcels that were recorded, or would be; 0 if a row is wrong.
    created: usize,
    /// Number of parcels that were recorded already.
    unchanged: usize,
    /// What is wrong, by line. The last entry may count further ones.
    problems: Vec<ProblemBody>,
    /// The first parcels that are right, by line; at most 100.
    parcels: Vec<ParcelBody<'a>>,
}

/// A parcel of a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportedParcel)]
#[serde(rename_all = "camelCase")]
struct ParcelBody<'a> {
    /// The line of its first row, from 1.
    #[schema(minimum = 1)]
    line: u64,
    /// The service's number of the order.
    #[serde(rename = "order_id")]
    order_id: String,
    /// The carrier; null if none is named.
    #[schema(required)]
    carrier: Option<&'a str>,
    /// The carrier's number, else the reference; null if it has neither.
    #[schema(required)]
    number: Option<&'a str>,
    /// Units of the order in parcels before it.
    shipped_before: u32,
    /// The same with it. As many as before if it was recorded already.
    shipped_after: u32,
    /// Units of the order that are not cancelled.
    units: u32,
}

impl<'a> From<&'a ImportedParcel> for ParcelBody<'a> {
    fn from(parcel: &'a ImportedParcel) -> Self {
        let (shipped_before, shipped_after) = parcel.shipped;
        Self {
            line: parcel.line,
            order_id: parcel.order.to_string(),
            carrier: parcel.carrier.as_deref(),
            number: parcel.number.as_deref(),
            shipped_before,
            shipped_after,
            units: parcel.units,
        }
    }
}

pub(super) fn shipments(report: &ShipmentImportReport, warnings: Vec<Warning>) -> Response {
    let body = ShipmentsImported {
        rows: report.rows,
        dry_run: report.dry_run,
        imported: is_imported(report.dry_run, report.created, &report.problems),
        created: report.created,
        unchanged: report.unchanged,
        problems: report.problems.iter().map(ProblemBody::from).collect(),
        parcels: report.parcels.iter().map(ParcelBody::from).collect(),
    };
    json(&Envelope::new("OK", body, warnings))
}

/// What an import of orders comes to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrdersImported<'a> {
    /// Number of rows of the file; 0 if it cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported: false for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of orders that were placed, or would be; 0 if a row is wrong.
    created: usize,
    /// Number of orders that were placed already.
    unchanged: usize,
    /// What is wrong, by line. The last entry may count further ones.
    problems: Vec<ProblemBody>,
    /// What is most likely not intended, such as an unknown SKU, by line. Such rows are imported. The last entry may count
    /// further ones.
    warnings: Vec<ProblemBody>,
    /// The first orders that are right, by line; at most 100.
    orders: Vec<OrderBody<'a>>,
}

/// An order of a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportedOrder)]
#[serde(rename_all = "camelCase")]
struct OrderBody<'a> {
    /// The line of its first row, from 1.
    #[schema(minimum = 1)]
    line: u64,
    /// The id that the file has given it.
    order_id: &'a str,
    /// The service's number, if it was placed already; null if it is new.
    #[schema(required)]
    service_order_id: Option<&'a str>,
    /// Name of the customer, else of the recipient.
    customer: &'a str,
    /// Numbers of units with the names of the products, else their SKUs.
    products: &'a [String],
    /// Number of items.
    items: usize,
    /// Number of units of all items.
    units: u32,
}

impl<'a> From<&'a ImportedOrder> for OrderBody<'a> {
    fn from(order: &'a ImportedOrder) -> Self {
        Self {
            line: order.line,
            order_id: &order.order_id,
            service_order_id: order.number.as_deref(),
            customer: &order.customer,
            products: &order.products,
            items: order.items,
            units: order.units,
        }
    }
}

pub(super) fn orders(report: &OrderImportReport, mode: Mode, warnings: Vec<Warning>) -> Response {
    let dry_run = mode == Mode::DryRun;
    let body = OrdersImported {
        rows: report.rows,
        dry_run,
        imported: is_imported(dry_run, report.created, &report.problems),
        created: report.created,
        unchanged: report.unchanged,
        problems: report.problems.iter().map(ProblemBody::from).collect(),
        warnings: report.warnings.iter().map(ProblemBody::from).collect(),
        orders: report.orders.iter().map(OrderBody::from).collect(),
    };
    json(&Envelope::new("OK", body, warnings))
}

/// Returns whether a file was imported. One that others have overtaken was, except for the rows that no longer
/// fit.
fn is_imported(dry_run: bool, created: usize, problems: &[RowProblem]) -> bool {
    !dry_run && (problems.is_empty() || created > 0)
}

/// What an import of a file of the catalog comes to. What is counted depends on what the file has.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CatalogImported {
    /// Number of rows of the file; 0 if it cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported: false for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of products, prices, zones and rates together, or schedules of fees that the file has; 0 if a row is wrong.
    total: usize,
    /// How many of them are new. Null for shipping rates and fees, which are replaced whole.
    #[schema(required)]
    added: Option<usize>,
    /// How many were stored and change. Of shipping rates all or none.
    changed: usize,
    /// How many were stored like this.
    unchanged: usize,
    /// How many products are retired, or prices removed, because the file lacks them. Null for shipping rates and fees.
    #[schema(required)]
    removed: Option<usize>,
    /// What is wrong, by line. The last entry may count further ones.
    problems: Vec<ProblemBody>,
    /// What is most likely not intended, for people.
    remarks: Vec<String>,
    /// The first changes, at most 100. Of products by SKU; of others, a row that changes is removed and added.
    changes: Vec<ChangeBody>,
}

/// A change of the catalog.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CatalogImportChange)]
struct ChangeBody {
    /// What happens.
    #[schema(value_type = CatalogChangeName)]
    change: &'static str,
    /// The SKU of a product, or the row as a line of CSV.
    row: String,
}

impl CatalogImported {
    /// Returns the body for what came of a file.
    ///
    /// # Errors
    /// `internal_error` if rows cannot be written as CSV.
    pub(super) fn new(
        imported: operator::CatalogImported,
        mode: Mode,
    ) -> Result<Self, RequestError> {
        let dry_run = mode == Mode::DryRun;
        let whole = Self {
            rows: imported.rows,
            dry_run,
            ..Self::default()
        };
        Ok(match imported.result {
            Ok(accepted) => Self {
                imported: !dry_run,
                remarks: accepted.warnings.iter().map(ToString::to_string).collect(),
                changes: changes(&accepted)?,
                ..whole.counted(&accepted.summary)
            },
            Err(findings) => Self {
                problems: problems(findings),
                ..whole
            },
        })
    }

    fn counted(self, summary: &Summary) -> Self {
        match summary {
            Summary::Variants { total, imported } | Summary::Prices { total, imported } => {
                let ImportSummary {
                    added,
                    changed,
                    unchanged,
                    retired,
                    ..
                } = imported;
                Self {
                    total: *total,
                    added: Some(*added),
                    changed: *changed,
                    unchanged: *unchanged,
                    removed: Some(*retired),
                    ..self
                }
            }
            Summary::Shipping {
                zones,
                rates,
                changed,
            } => self.replaced(zones + rates, if *changed { zones + rates } else { 0 }),
            Summary::Fees {
                schedules, changed, ..
            } => self.replaced(*schedules, *changed),
        }
    }

    fn replaced(self, total: usize, changed: usize) -> Self {
        Self {
            total,
            changed,
            unchanged: total.saturating_sub(changed),
            ..self
        }
    }
}

/// Returns what is wrong with the form of rows, and at last how much more.
fn problems(mut findings: Findings) -> Vec<ProblemBody> {
    let shown = findings.shown().iter().map(|finding| ProblemBody {
        line: finding.line,
        field: finding.column.clone(),
        code: IssueCode::InvalidFormat.as_str(),
        message: finding.message.clone(),
    });
    let mut list: Vec<ProblemBody> = shown.collect();
    let more = findings.count().saturating_sub(list.len());
    if more > 0 {
        list.push(ProblemBody {
            line: list.last().map_or(1, |last| last.line),
            field: String::new(),
            code: IssueCode::More.as_str(),
            message: format!("and {more} more"),
        });
    }
    list
}

fn changes(accepted: &Accepted) -> Result<Vec<ChangeBody>, RequestError> {
    if let Summary::Variants { imported, .. } = &accepted.summary {
        let changes = imported.changes.iter().take(LISTED);
        let changes = changes.map(|(kind, sku)| ChangeBody {
            change: match kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Retired => "removed",
            },
            row: sku.clone(),
        });
        return Ok(changes.collect());
    }
    let Some(rows) = &accepted.rows else {
        return Ok(Vec::new());
    };
    let mut changes = lines("removed", &rows.removed)?;
    changes.extend(lines("added", &rows.added)?);
    changes.truncate(LISTED);
    Ok(changes)
}

fn lines(change: &'static str, sheet: &Sheet) -> Result<Vec<ChangeBody>, RequestError> {
    let first = Sheet {
        content: sheet.content,
        rows: sheet.rows.iter().take(LISTED).cloned().collect(),
    };
    let lines = pressline_tabular::csv_lines(&first);
    let lines = lines.map_err(|error| RequestError::internal(chain(&error)))?;
    let lines = lines.into_iter();
    Ok(lines.map(|row| ChangeBody { change, row }).collect())
}

pub(super) fn catalog(body: CatalogImported, warnings: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", body, warnings))
}
