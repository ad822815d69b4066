//! Catalog files: a row for each print area of each variant.

use std::collections::HashMap;

use pressline_domain::catalog::{PrintArea, ProductRef, Variant};
use pressline_domain::limits;
use pressline_domain::money::{Amount, Currency};

use super::row::{Row, decimal};
use super::table::Value;
use super::{FileError, Format, Nested, Shape, Sheet, Table};

/// What a catalog file holds.
pub(crate) const SHAPE: Shape = Shape {
    columns: &[
        ("sku", "sku"),
        ("product", "product"),
        ("product_name", "productName"),
        ("name", "name"),
        ("options", "options"),
        ("price", "price"),
        ("currency", "currency"),
        ("ship_classes", "shipClasses"),
        ("weight_g", "weightG"),
        ("state", "state"),
    ],
    required: &["sku", "name"],
    pairs_by: '=',
    nested: Some(Nested {
        key: "areas",
        columns: &[
            ("area_id", "id"),
            ("area_name", "name"),
            ("size", "size"),
            ("note", "note"),
            ("size_width", "sizeWidth"),
            ("size_height", "sizeHeight"),
            ("requirement", "requirement"),
            ("require_for", "requireFor"),
            ("extra_fee", "extraFee"),
        ],
    }),
};

/// Most print areas of a variant.
const MAX_AREAS: usize = 20;
/// Most options of a variant, and most ship classes.
const MAX_ENTRIES: usize = 20;
/// The heaviest unit, in grams: a tonne.
const MAX_GRAMS: u32 = 1_000_000;
/// The widest and highest file, in pixels.
const MAX_PIXELS: u32 = 1_000_000;

/// The variants of a file. In CSV rows with one SKU belong to one variant, wherever they stand.
pub(crate) fn read(mut table: Table) -> Result<Vec<Variant>, FileError> {
    let one_row_each = table.format == Format::Json;
    let mut variants: Vec<Variant> = Vec::new();
    // Where each SKU stands in the list, and in which line of the file.
    let mut places: HashMap<String, (usize, u64)> = HashMap::new();
    let mut products: HashMap<String, (String, u64)> = HashMap::new();
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for mut entry in table.take() {
        let row = &mut entry.row;
        let read = variant(row);
        check_product(row, &read, &mut products);
        let (place, line) = *places
            .entry(read.sku.clone())
            .or_insert((variants.len(), row.line));
        let known = variants.get_mut(place);
        let variant = match known {
            Some(_) if one_row_each => {
                row.problem(
                    "sku",
                    format!("`{}` stands in line {line} already", read.sku),
                );
                None
            }
            Some(known) => {
                let differing = differing(known, &read);
                if !differing.is_empty() && !read.sku.is_empty() {
                    let differing = differing.join(", ");
                    row.problem(
                        "sku",
                        format!("`{}` has another {differing} in line {line}", read.sku),
                    );
                }
                Some(known)
            }
            None => {
                check_size(row, &read, &mut sizes);
                variants.push(read.clone());
                variants.last_mut()
            }
        };
        if let Some(variant) = variant {
            for inner in &mut entry.nested {
                let area = area(inner, read.currency);
                add_area(inner, variant, area);
            }
        }
        table.note(entry.row);
        entry.nested.into_iter().for_each(|inner| table.note(inner));
    }
    for variant in variants
        .iter_mut()
        .filter(|variant| variant.areas.is_empty())
    {
        variant.areas.push(PrintArea::main());
    }
    table.done(variants)
}

fn variant(row: &mut Row) -> Variant {
    let currency = row.currency("currency", Currency::USD);
    let sku = row.required("sku", "");
    let name = row.required("name", "");
    let product = row.text("product");
    let product = ProductRef {
        id: if product.is_empty() {
            sku.clone()
        } else {
            product
        },
        name: Some(row.text("product_name")).filter(|name| !name.is_empty()),
    };
    let options = row.pairs("options", "NAME=VALUE, such as size=M|colour=black");
    let ship_classes = row.list("ship_classes");
    for (column, count) in [
        ("options", options.len()),
        ("ship_classes", ship_classes.len()),
    ] {
        if count > MAX_ENTRIES {
            row.problem(column, format!("more than {MAX_ENTRIES}"));
        }
    }
    Variant {
        sku,
        product,
        name,
        options,
        price: row.amount("price", currency),
        currency,
        ship_classes,
        weight_grams: row.whole("weight_g", "grams", MAX_GRAMS),
        areas: Vec::new(),
        retired: row
            .one_of("state", &[("active", false), ("retired", true)])
            .unwrap_or(false),
    }
}

