//! Catalog of products for the generated orders.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};

/// Code, name, price in cents, and print areas of each kind.
const KINDS: [(&str, &str, u32, &[&str]); 6] = [
    ("TEE", "Unisex T-shirt", 875, &["Front", "Back"]),
    ("HOODIE", "Hooded sweatshirt", 1990, &["Front", "Back"]),
    ("MUG", "Ceramic mug", 520, &["Wrap"]),
    ("POSTER", "Matte poster", 760, &["Print"]),
    ("TOTE", "Cotton tote bag", 690, &["Front"]),
    ("CAP", "Baseball cap", 1120, &["Front"]),
];
const COLOURS: [&str; 5] = ["Black", "White", "Navy", "Red", "Forest"];
const SIZES: [&str; 4] = ["S", "M", "L", "XL"];

pub(crate) const KIND_VARIANTS: usize = COLOURS.len() * SIZES.len();
/// Number of variants of all kinds without a design.
pub(crate) const VARIANTS: usize = KINDS.len() * KIND_VARIANTS;

const SIZE: &str = "4500x5400px";
const NOTE: &str = "PNG with transparency, 300 dpi, sRGB, at most 100 MB";

#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) sku: String,
    pub(crate) name: String,
    pub(crate) price: u32,
    pub(crate) areas: &'static [&'static str],
    /// JSON of `areas`, as the service stores them with an item.
    pub(crate) stored_areas: Arc<str>,
}

/// Returns `count` products: every kind in every colour and size, then the same with design 1, and
/// so on.
pub(crate) fn products(count: usize) -> Vec<Product> {
    let areas = KINDS.map(|(.., areas)| stored_areas(areas));
    let mut products = Vec::with_capacity(count);
    for design in 0..count.div_ceil(VARIANTS) {
        let (code, title) = match design {
            0 => (String::new(), String::new()),
            _ => (format!("-D{design}"), format!(", design {design}")),
        };
        for ((kind, name, price, areas), stored_areas) in KINDS.into_iter().zip(&areas) {
            for colour in COLOURS {
                products.extend(SIZES.map(|size| Product {
                    sku: format!("{kind}-{}-{size}{code}", colour.to_uppercase()),
                    name: format!("{name}, {}, {size}{title}", colour.to_lowercase()),
                    price,
                    areas,
                    stored_areas: stored_areas.clone(),
                }));
            }
        }
    }
    products.truncate(count);
    products
}

/// The catalog as a file for `pressline catalog import`.
pub(crate) fn csv(products: &[Product]) -> String {
    let mut text =
        "sku,name,price,currency,area_id,area_name,size,note,size_width,size_height,requirement,\
                    require_for,extra_fee\n"
            .to_owned();
    for product in products {
        let price = format!("{}.{:02}", product.price / 100, product.price % 100);
        for area in product.areas {
            let id = area.to_lowercase();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},\"{}\",{price},USD,{id},{area},{SIZE},\"{NOTE}\",4500,5400,,,",
                product.sku, product.name
            );
        }
    }
    text
}

/// Returns `products` for the Fastify peer, by SKU.
pub(crate) fn json(products: &[Product]) -> Value {
    let entry = |product: &Product| {
        let area = |name: &&str| {
            json!({
                "id": name.to_lowercase(), "name": name, "size": SIZE, "note": NOTE,
                "sizeWidth": "4500", "sizeHeight": "5400", "extraFee": "0",
            })
        };
        let areas: Vec<Value> = product.areas.iter().map(area).collect();
        (
            product.sku.clone(),
            json!({ "name": product.name, "price": product.price, "areas": areas }),
        )
    };
    Value::Object(products.iter().map(entry).collect())
}

/// Returns the print areas `areas` as JSON, in the format of the database.
fn stored_areas(areas: &[&str]) -> Arc<str> {
    let area = |name: &&str| {
        json!({
            "id": name.to_lowercase(), "name": name, "size": SIZE, "note": NOTE, "width": 4500, "height": 5400,
            "requirement": "base_belongs", "requireFor": [], "extraFee": 0,
        })
    };
    Value::Array(areas.iter().map(area).collect())
        .to_string()
        .into()
}
