//! A catalog, and valid requests.

use serde_json::{Value, json};

/// `MUG-11` with a print area, `TEE-M` with two areas (the back costs extra), and `POSTER` without
/// a price.
pub(crate) const CATALOG: &str = "\
sku,name,price,currency,area_id,area_name,size,note,size_width,size_height,extra_fee
MUG-11,\"Mug, 11 oz\",5.20,USD,wrap,Wrap,2475x1155px,PNG at 300 dpi,2475,1155,
TEE-M,\"Shirt, M\",8.75,USD,front,Front,4500x5400px,,4500,5400,
TEE-M,\"Shirt, M\",8.75,USD,back,Back,4500x5400px,,4500,5400,4.00
POSTER,Poster,,USD,print,Print,,,,,
";

pub(crate) fn address() -> Value {
    json!({
        "first_name": "Ana", "last_name": "Souza", "company": "Prints Ltd", "address1": "12 Market St",
        "address2": "Floor 3", "city": "San Francisco", "zip": "94105", "province": "California",
        "province_code": "US-CA", "country": "United States", "country_code": "US", "phone": "+1 415 555 0100",
        "email": "ana@example.com", "latitude": 37.79, "longitude": -122.4
    })
}

pub(crate) fn customer() -> Value {
    json!({ "first_name": "Ana", "last_name": "Souza" })
}

pub(crate) fn item(sku: &str, quantity: u32, files: usize) -> Value {
    let files: Vec<String> = (1..=files)
        .map(|i| format!("https://example.com/art/{i}.png"))
        .collect();
    json!({ "sku": sku, "quantity": quantity, "fileUrls": files })
}

/// Two mugs, and a shirt printed on both sides: a body of `create`.
pub(crate) fn order(order_id: &str) -> Value {
    json!({
        "order_id": order_id, "email": "shop@example.com", "customer": customer(), "shipping_address": address(),
        "line_items": [item("MUG-11", 2, 1), item("TEE-M", 1, 2)]
    })
}

/// A mug, shipped with a prepared label: a body of `create-label`.
pub(crate) fn label(order_id: &str) -> Value {
    json!({
        "order_id": order_id, "customer": customer(), "shipping_address_label": "https://example.com/label.pdf",
        "line_items": [{ "sku": "MUG-11", "quantity": 1, "refId": "REF-7" }]
    })
}

/// A body of `update` that changes nothing.
pub(crate) fn update(order_id: &str) -> Value {
    json!({ "order_id": order_id, "customer": customer(), "shipping_address": address(), "line_items": [] })
}
