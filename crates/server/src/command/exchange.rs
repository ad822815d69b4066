//! What imports and exports share: where files come from and go to, what they refer to, and how
//! changes are shown.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use pressline_domain::catalog::{CatalogVersion, ChangeKind, ImportOptions, Imported};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::store::Store;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::cli::{ExportArgs, StoreName};
use crate::failure::Failure;
use crate::files::{Format, Known, Location, Sheet};
use crate::progress::Bar;
use crate::terminal::escape;
use crate::wiring::Backends;

use super::Output;

/// How many SKUs are asked for at a time.
const ASKED: usize = 500;
/// For how many unknown SKUs near ones are looked for; a file with more of them is another
/// catalog's.
const SUGGESTED: usize = 20;

/// What files refer to. The service's own zones hold where none were imported.
pub(crate) async fn known(
    backends: &Backends,
    defaults: &Tariff,
    skus: &[String],
) -> Result<Known, RepositoryError> {
    let shipping = backends.catalog_admin.shipping().await?;
    let zones = &shipping.as_ref().unwrap_or(&defaults.shipping).zones;
    let mut known = Known {
        stores: stores(backends).await?,
        zones: zones.iter().map(|zone| zone.name.clone()).collect(),
        ..Known::default()
    };
    // Nobody's offer: only the SKUs are looked at.
    let nobody = StoreId::new(Uuid::nil());
    let mut have: Option<CatalogVersion> = None;
    for chunk in skus.chunks(ASKED) {
        let chunk: Vec<&str> = chunk.iter().map(String::as_str).collect();
        let offer = backends.catalog.offer(nobody, &chunk, have).await?;
        have = Some(offer.version);
        known.skus.extend(
            offer
                .offered
                .into_iter()
                .map(|offered| offered.variant.sku.clone()),
        );
    }
    let unknown: Vec<&String> = skus
        .iter()
        .filter(|sku| !known.skus.contains(*sku))
        .take(SUGGESTED)
        .collect();
    for sku in unknown {
        let near = backends.catalog.suggest(sku, 3).await?;
        known.near.insert(sku.clone(), near);
    }
    Ok(known)
}

/// All stores.
pub(crate) async fn stores(backends: &Backends) -> Result<Vec<Store>, RepositoryError> {
    Ok(backends
        .stores
        .list()
        .await?
        .into_iter()
        .map(|record| record.store)
        .collect())
}

/// The store that a command names by id or prefix.
pub(super) async fn store(backends: &Backends, name: &str) -> Result<Store, Failure> {
    let known = Known {
        stores: stores(backends).await?,
        ..Known::default()
    };
    if let Some(store) = known.store(name) {
        return Ok(store.clone());
    }
    let near = known.near_stores(name);
    Err(Failure::NotFound(format!(
        "`{name}` is neither the id nor the prefix of a store{near}"
    )))
}

/// The id of the store that a command names. An id costs no look at the stores: the command itself
/// finds it or not.
pub(super) async fn store_id(backends: &Backends, name: &StoreName) -> Result<StoreId, Failure> {
    match name.0.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(store(backends, &name.0).await?.id),
    }
}

/// How to import, and the bar that shows how far it is.
pub(super) fn options(
    title: &'static str,
    rows: usize,
    dry_run: bool,
    replace: bool,
) -> (ImportOptions, Bar) {
    let bar = Bar::new(title, rows);
    let shown = bar.clone();
    let progress: Option<Arc<dyn Fn(usize) + Send + Sync>> =
        Some(Arc::new(move |done| shown.show(done)));
    (
        ImportOptions {
            dry_run,
            retire_missing: replace,
            progress,
        },
        bar,
    )
}

/// The words for what an import does.
pub(super) struct Words {
    /// What is imported, in the plural; also the key of its number.
    pub(super) things: &'static str,
    /// What becomes of what does not come again.
    pub(super) gone: &'static str,
}

/// Which changes of a dry run are printed one by one.
pub(super) enum Listed<'a> {
    /// None.
    None,
    /// All, by SKU.
    BySku,
    /// All, as rows of a file.
    Rows(&'a [String]),
}

