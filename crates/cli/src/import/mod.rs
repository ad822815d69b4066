//! Imports and exports of all kinds: reads and writes files, shows progress, and prints the report.
//! The domain interprets and checks the rows.

use std::path::{Path, PathBuf};

use clap::Args;
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::import::catalog::{
    Accepted, Content, ImportError, ImportSettings, Mode, RowChanges, Summary, Warning,
};
use pressline_domain::catalog::{ChangeKind, ImportSummary};
use pressline_host::logging;
use pressline_host::terminal::escape;
use serde_json::{Map, Value, json};

use crate::error::{CommandError, Result};
use crate::location::{FileFormat, Location};
use crate::output::Output;
use crate::progress;
use crate::services::ConfiguredProgram;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file, or `-` for standard input; at most 256 MiB.
    file: PathBuf,
    /// Format of the file. Default: from its extension, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    format: Option<FileFormat>,
    /// Change nothing; print the number of changes.
    #[arg(long)]
    dry_run: bool,
    /// Print each change of a dry run.
    #[arg(long, requires = "dry_run")]
    verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A file, or `-` for standard output. Default: standard output, as CSV, or as JSON with
    /// --json.
    file: Option<PathBuf>,
    /// Format of the file. Default: from its extension, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    format: Option<FileFormat>,
}

struct Nouns {
    /// Plural noun for imported entries in messages, and JSON key of their number: `products`.
    things: &'static str,
    /// Word for removed entries in messages, such as `retired`. Also the JSON key of their number.
    removed: &'static str,
}

const PRODUCTS: Nouns = Nouns {
    things: "products",
    removed: "retired",
};
const PRICES: Nouns = Nouns {
    things: "prices",
    removed: "removed",
};

struct ImportOutput {
    document: Map<String, Value>,
    lines: Vec<String>,
}

/// Removes or retires the entries that the file lacks, if `replace` is true.
pub(super) async fn import(
    program: &dyn ConfiguredProgram,
    content: Content,
    from: &ImportArgs,
    replace: bool,
    output: &Output,
) -> Result {
    let file = Location::input(&from.file, from.format)?;
    // Before the database is opened, so that a file with problems needs no connection.
    let rows = file.rows(content)?;
    let services = program.open().await?;
    let (bar, follow) = progress::bar("Importing");
    let import = ImportSettings {
        mode: if from.dry_run {
            Mode::DryRun
        } else {
            Mode::Apply
        },
        replace,
        list_rows: from.verbose,
        progress: Some(follow),
        ..ImportSettings::default()
    };
    let imports = services.imports.by(AuditContext::COMMAND_LINE);
    let report = imports.import(rows, &import).await;
    // Clear the bar first: a message would continue its line.
    bar.finish_and_clear();
    let accepted = report.map_err(|error| failure(error, &file))?;
    let printed = printed(&accepted, from, replace)?;
    // On standard error, so that standard output has only the result.
    let warnings = accepted.warnings.iter();
    warnings.for_each(|warning| logging::message(&escape(&warning.to_string())));
    output.print(&printed.document, || text(&printed.lines))
}

fn failure(error: ImportError, location: &Location) -> CommandError {
    let file = location.name();
    match error {
        ImportError::Rejected(findings) => location.bad(findings).into(),
        ImportError::Empty(Content::Variants) => CommandError::Usage(format!(
            "{file} has no products, so that --retire-missing would retire all"
        )),
        ImportError::Empty(_) => {
            CommandError::Usage(format!("{file} has no rates, and would remove all rates"))
        }
        ImportError::Repository(error) => error.into(),
    }
}

fn printed(accepted: &Accepted, from: &ImportArgs, replace: bool) -> Result<ImportOutput> {
    let (lines, changes) = changes(accepted, from)?;
    let mut printed = match &accepted.summary {
        Summary::Variants { total, imported } => {
            counted(&PRODUCTS, *total, imported, from, replace)
        }
        Summary::Prices { total, imported } => counted(&PRICES, *total, imported, from, replace),
        Summary::Shipping {
            zones,
            rates,
            changed,
        } => shipping(*zones, *rates, *changed, from),
        Summary::Fees {
            schedules,
            rules,
            changed,
        } => fees(*schedules, *rules, *changed, from),
    };
    printed.document.extend(dry_run(from, changes));
    printed.document.extend(warnings(&accepted.warnings));
    // The summary stays last, where a terminal shows it.
    printed.lines.splice(0..0, lines);
    Ok(printed)
}

/// Returns the changes as lines of text and as JSON, both empty without `--verbose`.
fn changes(accepted: &Accepted, from: &ImportArgs) -> Result<(Vec<String>, Vec<Value>)> {
    if let Summary::Variants { imported, .. } = &accepted.summary {
        let changes = imported.changes.iter().filter(|_| from.verbose);
        let documents = changes.clone().map(change_document);
        return Ok((changes.map(change_line).collect(), documents.collect()));
    }
    let rows = accepted
        .rows
        .as_ref()
        .map(row_lines)
        .transpose()?
        .unwrap_or_default();
    let documents = rows.iter().map(|row| json!(row)).collect();
    Ok((rows, documents))
}

