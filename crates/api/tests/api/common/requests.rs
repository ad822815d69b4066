//! Valid requests.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::Value;

use super::{GOOD, Response, STORE};

pub(crate) fn signed(path: &str, body: impl ToString) -> TestRequest {
    unsigned(path, body).insert_header(("X-Service-Hmac-Sha256", GOOD))
}

/// A complete request except for the header `X-Service-Hmac-Sha256`.
pub(crate) fn unsigned(path: &str, body: impl ToString) -> TestRequest {
    TestRequest::default()
        .method(Method::POST)
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .insert_header(("X-Service-Store-Id", STORE))
        .insert_header(("X-Request-Id", "call-1"))
        .set_payload(body.to_string())
}

/// A create request with all address fields, a name, files and mock-ups.
pub(crate) fn order(order_id: &str) -> Value {
    serde_json::json!({
        "order_id": order_id,
        "email": "orders@shop.example",
        "shipping_address": {
            "first_name": "Ana", "last_name": "Reyes", "company": "Shop Inc.", "address1": "350 5th Ave",
            "address2": "Floor 21", "city": "New York", "zip": "10118", "province": "New York",
            "province_code": "US-NY", "country": "United States", "country_code": "US", "phone": "+1 212 555 0100",
            "email": "ana@example.com", "latitude": 40.748, "longitude": -73.985, "tax_number": "T1",
            "eur_tax_value": "E1"
        },
        "billing_address": { "name": "Shop Inc.", "country_code": "US" },
        "customer": { "first_name": "Ana", "last_name": "Reyes" },
        "line_items": [{
            "name": "Tee", "sku": "TEE-UNISEX-BLACK-M", "quantity": 2, "shipClass": "Standard", "refId": "line-1",
            "fileUrls": ["https://cdn.example/front.png", "https://cdn.example/back.png"],
            "mockupImages": ["https://cdn.example/mockup.jpg"]
        }, { "sku": "MUG-11OZ-WHITE", "quantity": 1 }]
    })
}

/// A create request of nearly 1 MiB. Its order is about twice as large in responses.
pub(crate) fn wide(order_id: &str) -> Value {
    let image = format!("https://cdn.example/{}", "x".repeat(2000));
    let mut order = order(order_id);
    let item = serde_json::json!({ "sku": "MUG-11OZ-WHITE", "quantity": 1, "mockupImages": vec![image; 5] });
    order["line_items"] = vec![item; 95].into();
    order
}

pub(crate) fn label(order_id: &str) -> Value {
    let mut order = order(order_id);
    order["shipping_address_label"] = "https://labels.example/1.pdf".into();
    order
}

/// An update request that changes only the `quantity` of the first item.
pub(crate) fn update(order_id: &str, created: &Response, quantity: u32) -> Value {
    let order = order(order_id);
    serde_json::json!({
        "order_id": order_id,
        "shipping_address": order["shipping_address"],
        "customer": order["customer"],
        "line_items": [{ "appItemId": created.json()["data"]["childDetails"][0]["id"], "quantity": quantity }]
    })
}