/// Checks that all rows which name a product give it the same name.
fn check_product(row: &mut Row, read: &Variant, products: &mut HashMap<String, (String, u64)>) {
    let ProductRef {
        id,
        name: Some(name),
    } = &read.product
    else {
        return;
    };
    let (first, line) = products
        .entry(id.clone())
        .or_insert_with(|| (name.clone(), row.line));
    if first != name {
        row.problem(
            "product_name",
            format!("product `{id}` is named `{first}` in line {line}"),
        );
    }
}

/// Counts a new variant to its product, and says once where they become too many.
fn check_size(row: &mut Row, new: &Variant, sizes: &mut HashMap<String, usize>) {
    const MOST: usize = limits::PRODUCT_VARIANTS;
    let size = sizes.entry(new.product.id.clone()).or_default();
    *size += usize::from(!new.retired);
    if *size == MOST + 1 && !new.retired {
        row.problem(
            "product",
            format!("product `{}` has more than {MOST} variants", new.product.id),
        );
    }
}

/// The columns in which two rows of a variant differ.
fn differing(first: &Variant, read: &Variant) -> Vec<&'static str> {
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
    same.into_iter()
        .filter(|(_, same)| !same)
        .map(|(column, _)| column)
        .collect()
}

/// A width or height; `None` where it is absent or 0.
fn pixels(row: &mut Row, column: &str) -> Option<u32> {
    Some(row.whole(column, "pixels", MAX_PIXELS)).filter(|pixels| *pixels > 0)
}

fn area(row: &mut Row, currency: Currency) -> PrintArea {
    let requirement = row.text("requirement");
    PrintArea {
        id: row.required("area_id", ""),
        name: row.required("area_name", ""),
        size: row.text("size"),
        note: row.text("note"),
        width: pixels(row, "size_width"),
        height: pixels(row, "size_height"),
        requirement: if requirement.is_empty() {
            PrintArea::BASE_BELONGS.to_owned()
        } else {
            requirement
        },
        require_for: row.list("require_for"),
        extra_fee: row.amount("extra_fee", currency).unwrap_or_default(),
    }
}

/// Adds an area to a variant that has room for it and no other of this id.
fn add_area(row: &mut Row, variant: &mut Variant, area: PrintArea) {
    if variant.areas.iter().any(|other| other.id == area.id) {
        row.problem(
            "area_id",
            format!("`{}` stands twice for SKU `{}`", area.id, variant.sku),
        );
    } else if variant.areas.len() == MAX_AREAS {
        row.problem(
            "area_id",
            format!(
                "SKU `{}` has more than {MAX_AREAS} print areas",
                variant.sku
            ),
        );
    } else {
        variant.areas.push(area);
    }
}

/// The file that says the same as these variants.
pub(crate) fn sheet(variants: &[Variant]) -> Sheet {
    let rows = variants.iter().map(|variant| {
        let areas = variant
            .areas
            .iter()
            .map(|area| area_cells(area, variant.currency));
        (variant_cells(variant), areas.collect())
    });
    Sheet {
        shape: &SHAPE,
        rows: rows.collect(),
    }
}

fn variant_cells(variant: &Variant) -> Vec<Value> {
    let product = Some(variant.product.id.as_str()).filter(|id| *id != variant.sku);
    let price = variant.price.map(|price| decimal(price, variant.currency));
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

fn area_cells(area: &PrintArea, currency: Currency) -> Vec<Value> {
    let requirement =
        Some(area.requirement.as_str()).filter(|text| *text != PrintArea::BASE_BELONGS);
    let fee = Some(area.extra_fee)
        .filter(|fee| *fee > Amount::ZERO)
        .map(|fee| decimal(fee, currency));
    vec![
        Value::text(&area.id),
        Value::text(&area.name),
        Value::text(&area.size),
        Value::text(&area.note),
        Value::number(area.width.unwrap_or(0)),
        Value::number(area.height.unwrap_or(0)),
        Value::text(requirement.unwrap_or_default()),
        Value::list(&area.require_for),
        Value::text(fee.unwrap_or_default()),
    ]
}
