//! The products that the orders are for.

use std::fmt::Write;

use serde_json::{Value, json};

/// Code, name, price in cents, print areas.
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

/// What a print area asks for.
const SIZE: &str = "4500x5400px";
const NOTE: &str = "PNG with transparency, 300 dpi, sRGB, at most 100 MB";

/// A product.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) sku: String,
    pub(crate) name: String,
    /// In cents.
    pub(crate) price: u32,
    pub(crate) areas: &'static [&'static str],
    /// The areas as the service keeps them with an item.
    pub(crate) stored_areas: String,
}

/// Every kind in every colour and size.
pub(crate) fn products() -> Vec<Product> {
    let mut products = Vec::new();
    for (code, name, price, areas) in KINDS {
        for colour in COLOURS {
            for size in SIZES {
                products.push(Product {
                    sku: format!("{code}-{}-{size}", colour.to_uppercase()),
                    name: format!("{name}, {}, {size}", colour.to_lowercase()),
                    price,
                    areas,
                    stored_areas: stored_areas(areas),
                });
            }
        }
    }
    products
}

/// The file that `pressline catalog import` reads.
pub(crate) fn csv() -> String {
    let mut text =
        "sku,name,price,currency,area_id,area_name,size,note,size_width,size_height,requirement,\
                    require_for,extra_fee\n"
            .to_owned();
    for product in products() {
        let price = format!("{}.{:02}", product.price / 100, product.price % 100);
        for area in product.areas {
            let id = area.to_lowercase();
            // Writing to a text cannot fail.
            let _ = writeln!(
                text,
                "{},\"{}\",{price},USD,{id},{area},{SIZE},\"{NOTE}\",4500,5400,,,",
                product.sku, product.name
            );
        }
    }
    text
}

/// The same for the Fastify peer, by SKU; prices in cents.
pub(crate) fn json() -> Value {
    let entry = |product: Product| {
        let area = |name: &&str| {
            json!({
                "id": name.to_lowercase(), "name": name, "size": SIZE, "note": NOTE,
                "sizeWidth": "4500", "sizeHeight": "5400", "extraFee": "0",
            })
        };
        let areas: Vec<Value> = product.areas.iter().map(area).collect();
        (
            product.sku,
            json!({ "name": product.name, "price": product.price, "areas": areas }),
        )
    };
    Value::Object(products().into_iter().map(entry).collect())
}

/// Print areas as JSON, in the spelling of the database.
fn stored_areas(areas: &[&str]) -> String {
    let area = |name: &&str| {
        json!({
            "id": name.to_lowercase(), "name": name, "size": SIZE, "note": NOTE, "width": 4500, "height": 5400,
            "requirement": "base_belongs", "require_for": [], "extra_fee": 0,
        })
    };
    Value::Array(areas.iter().map(area).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skus_differ_and_both_files_hold_all_of_them() {
        let products = products();
        assert_eq!(products.len(), 120);
        assert_eq!(json().as_object().unwrap().len(), 120);
        let areas: usize = products.iter().map(|product| product.areas.len()).sum();
        assert_eq!(csv().lines().count(), 1 + areas);
        assert!(csv().contains("MUG-BLACK-S,\"Ceramic mug, black, S\",5.20,USD,wrap,Wrap,"));
    }
}
