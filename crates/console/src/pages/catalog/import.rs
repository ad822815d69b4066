//! Import of catalog files, as on the command line.

use std::collections::BTreeMap;
use std::future::ready;

use pressline_backoffice::import::catalog::{
    Accepted, Content, Findings, ImportSettings, Mode, RowChanges, Summary,
};
use pressline_backoffice::limits;
use pressline_backoffice::operator::{FileImportError, ImportDraft};
use pressline_domain::catalog::ChangeKind;
use pressline_http::error::Code;
use pressline_http::request_error::{RequestError, chain};
use pressline_tabular::Format;

use super::tab::{CATALOG, IMPORT};
use crate::shell::import::{ImportRequest, Imported, Importer, MAX_LINES, PreviewLine, Wrong};
use crate::shell::{Fields, FormField, Result};

const CONTENT: &str = "content";
/// Name of the checkbox that removes or retires all stored entries that the imported file lacks.
const REPLACE: &str = "replace";

fn label_of(content: Content) -> &'static str {
    match content {
        Content::Variants => "Products",
        Content::Prices => "Prices",
        Content::Shipping => "Shipping rates",
        Content::Fees => "Fees",
    }
}

pub(super) const IMPORTER: Importer = Importer {
    path: IMPORT,
    name: "Import catalog",
    section: "Catalog",
    done: CATALOG,
    options: &[CONTENT, REPLACE],
    hint,
    questions: |_, given| Box::pin(ready(Ok(questions(given)))),
    import: |request| Box::pin(import(request)),
};

fn hint() -> String {
    "The file must have the columns of the exported file.".to_owned()
}

fn questions(given: &Fields) -> Vec<FormField> {
    let contents = ImportDraft::CONTENTS.map(|(name, content)| (name, label_of(content)));
    let label = "Retire products, or remove prices of the same lists, that the file lacks";
    vec![
        FormField::choice(CONTENT, "What the file has", given.get(CONTENT), contents),
        FormField::tick(REPLACE, label, given.has(REPLACE)),
    ]
}

async fn import(request: ImportRequest<'_>) -> Result<Imported> {
    let (visit, options, mode) = (request.visit, request.options, request.mode);
    let mut contents = ImportDraft::CONTENTS.into_iter();
    let (_, content) = contents
        .find(|(name, _)| *name == options.get(CONTENT))
        .ok_or_else(|| {
            let message = "content: choose what the file has";
            RequestError::new(Code::ValidationFailed, message)
        })?;
    let settings = ImportSettings {
        mode,
        replace: options.has(REPLACE),
        list_rows: mode == Mode::DryRun,
        ..ImportSettings::default()
    };
    let (imports, bytes) = (visit.services().file_imports.clone(), request.bytes);
    let (operator, id) = (visit.operator().clone(), visit.request_id());
    let work = move || async move {
        // More rows could not be checked within the request (ADR 30).
        let rows = pressline_tabular::read_at_most(limits::FILE_ROWS, &bytes, Format::Csv, content);
        imports.catalog(&operator, rows, &settings, Some(id)).await
    };
    match visit.file_work().run(work).await? {
        Ok(imported) => match imported.result {
            Ok(accepted) => of_accepted(&accepted, imported.rows),
            Err(findings) => Ok(of_problems(wrong(findings), imported.rows)),
        },
        // The error is about the file, so the preview shows it.
        Err(error @ FileImportError::Empty(_)) => {
            Ok(of_problems(vec![whole(error.to_string())], 0))
        }
        Err(error) => Err(error.into()),
    }
}

fn of_accepted(accepted: &Accepted, rows: usize) -> Result<Imported> {
    let (words, warnings) = (words(&accepted.summary), accepted.warnings.iter());
    Ok(Imported {
        rows,
        done: format!("{words}."),
        counts: vec![words],
        lines: lines(accepted)?,
        problems: Vec::new(),
        warnings: warnings.map(|warning| whole(warning.to_string())).collect(),
    })
}

fn of_problems(problems: Vec<Wrong>, rows: usize) -> Imported {
    Imported {
        rows,
        problems,
        ..Imported::default()
    }
}

fn wrong(mut findings: Findings) -> Vec<Wrong> {
    let shown = findings.shown().iter();
    let problems = shown.map(|finding| Wrong {
        line: finding.line,
        column: finding.column.clone(),
        message: finding.message.clone(),
    });
    problems.collect()
}

fn whole(message: String) -> Wrong {
    Wrong {
        line: 1,
        column: String::new(),
        message,
    }
}

fn words(summary: &Summary) -> String {
    match summary {
        Summary::Variants { total, imported } | Summary::Prices { total, imported } => {
            let things = match summary {
                Summary::Variants { .. } => "products",
                _ => "prices",
            };
            format!(
                "{total} {things}: {} new, {} changed, {} unchanged, {} taken away",
                imported.added, imported.changed, imported.unchanged, imported.retired
            )
        }
        Summary::Shipping {
            zones,
            rates,
            changed,
        } => {
            let change = if *changed { "changed" } else { "unchanged" };
            format!("{zones} zones, {rates} rates: {change}")
        }
        Summary::Fees {
            schedules,
            rules,
            changed,
        } => format!("{rules} rules in {schedules} schedules, {changed} schedules change"),
    }
}

fn lines(accepted: &Accepted) -> Result<Vec<PreviewLine>> {
    if let Summary::Variants { imported, .. } = &accepted.summary {
        let changes = imported.changes.iter().take(MAX_LINES);
        return Ok(changes
            .map(|(kind, sku)| variant_line(*kind, sku))
            .collect());
    }
    let changed = accepted.rows.as_ref().map(row_lines).transpose()?;
    Ok(changed.unwrap_or_default())
}

fn variant_line(kind: ChangeKind, sku: &str) -> PreviewLine {
    let (old, new) = match kind {
        ChangeKind::Added => ("", "new"),
        ChangeKind::Changed => ("as stored", "as in the file"),
        ChangeKind::Retired => ("sold", "retired"),
    };
    PreviewLine {
        line: 0,
        subject: sku.to_owned(),
        link: None,
        field: "product".to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
    }
}

/// Joins a removed and an added row if they describe the same entry, such as the same price.
fn row_lines(changes: &RowChanges) -> Result<Vec<PreviewLine>> {
    // Positions of the cells that identify a row.
    let names: &[usize] = match changes.added.content {
        Content::Prices => &[0, 1, 3, 4],
        Content::Shipping => &[0, 2, 3],
        Content::Fees | Content::Variants => &[0, 1],
    };
    let mut pairs: BTreeMap<String, (String, String)> = BTreeMap::new();
    for (is_new, sheet) in [(false, &changes.removed), (true, &changes.added)] {
        let texts = pressline_tabular::csv_lines(sheet)
            .map_err(|error| RequestError::internal(chain(&error)))?;
        for (row, text) in sheet.rows.iter().zip(texts) {
            let all_cells: Vec<String> = names
                .iter()
                .filter_map(|name| row.cells.get(*name))
                .map(super::sheet::text)
                .collect();
            let cells = all_cells.into_iter().filter(|cell| !cell.is_empty());
            let (old, new) = pairs
                .entry(cells.collect::<Vec<_>>().join(" "))
                .or_default();
            if is_new { *new = text } else { *old = text }
        }
    }
    let lines = pairs.into_iter().take(MAX_LINES);
    Ok(lines
        .map(|(subject, (old, new))| PreviewLine {
            line: 0,
            subject,
            link: None,
            field: "row".to_owned(),
            old,
            new,
        })
        .collect())
}
