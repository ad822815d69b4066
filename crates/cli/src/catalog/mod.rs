//! `pressline catalog`: imports, exports and shows products.

mod area;

use clap::Subcommand;
use pressline_backoffice::import::catalog::{Content, Sheet, variant_sheet};
use pressline_domain::catalog::Variant;
use pressline_kit::nearest::suggestion;
use pressline_kit::words::SearchKey;
use pressline_tabular::Document;
use serde_json::{Value, json};

use self::area::area_line;
use crate::error::{CommandError, Result};
use crate::import::{ExportArgs, ImportArgs};
use crate::import::{export, import, text};
use crate::output::Output;
use crate::services::ConfiguredProgram;

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Add the products of a file; products with the same SKU are replaced. If one is invalid,
    /// nothing is imported.
    Import {
        #[command(flatten)]
        from: ImportArgs,
        /// Retire the SKUs that are not in the file.
        #[arg(long)]
        retire_missing: bool,
    },
    /// Write the whole catalog as a file that can be imported.
    Export(ExportArgs),
    /// List the SKUs, retired ones included.
    List {
        /// Only products with words that begin with the words of KEY.
        #[arg(long, value_name = "KEY")]
        search: Option<String>,
    },
    /// Show a SKU: its options and print areas, and its prices in all price lists.
    Show {
        /// The SKU.
        sku: String,
    },
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: CatalogCommand,
    output: &Output,
) -> Result {
    match command {
        CatalogCommand::Import {
            from,
            retire_missing,
        } => import(program, Content::Variants, &from, retire_missing, output).await,
        CatalogCommand::Export(to) => export(program, Content::Variants, &to, output).await,
        CatalogCommand::List { search } => list(program, search.as_deref(), output).await,
        CatalogCommand::Show { sku } => show(program, &sku, output).await,
    }
}

async fn list(program: &dyn ConfiguredProgram, search: Option<&str>, output: &Output) -> Result {
    let wrong = |error| CommandError::Usage(format!("--search: {error}"));
    let key = search
        .map(SearchKey::parse)
        .transpose()
        .map_err(wrong)?
        .flatten();
    let services = program.open().await?;
    let mut variants = services.imports.variants().await?;
    if let Some(key) = key {
        variants.retain(|variant| key.matches(&variant.words()));
    }
    output.print(&Document(&variant_sheet(&variants)), || {
        let widths = variants.iter().map(|variant| variant.sku.chars().count());
        let width = widths.max().unwrap_or(0);
        let line = |variant: &Variant| {
            let state = if variant.retired { " (retired)" } else { "" };
            let (sku, name, price) = (&variant.sku, &variant.name, price(variant));
            format!("{sku:<width$}  {name}, {price}{state}")
        };
        let lines: Vec<String> = variants.iter().map(line).collect();
        if lines.is_empty() {
            "No such products.".to_owned()
        } else {
            text(&lines)
        }
    })
}

fn price(variant: &Variant) -> String {
    let currency = variant.currency;
    variant.price.map_or_else(
        || "no price".to_owned(),
        |price| price.display(currency).to_string(),
    )
}

async fn show(program: &dyn ConfiguredProgram, sku: &str, output: &Output) -> Result {
    let services = program.open().await?;
    let Some((variant, variant_prices)) = services.imports.variant(sku).await? else {
        let near = suggestion(&services.catalog.suggest(sku, 3).await?);
        return Err(CommandError::NotFound(format!(
            "SKU `{sku}` is not in the catalog{near}"
        )));
    };
    let documents = json_rows(&variant_sheet(std::slice::from_ref(&variant)))?;
    let mut document = documents
        .get(0)
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    let prices = prices_document(&variant_prices)?;
    document.insert("prices".to_owned(), prices.clone());
    output.print(&document, || description(&variant, &prices))
}

fn json_rows(sheet: &Sheet) -> Result<Value> {
    serde_json::to_value(Document(sheet))
        .map_err(|error| CommandError::other("the result cannot be shown", error))
}

/// Returns the prices in `sheet`, all of one SKU, as JSON without the SKU.
fn prices_document(sheet: &Sheet) -> Result<Value> {
    let mut list = json_rows(sheet)?;
    for price in list
        .as_array_mut()
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        price.remove("sku");
        // The service's own prices name no store, but programs expect the key in each price.
        price.entry("store").or_insert(json!(""));
    }
    Ok(list)
}

fn description(variant: &Variant, prices: &Value) -> String {
    let state = if variant.retired { " (retired)" } else { "" };
    let mut lines = vec![
        format!("SKU         {}  {}{state}", variant.sku, variant.name),
        format!(
            "  product   {}  {}",
            variant.product.id,
            variant.product_name()
        ),
    ];
    let options = variant.options.iter();
    lines.extend(options.map(|(name, value)| format!("  option    {name} = {value}")));
    lines.push(format!("  price     {}", price(variant)));
    lines.extend(prices.as_array().into_iter().flatten().map(list_price_line));
    let classes = match variant.ship_classes.as_slice() {
        [] => "any ship class".to_owned(),
        classes => classes.join(", "),
    };
    lines.push(format!("  sent as   {classes}"));
    if variant.weight_grams > 0 {
        lines.push(format!("  weight    {} g", variant.weight_grams));
    }
    let areas = variant.areas.iter();
    lines.extend(areas.map(|area| area_line(area, variant.currency)));
    text(&lines)
}

fn list_price_line(price: &Value) -> String {
    let field = |key: &str| price.get(key).and_then(Value::as_str).unwrap_or_default();
    let list = match field("store") {
        "" => "the service".to_owned(),
        store => format!("store {store}"),
    };
    let (amount, currency, from) = (field("price"), field("currency"), field("validFrom"));
    format!("  price     {amount} {currency} in the list of {list}, from {from} on")
}
