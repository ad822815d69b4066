//! Results of imports in responses.

use pressline_backoffice::import::catalog::{Accepted, Findings, Mode, Sheet, Summary};
use pressline_backoffice::import::order::{ImportedOrder, OrderImportReport};
use pressline_backoffice::import::shipment::{ImportedParcel, RowProblem, ShipmentImportReport};
use pressline_backoffice::operator;
use pressline_domain::catalog::{ChangeKind, ImportSummary};
use pressline_domain::check::{IssueCode, Warning};
use pressline_http::request_error::{RequestError, chain};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::{Envelope, Response, json};
use crate::schema::CatalogChangeName;

const MAX_CHANGES: usize = 100;

/// A problem with a row of a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RowProblem)]
struct ProblemBody {
    /// Number of the line with the problem, from `1`.
    #[schema(minimum = 1)]
    line: u64,
    /// Name of the column with the problem; empty if the problem concerns the whole row.
    field: String,
    /// Kind of problem, for programs: an issue code, or the error code that a call for this row
    /// alone would get, such as `order_not_found`.
    code: &'static str,
    /// The problem and its solution, for people.
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

/// Result of an import of parcels.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentsImported<'a> {
    /// Number of rows of the file, without the header; `0` if the file cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported; `false` for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of recorded parcels; in a dry run, of parcels that the import would record. `0` if a
    /// row is wrong.
    created: usize,
    /// Number of parcels that were already recorded.
    unchanged: usize,
    /// Problems, sorted by `line`. If further problems are not listed, the last entry gives their
    /// number.
    problems: Vec<ProblemBody>,
    /// The first accepted parcels by `line`, up to 100.
    parcels: Vec<ParcelBody<'a>>,
}

/// A parcel of an imported file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportedParcel)]
#[serde(rename_all = "camelCase")]
struct ParcelBody<'a> {
    /// Line of the parcel's first row, from `1`.
    #[schema(minimum = 1)]
    line: u64,
    /// Number of the order, such as `SUN-12`.
    #[serde(rename = "order_id")]
    order_id: String,
    /// The carrier; `null` if the file names no carrier.
    #[schema(required)]
    carrier: Option<&'a str>,
    /// The tracking number, else the reference; `null` if the parcel has neither.
    #[schema(required)]
    number: Option<&'a str>,
    /// Number of the order's shipped units before this parcel.
    shipped_before: u32,
    /// Number of the order's shipped units after this parcel; equal to `shippedBefore` if the
    /// parcel was already recorded.
    shipped_after: u32,
    /// Number of the order's units, except units of cancelled items.
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

/// Result of an import of orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrdersImported<'a> {
    /// Number of rows of the file, without the header; `0` if the file cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported; `false` for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of placed orders; in a dry run, of orders that the import would place. `0` if a row
    /// is wrong.
    created: usize,
    /// Number of orders that were already placed.
    unchanged: usize,
    /// Problems, sorted by `line`. If further problems are not listed, the last entry gives their
    /// number.
    problems: Vec<ProblemBody>,
    /// Probable mistakes, such as an unknown SKU, sorted by `line`. Their rows are imported. If
    /// further mistakes are not listed, the last entry gives their number.
    warnings: Vec<ProblemBody>,
    /// The first accepted orders by `line`, up to 100.
    orders: Vec<OrderBody<'a>>,
}

/// An order of an imported file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportedOrder)]
#[serde(rename_all = "camelCase")]
struct OrderBody<'a> {
    /// Line of the order's first row, from `1`.
    #[schema(minimum = 1)]
    line: u64,
    /// The order's `order_id` in the file.
    order_id: &'a str,
    /// The service's number of the order if the order was already placed; `null` if it is new.
    #[schema(required)]
    service_order_id: Option<&'a str>,
    /// Name of the customer, else of the recipient.
    customer: &'a str,
    /// Quantity and product name of each item, such as `2 x Mug`; without a name, the SKU.
    products: &'a [String],
    /// Number of the order's line items.
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

/// Returns true also if concurrent changes made other rows invalid meanwhile.
fn is_imported(dry_run: bool, created: usize, problems: &[RowProblem]) -> bool {
    !dry_run && (problems.is_empty() || created > 0)
}

/// Result of a catalog import. Depending on the file's `content`, its numbers count variants,
/// prices, shipping zones and rates, or fee schedules.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CatalogImported {
    /// Number of rows of the file, without the header; `0` if the file cannot be divided into rows.
    rows: usize,
    /// Whether this was a dry run, which changes nothing.
    dry_run: bool,
    /// Whether the file was imported; `false` for a dry run, and if a row is wrong.
    imported: bool,
    /// Number of entries in the file: variants, prices, zones plus rates, or fee schedules; `0` if
    /// a row is wrong.
    total: usize,
    /// Number of new entries; `null` for shipping rates and fees, which are replaced entirely.
    #[schema(required)]
    added: Option<usize>,
    /// Number of entries that change. If any shipping zone or rate changes, all of them count.
    changed: usize,
    /// Number of entries that were already stored with the same content.
    unchanged: usize,
    /// Number of entries that the import removes because the file lacks them: retired variants or
    /// removed prices; `null` for shipping rates and fees.
    #[schema(required)]
    removed: Option<usize>,
    /// Problems, sorted by `line`. If further problems are not listed, the last entry gives their
    /// number.
    problems: Vec<ProblemBody>,
    /// Messages about values that seem to be mistakes, for people.
    remarks: Vec<String>,
    /// The first changes, up to 100. A changed variant has an entry `changed`; any other changed
    /// row has two entries, `removed` and `added`.
    changes: Vec<ChangeBody>,
}

/// A change of the catalog by an import.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CatalogImportChange)]
struct ChangeBody {
    /// Kind of the change.
    #[schema(value_type = CatalogChangeName)]
    change: &'static str,
    /// SKU of the variant, for a product file; otherwise, the row as a line of CSV.
    row: String,
}

impl CatalogImported {
    /// Returns `internal_error` if rows cannot be written as CSV.
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
            // Zones and rates are stored as one document, so all of them change or none.
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

/// Adds an entry with the code `more` and the number of unlisted problems, if there are any.
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
            // Every entry needs a `line`; unlisted problems get the line of the last listed
            // problem.
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
        let changes = imported
            .changes
            .iter()
            .take(MAX_CHANGES)
            .map(|(kind, sku)| ChangeBody {
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
    changes.truncate(MAX_CHANGES);
    Ok(changes)
}

fn lines(change: &'static str, sheet: &Sheet) -> Result<Vec<ChangeBody>, RequestError> {
    // Only rows that can be listed are written as CSV.
    let first = Sheet {
        content: sheet.content,
        rows: sheet.rows.iter().take(MAX_CHANGES).cloned().collect(),
    };
    let lines = pressline_tabular::csv_lines(&first)
        .map_err(|error| RequestError::internal(chain(&error)))?
        .into_iter();
    Ok(lines.map(|row| ChangeBody { change, row }).collect())
}

pub(super) fn catalog(body: CatalogImported, warnings: Vec<Warning>) -> Response {
    json(&Envelope::new("OK", body, warnings))
}