fn counted(
    nouns: &Nouns,
    total: usize,
    imported: &ImportSummary,
    from: &ImportArgs,
    replace: bool,
) -> ImportOutput {
    let ImportSummary {
        added,
        changed,
        unchanged,
        retired,
        ..
    } = imported;
    let things = nouns.things;
    let mut document = document([
        (things, json!(total)),
        ("added", json!(added)),
        ("changed", json!(changed)),
        ("unchanged", json!(unchanged)),
    ]);
    let mut removed = String::new();
    // Without `replace` nothing is removed, so a count would say nothing.
    if replace {
        document.insert(nouns.removed.to_owned(), json!(retired));
        removed = format!(", {retired} {}", nouns.removed);
    }
    let end = end(from);
    let line = format!(
        "{total} {things}: {added} added, {changed} changed, {unchanged} unchanged{removed}{end}"
    );
    ImportOutput {
        document,
        lines: vec![line],
    }
}

fn shipping(zones: usize, rates: usize, changed: bool, from: &ImportArgs) -> ImportOutput {
    let outcome = match (from.dry_run, changed) {
        (true, true) => "would change; this was a dry run",
        (true, false) => "would change nothing; this was a dry run",
        (false, true) => "changed",
        (false, false) => "unchanged",
    };
    ImportOutput {
        document: document([
            ("zones", json!(zones)),
            ("rates", json!(rates)),
            ("changed", json!(changed)),
        ]),
        lines: vec![format!("{zones} zones, {rates} rates: {outcome}.")],
    }
}

fn fees(schedules: usize, rules: usize, changed: usize, from: &ImportArgs) -> ImportOutput {
    let (unchanged, end) = (schedules - changed, end(from));
    ImportOutput {
        document: document([
            ("schedules", json!(schedules)),
            ("rules", json!(rules)),
            ("changed", json!(changed)),
            ("unchanged", json!(unchanged)),
        ]),
        lines: vec![format!(
            "{rules} rules in {schedules} schedules: {changed} changed, {unchanged} unchanged{end}"
        )],
    }
}

pub(super) fn warnings(warnings: &[Warning]) -> Map<String, Value> {
    let mut document = Map::new();
    for warning in warnings {
        let (key, value) = match warning {
            Warning::ZonesOnlyInFees(zones) => ("zonesOnlyInFees", json!(zones)),
            Warning::ZonesMissing(_) | Warning::LabelsRefused { .. } => {
                let texts: Vec<String> = warnings.iter().map(Warning::to_string).collect();
                ("warnings", json!(texts))
            }
        };
        document.insert(key.to_owned(), value);
    }
    document
}

fn end(from: &ImportArgs) -> &'static str {
    if from.dry_run {
        ". Nothing was changed: this was a dry run."
    } else {
        "."
    }
}

fn dry_run(from: &ImportArgs, changes: Vec<Value>) -> Map<String, Value> {
    if !from.dry_run {
        return Map::new();
    }
    let mut document = document([("dryRun", json!(true))]);
    if from.verbose {
        document.insert("changes".to_owned(), Value::Array(changes));
    }
    document
}

fn change_document((kind, sku): &(ChangeKind, String)) -> Value {
    let change = match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Retired => PRODUCTS.removed,
    };
    json!({ "change": change, "sku": sku })
}

fn change_line((kind, sku): &(ChangeKind, String)) -> String {
    let sign = match kind {
        ChangeKind::Added => '+',
        ChangeKind::Changed => '~',
        ChangeKind::Retired => '-',
    };
    format!("{sign} {sku}")
}

fn row_lines(changes: &RowChanges) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for (sign, sheet) in [('-', &changes.removed), ('+', &changes.added)] {
        let rows = pressline_tabular::csv_lines(sheet)
            .map_err(|error| CommandError::other("the rows cannot be shown", error))?;
        lines.extend(rows.iter().map(|row| format!("{sign} {row}")));
    }
    Ok(lines)
}

pub(super) fn text(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| escape(line)).collect();
    lines.join("\n")
}

pub(super) fn document<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

pub(super) async fn export(
    program: &dyn ConfiguredProgram,
    content: Content,
    to: &ExportArgs,
    output: &Output,
) -> Result {
    // Without a file name, `--json` also chooses the format.
    let by_option = if output.json {
        FileFormat::Json
    } else {
        FileFormat::Csv
    };
    let location = match &to.file {
        Some(file) => Location::output(file, to.format)?,
        None => Location::output(Path::new("-"), to.format.or(Some(by_option)))?,
    };
    let services = program.open().await?;
    let sheet = services.imports.export(content).await?;
    location.save(&sheet)?;
    // The exported data is on standard output, so no summary may follow it.
    if location.is_standard() {
        return Ok(());
    }
    let (file, entries) = (location.name(), sheet.rows.len());
    output.print(&json!({ "file": file, "entries": entries }), || {
        format!("{file}: {entries} entries.")
    })
}
