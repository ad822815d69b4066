//! `pressline catalog`: imports, exports and shows products.

use pressline_domain::catalog::{CatalogAdmin, Variant};
use pressline_domain::id::StoreId;
use pressline_kit::words::SearchKey;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::cli::{CatalogCommand, ImportArgs};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::{Known, Location, Table, catalog, did_you_mean, prices};
use crate::wiring::Backends;

use super::Output;
use super::exchange::{self, Listed, Words};

/// How many variants are read at a time.
const PAGE: usize = 1000;

pub(super) async fn run(
    settings: &Settings,
    command: CatalogCommand,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        CatalogCommand::Import {
            from,
            retire_missing,
        } => import(settings, &from, retire_missing, output).await,
        CatalogCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            let variants = all(backends.catalog_admin.as_ref()).await?;
            exchange::export(&catalog::sheet(&variants), &to, output)
        }
        CatalogCommand::List { search } => list(settings, search.as_deref(), output).await,
        CatalogCommand::Show { sku } => show(settings, &sku, output).await,
    }
}

async fn import(
    settings: &Settings,
    from: &ImportArgs,
    retire_missing: bool,
    output: &Output,
) -> Result<(), Failure> {
    let file = Location::input(&from.file, from.format)?;
    let variants = catalog::read(Table::load(&file, &catalog::SHAPE)?)?;
    if variants.is_empty() && retire_missing {
        let name = file.name();
        return Err(Failure::Usage(format!(
            "{name} has no products, so that --retire-missing would retire all"
        )));
    }
    let backends = Backends::open_migrated(settings).await?;
    let (options, bar) =
        exchange::options("Importing", variants.len(), from.dry_run, retire_missing);
    let imported = backends.catalog_admin.import(&variants, &options).await;
    bar.end();
    let words = Words {
        things: "products",
        gone: "retired",
    };
    let listed = if from.verbose {
        Listed::BySku
    } else {
        Listed::None
    };
    exchange::print_imported(
        output,
        &words,
        variants.len(),
        &imported?,
        &options,
        &listed,
    )
}

/// All variants, by SKU.
async fn all(catalog: &dyn CatalogAdmin) -> Result<Vec<Variant>, Failure> {
    let mut variants: Vec<Variant> = Vec::new();
    loop {
        let after = variants.last().map(|last| last.sku.clone());
        let page = catalog.variants(after.as_deref(), PAGE).await?;
        if page.is_empty() {
            return Ok(variants);
        }
        variants.extend(page);
    }
}

async fn list(settings: &Settings, search: Option<&str>, output: &Output) -> Result<(), Failure> {
    let wrong = |error| Failure::Usage(format!("--search: {error}"));
    let key = search
        .map(SearchKey::parse)
        .transpose()
        .map_err(wrong)?
        .flatten();
    let backends = Backends::open_migrated(settings).await?;
    let mut variants = all(backends.catalog_admin.as_ref()).await?;
    if let Some(key) = key {
        variants.retain(|variant| key.matches(&variant.words()));
    }
    output.print(&catalog::sheet(&variants), || {
        let width = variants
            .iter()
            .map(|variant| variant.sku.chars().count())
            .max()
            .unwrap_or(0);
        let line = |variant: &Variant| {
            let state = if variant.retired { " (retired)" } else { "" };
            format!(
                "{:<width$}  {}, {}{state}",
                variant.sku,
                variant.name,
                price(variant)
            )
        };
        let lines: Vec<String> = variants.iter().map(line).collect();
        if lines.is_empty() {
            "No such products.".to_owned()
        } else {
            exchange::text(&lines)
        }
    })
}

fn price(variant: &Variant) -> String {
    let currency = variant.currency;
    variant.price.map_or_else(
        || "no price".to_owned(),
        |price| format!("{} {currency}", price.to_decimal(currency)),
    )
}

async fn show(settings: &Settings, sku: &str, output: &Output) -> Result<(), Failure> {
    let backends = Backends::open_migrated(settings).await?;
    // Nobody's offer: the prices are read from all lists below.
    let offer = backends
        .catalog
        .offer(StoreId::new(Uuid::nil()), &[sku], None)
        .await?;
    let Some(offered) = offer.offered.into_iter().next() else {
        let near = did_you_mean(&backends.catalog.suggest(sku, 3).await?);
        return Err(Failure::NotFound(format!(
            "SKU `{sku}` is not in the catalog{near}"
        )));
    };
    let variant = offered.variant;
    let mut prices = backends.catalog_admin.prices().await?;
    prices.retain(|price| price.sku == sku);
    let known = Known {
        stores: exchange::stores(&backends).await?,
        ..Known::default()
    };
    let shown = |error| Failure::other("the result cannot be shown", error);
    let documents =
        serde_json::to_value(catalog::sheet(std::slice::from_ref(&variant))).map_err(shown)?;
    let prices = prices_document(&prices::sheet(&prices, &known)).map_err(shown)?;
    let mut document = documents
        .get(0)
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    document.insert("prices".to_owned(), prices);
    output.print(&document, || text(&variant, &document))
}

/// Prices without the SKU, which is the same for all.
fn prices_document(sheet: &crate::files::Sheet) -> Result<Value, serde_json::Error> {
    let mut list = serde_json::to_value(sheet)?;
    for price in list
        .as_array_mut()
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        price.remove("sku");
        price.entry("store").or_insert(json!(""));
    }
    Ok(list)
}

fn text(variant: &Variant, document: &Map<String, Value>) -> String {
    let state = if variant.retired { " (retired)" } else { "" };
    let mut lines = vec![format!(
        "SKU         {}  {}{state}",
        variant.sku, variant.name
    )];
    lines.push(format!(
        "  product   {}  {}",
        variant.product.id,
        variant.product_name()
    ));
    for (name, value) in &variant.options {
        lines.push(format!("  option    {name} = {value}"));
    }
    lines.push(format!("  price     {}", price(variant)));
    let field = |price: &Value, key: &str| {
        price
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    for price in document
        .get("prices")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let store = field(price, "store");
        let list = if store.is_empty() {
            "the service".to_owned()
        } else {
            format!("store {store}")
        };
        let (amount, currency, from) = (
            field(price, "price"),
            field(price, "currency"),
            field(price, "validFrom"),
        );
        lines.push(format!(
            "  price     {amount} {currency} in the list of {list}, from {from} on"
        ));
    }
    let classes = variant.ship_classes.join(", ");
    lines.push(format!(
        "  sent as   {}",
        if classes.is_empty() {
            "any ship class"
        } else {
            &classes
        }
    ));
    if variant.weight_grams > 0 {
        lines.push(format!("  weight    {} g", variant.weight_grams));
    }
    for area in &variant.areas {
        let pixels = match (area.width, area.height) {
            (None, None) => String::new(),
            (width, height) => {
                let length = |pixels: Option<u32>| {
                    pixels.map_or("?".to_owned(), |pixels| pixels.to_string())
                };
                format!(", {} x {} pixels", length(width), length(height))
            }
        };
        let fee = area.extra_fee;
        let fee = if fee.minor_units() > 0 {
            format!(
                ", {} {} extra",
                fee.to_decimal(variant.currency),
                variant.currency
            )
        } else {
            String::new()
        };
        lines.push(format!(
            "  area      {}  {}{pixels}{fee}, {}",
            area.id, area.name, area.requirement
        ));
    }
    exchange::text(&lines)
}
