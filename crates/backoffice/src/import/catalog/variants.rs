//! Rows of variants: a row for each print area of each variant.

use std::collections::HashMap;

use super::areas::{area, area_cells};
use crate::rows::{Content, Finding, Findings, Record, Row, Rows, Sheet, SheetRow, Value};
use pressline_domain::catalog::{PrintArea, ProductRef, Variant, VariantError, VariantParts};
use pressline_domain::check::checked::Rules;
use pressline_domain::check::limits;
use pressline_domain::value::Currency;

#[derive(Default)]
struct Reading {
    /// Variants, each with the line of its first row.
    variants: Vec<(VariantParts, u64)>,
    /// Index in `variants`, keyed by SKU.
    positions: HashMap<String, usize>,
    /// First name given for each product, with its line; keyed by product id.
    names: HashMap<String, (String, u64)>,
    /// Number of variants that are not retired, keyed by product id.
    sizes: HashMap<String, usize>,
}

/// Reads the variants in `rows`. If `rows.flat` is `true`, all rows with the same SKU form one
/// variant, even if not adjacent; otherwise, a repeated SKU is an error.
pub fn read_variants(rows: Rows) -> Result<Vec<Variant>, Findings> {
    let flat = rows.flat;
    let mut reading = Reading::default();
    rows.each(|record| reading.record(record, flat))?;
    let variants = reading.variants.into_iter().map(complete);
    Ok(variants.collect::<Result<_, _>>()?)
}

/// Adds [`PrintArea::main`] to a variant without print areas, and checks the rules of variants.
fn complete((mut parts, line): (VariantParts, u64)) -> Result<Variant, Finding> {
    if parts.areas.is_empty() {
        parts.areas.push(PrintArea::main());
    }
    Variant::new(parts).map_err(|invalid| Finding::of_row(line, invalid.to_string()))
}

impl Reading {
    fn record(&mut self, record: &mut Record, flat: bool) {
        let row = &mut record.row;
        let read = variant(row);
        self.check_product_name(row, &read);
        let currency = read.currency;
        let Some(position) = self.position(row, read, flat) else {
            return;
        };
        let Some((variant, _)) = self.variants.get_mut(position) else {
            return;
        };
        for row in &mut record.nested {
            if let Some(area) = area(row, currency) {
                add_area(row, variant, area);
            }
        }
    }

    /// Adds `read` if its SKU is new. Unless `flat`, a repeated SKU is reported and gives `None`.
    fn position(&mut self, row: &mut Row, read: VariantParts, flat: bool) -> Option<usize> {
        let Some(position) = self.positions.get(&read.sku).copied() else {
            let position = self.variants.len();
            self.positions.insert(read.sku.clone(), position);
            self.check_product_size(row, &read);
            self.variants.push((read, row.line));
            return Some(position);
        };
        let (known, line) = self.variants.get(position)?;
        if !flat {
            row.problem("sku", format!("`{}` is already in line {line}", read.sku));
            return None;
        }
        let differing_columns = differing(known, &read);
        // Rows without a SKU do not form a variant; the missing SKU is reported elsewhere.
        if !differing_columns.is_empty() && !read.sku.is_empty() {
            let differing = differing_columns.join(", ");
            let message = format!("`{}` has another {differing} in line {line}", read.sku);
            row.problem("sku", message);
        }
        Some(position)
    }

    fn check_product_name(&mut self, row: &mut Row, read: &VariantParts) {
        let ProductRef {
            id,
            name: Some(name),
        } = &read.product
        else {
            return;
        };
        let first = self.names.entry(id.clone());
        let (known, line) = first.or_insert_with(|| (name.clone(), row.line));
        if known != name {
            let message = format!("product `{id}` is named `{known}` in line {line}");
            row.problem("product_name", message);
        }
    }