/// Prints what an import has changed, or would change.
pub(super) fn print_imported(
    output: &Output,
    words: &Words,
    count: usize,
    imported: &Imported,
    options: &ImportOptions,
    listed: &Listed<'_>,
) -> Result<(), Failure> {
    let mut document = document([
        (words.things, json!(count)),
        ("added", json!(imported.added)),
        ("changed", json!(imported.changed)),
        ("unchanged", json!(imported.unchanged)),
    ]);
    if options.retire_missing {
        document.insert(words.gone.to_owned(), json!(imported.retired));
    }
    if options.dry_run {
        let change = |(kind, sku): &(ChangeKind, String)| json!({ "change": word(*kind, words), "sku": sku });
        document.extend(dry_run(match listed {
            Listed::None => None,
            Listed::BySku => Some(imported.changes.iter().map(change).collect()),
            Listed::Rows(rows) => Some(rows.iter().map(|row| json!(row)).collect()),
        }));
    }
    output.print(&document, || {
        let by_sku = |(kind, sku): &(ChangeKind, String)| format!("{} {sku}", sign(*kind));
        let mut lines = match listed {
            Listed::None => Vec::new(),
            Listed::BySku => imported.changes.iter().map(by_sku).collect(),
            Listed::Rows(rows) => rows.to_vec(),
        };
        lines.push(summary(words, count, imported, options));
        text(&lines)
    })
}

/// One line about an import: how much it has changed, or would change.
fn summary(words: &Words, count: usize, imported: &Imported, options: &ImportOptions) -> String {
    let Imported {
        added,
        changed,
        unchanged,
        retired,
        ..
    } = imported;
    let things = words.things;
    let gone = if options.retire_missing {
        format!(", {retired} {}", words.gone)
    } else {
        String::new()
    };
    let end = if options.dry_run {
        ". Nothing was changed: this was a dry run."
    } else {
        "."
    };
    format!("{count} {things}: {added} added, {changed} changed, {unchanged} unchanged{gone}{end}")
}

/// Lines for the terminal. A line stays one, whatever is in the text of a file that it repeats.
pub(super) fn text(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| escape(line)).collect();
    lines.join("\n")
}

/// A document for `--json`.
pub(super) fn document<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// What a document says of a dry run: that it was one, and the changes where they are listed.
pub(super) fn dry_run(changes: Option<Vec<Value>>) -> Map<String, Value> {
    let mut document = document([("dryRun", json!(true))]);
    if let Some(changes) = changes {
        document.insert("changes".to_owned(), Value::Array(changes));
    }
    document
}

fn word(kind: ChangeKind, words: &Words) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Retired => words.gone,
    }
}

fn sign(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Added => '+',
        ChangeKind::Changed => '~',
        ChangeKind::Retired => '-',
    }
}

/// The rows that go and come where one file's content takes the place of another's, with `-` and
/// `+` before them.
pub(super) fn row_changes(before: &Sheet, after: &Sheet) -> Result<Vec<String>, Failure> {
    let lines = |sheet: &Sheet| {
        sheet
            .lines()
            .map_err(|error| Failure::other("the rows cannot be shown", error))
    };
    let (before, after) = (lines(before)?, lines(after)?);
    let (had, has): (HashSet<&String>, HashSet<&String>) =
        (before.iter().collect(), after.iter().collect());
    let gone = before
        .iter()
        .filter(|line| !has.contains(line))
        .map(|line| format!("- {line}"));
    let come = after
        .iter()
        .filter(|line| !had.contains(line))
        .map(|line| format!("+ {line}"));
    Ok(gone.chain(come).collect())
}

/// Writes a file, or prints it.
pub(super) fn export(sheet: &Sheet, to: &ExportArgs, output: &Output) -> Result<(), Failure> {
    let by_option = if output.json {
        Format::Json
    } else {
        Format::Csv
    };
    let location = match &to.file {
        Some(file) => Location::output(file, to.format)?,
        None => Location::output(Path::new("-"), to.format.or(Some(by_option)))?,
    };
    sheet.save(&location)?;
    if location.is_standard() {
        return Ok(());
    }
    let (file, entries) = (location.name(), sheet.len());
    output.print(&json!({ "file": file, "entries": entries }), || {
        format!("{file}: {entries} entries.")
    })
}
