//! `pressline shipments`: imports shipments from a file, and exports parcels to send.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pressline_backoffice::import::catalog::{Finding, Findings, Mode};
use pressline_backoffice::import::shipment::{PARCEL_COLUMNS, RowProblem, ShipmentImportReport};
use pressline_backoffice::production::ShipmentExportDraft;
use pressline_backoffice::queue::{QueueDraft, StoresDraft};
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::value::StoreId;
use pressline_domain::value::page::PageDraft;
use serde::Serialize;
use serde_json::json;

use crate::error::{CommandError, Result};
use crate::location::{FileError, FileFormat, Location};
use crate::output::Output;
use crate::progress;
use crate::services::ConfiguredProgram;

#[derive(Debug, Subcommand)]
pub(crate) enum ShipmentsCommand {
    /// Import shipments from a CSV file. If a row is invalid, nothing is imported.
    ///
    /// The columns are order_id, carrier, tracking_number, tracking_url, ref, sku, item_id,
    /// quantity and shipped_at; docs/guides/operators.md describes them. Rows that are already
    /// imported change nothing, so an interrupted import can be run again.
    Import(ShipmentsImport),
    /// Export the parcels to send as a CSV file for shipping programs, one row per order.
    ///
    /// A parcel contains all unshipped units of its order that are ready or in production. Orders
    /// that must not be sent, and orders with a prepared label, are not exported. To record the
    /// shipments, fill in the columns carrier and tracking_number and import the file.
    Export(ShipmentsExport),
}

#[derive(Debug, Args)]
pub(crate) struct ShipmentsImport {
    /// A CSV file, or `-` for standard input; at most 256 MiB.
    file: PathBuf,
    /// Change nothing; print the problems and the number of changes.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShipmentsExport {
    /// A CSV file, or `-` for standard output.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Export the orders of a batch, such as BATCH-12.
    #[arg(long, conflicts_with_all = ["stores", "test"])]
    batch: Option<String>,
    /// Export only the orders of this store; can be repeated.
    #[arg(long = "store", value_name = "ID")]
    stores: Vec<StoreId>,
    /// Include the orders of test stores.
    #[arg(long)]
    test: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportDocument<'a> {
    rows: usize,
    created: usize,
    unchanged: usize,
    dry_run: bool,
    problems: Vec<ProblemDocument<'a>>,
}

#[derive(Serialize)]
struct ProblemDocument<'a> {
    line: u64,
    field: &'a str,
    code: &'a str,
    message: &'a str,
}

impl<'a> From<&'a RowProblem> for ProblemDocument<'a> {
    fn from(problem: &'a RowProblem) -> Self {
        Self {
            line: problem.line,
            field: &problem.field,
            code: problem.code,
            message: &problem.message,
        }
    }
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: ShipmentsCommand,
    output: &Output,
) -> Result {
    match command {
        ShipmentsCommand::Import(from) => import(program, &from, output).await,
        ShipmentsCommand::Export(to) => export(program, &to, output).await,
    }
}

async fn import(
    program: &dyn ConfiguredProgram,
    from: &ShipmentsImport,
    output: &Output,
) -> Result {
    // Shipments are only read as CSV, whatever the name of the file is.
    let file = Location::input(&from.file, Some(FileFormat::Csv))?;
    let rows = file.shipments()?;
    let import = program.open().await?.shipment_import;
    let mode = if from.dry_run {
        Mode::DryRun
    } else {
        Mode::Apply
    };
    let (bar, follow) = progress::bar("Importing");
    let report = import
        .import(&None, rows, mode, Actor::CommandLine, Some(follow))
        .await;
    // Clear the bar first: a message would continue its line.
    bar.finish_and_clear();
    print(&report?, &file, output)
}

/// Returns an error if `report` has problems, although other shipments may have been imported.
fn print(report: &ShipmentImportReport, file: &Location, output: &Output) -> Result {
    let document = ReportDocument {
        rows: report.rows,
        created: report.created,
        unchanged: report.unchanged,
        dry_run: report.dry_run,
        problems: report.problems.iter().map(ProblemDocument::from).collect(),
    };
    // As text, problems are part of the error and not printed twice.
    if output.json || report.problems.is_empty() {
        output.print(&document, || text(report))?;
    }
    if report.problems.is_empty() {
        return Ok(());
    }
    let mut findings = Findings::default();
    for problem in &report.problems {
        findings.add(Finding {
            line: problem.line,
            column: problem.field.clone(),
            message: problem.message.clone(),
        });
    }
    // Problems beside created shipments: some orders changed during the import.
    if report.created > 0 && !report.dry_run {
        return Err(FileError::Overtaken {
            path: file.name().to_owned(),
            created: report.created,
            findings,
        }
        .into());
    }
    Err(file.bad(findings).into())
}

fn text(report: &ShipmentImportReport) -> String {
    let end = if report.dry_run {
        ". Nothing was changed: this was a dry run."
    } else {
        "."
    };
    let (rows, created, unchanged) = (report.rows, report.created, report.unchanged);
    format!("{rows} rows: {created} shipments created, {unchanged} unchanged{end}")
}

async fn export(program: &dyn ConfiguredProgram, to: &ShipmentsExport, output: &Output) -> Result {
    let file = Location::output(&to.file, Some(FileFormat::Csv))?;
    let exports = program.open().await?.shipment_export;
    let stores: Vec<_> = to.stores.iter().map(|id| id.to_string().into()).collect();
    let mut draft = ShipmentExportDraft {
        batch: to.batch.clone().into(),
        queue: QueueDraft {
            stores: StoresDraft {
                // Without stores on the command line, the parcels of all stores are exported.
                ids: Some(stores)
                    .filter(|ids: &Vec<Field<String>>| !ids.is_empty())
                    .into(),
                test: to.test.then_some(true).into(),
            },
            ..QueueDraft::default()
        },
    };
    let mut rows = Vec::new();
    loop {
        let exported = exports.export(&None, &draft).await;
        let part = exported
            .map_err(|error| CommandError::other("the parcels cannot be exported", error))?;
        rows.extend(part.rows);
        let Some(cursor) = part.next_cursor else {
            break;
        };
        draft.queue.paging = PageDraft {
            cursor: cursor.into(),
            ..PageDraft::default()
        };
    }
    let parcels = rows.len();
    file.save_text(pressline_tabular::table(&PARCEL_COLUMNS, rows))?;
    if file.is_standard() {
        return Ok(());
    }
    let name = file.name();
    output.print(&json!({ "file": name, "parcels": parcels }), || {
        format!("{name}: {parcels} parcels.")
    })
}