    /// Reports the product's first variant beyond the maximum. Retired variants do not count.
    fn check_product_size(&mut self, row: &mut Row, new: &VariantParts) {
        const MAX_VARIANTS: usize = limits::PRODUCT_VARIANTS;
        if new.retired {
            return;
        }
        let size = self.sizes.entry(new.product.id.clone()).or_default();
        *size += 1;
        if *size == MAX_VARIANTS + 1 {
            let message = format!(
                "product `{}` has more than {MAX_VARIANTS} variants",
                new.product.id
            );
            row.problem("product", message);
        }
    }
}

fn variant(row: &mut Row) -> VariantParts {
    let currency = row.currency("currency", Currency::USD);
    let sku = row.required("sku", "");
    let name = row.required("name", "");
    let product_id = row.text("product");
    let product = ProductRef {
        // A variant without a product is a product of its own, with its SKU as id.
        id: Some(product_id)
            .filter(|id| !id.is_empty())
            .unwrap_or_else(|| sku.clone()),
        name: Some(row.text("product_name")).filter(|name| !name.is_empty()),
    };
    let read = VariantParts {
        sku,
        product,
        name,
        options: row.pairs("options", "NAME=VALUE, such as size=M|colour=black"),
        price: row.amount("price", currency),
        currency,
        ship_classes: row.list("ship_classes"),
        weight_grams: row.whole("weight_g", "grams"),
        areas: Vec::new(),
        retired: row
            .one_of("state", &[("active", false), ("retired", true)])
            .unwrap_or(false),
    };
    let mut rules = read.broken();
    // Rules about areas are checked when an area is added.
    rules.retain(|rule| rule.part() != "areas");
    row.broken(rules, column_of);
    read
}

fn column_of(rule: &VariantError) -> &'static str {
    match rule.part() {
        // If a row names no product, its SKU is the product id.
        "product" => "sku",
        "weight_grams" => "weight_g",
        "areas" => "area_id",
        same => same,
    }
}

fn differing(first: &VariantParts, read: &VariantParts) -> Vec<&'static str> {
    let same = [
        ("product", first.product.id == read.product.id),
        ("product_name", first.product.name == read.product.name),
        ("name", first.name == read.name),
        ("options", first.options == read.options),
        ("price", first.price == read.price),
        ("currency", first.currency == read.currency),
        ("ship_classes", first.ship_classes == read.ship_classes),
        ("weight_g", first.weight_grams == read.weight_grams),
        ("state", first.retired == read.retired),
    ];
    let differing = same.into_iter().filter(|(_, same)| !same);
    differing.map(|(column, _)| column).collect()
}

/// Leaves out an area with which the variant would violate a rule, and reports the rule.
fn add_area(row: &mut Row, variant: &mut VariantParts, area: PrintArea) {
    variant.areas.push(area);
    let mut rules = variant.broken();
    rules.retain(|rule| rule.part() == "areas");
    if !rules.is_empty() {
        variant.areas.pop();
        row.broken(rules, column_of);
    }
}

/// Returns `variants` as rows for an export, with the print areas of each variant as nested rows.
pub fn variant_sheet(variants: &[Variant]) -> Sheet {
    let row = |variant: &Variant| {
        let areas = variant
            .areas
            .iter()
            .map(|area| area_cells(area, variant.currency));
        SheetRow {
            cells: variant_cells(variant),
            nested: areas.collect(),
        }
    };
    Sheet {
        content: Content::Variants,
        rows: variants.iter().map(row).collect(),
    }
}

fn variant_cells(variant: &Variant) -> Vec<Value> {
    // The product id is blank if it is equal to the SKU, as in an import.
    let product = Some(variant.product.id.as_str()).filter(|id| *id != variant.sku);
    let price = variant.price.map(|price| price.to_fixed(variant.currency));
    vec![
        Value::text(&variant.sku),
        Value::text(product.unwrap_or_default()),
        Value::text(variant.product.name.clone().unwrap_or_default()),
        Value::text(&variant.name),
        Value::pairs(variant.options.clone()),
        Value::text(price.unwrap_or_default()),
        Value::text(variant.currency.code()),
        Value::list(&variant.ship_classes),
        Value::number(variant.weight_grams),
        Value::text(if variant.retired { "retired" } else { "active" }),
    ]
}
