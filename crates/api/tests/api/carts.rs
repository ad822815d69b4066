//! Cart estimates, before customer and address are known, and the cart's shipping options.

use serde_json::{Value, json};

use crate::common::*;

fn cart() -> Value {
    json!({
        "shipping_address": { "country_code": "FR" },
        "line_items": [{ "sku": "TEE-UNISEX-BLACK-M", "quantity": 2 }, { "sku": "MUG-11OZ-WHITE", "quantity": 1 }]
    })
}

/// A shop with the extra ship classes Express, and Air at a flat price.
fn shop() -> Shop {
    let mut shop = Shop::default();
    let express = world_rate("Express", "9", "2.25");
    let air = world_rate("Air", "13.50", "0");
    let rates = [shop.tariff.shipping.rates(), &[express, air]].concat();
    shop.tariff.shipping = worldwide(rates);
    shop
}

#[actix_web::test]
async fn an_estimated_cart() {
    let world = World::from_shop(shop()).await;
    insta::assert_snapshot!(world.post(ESTIMATE, cart()).await.shown());
}

/// Each field of the API's table is present and has its type.
#[actix_web::test]
async fn missing_parts_of_a_cart_are_empty_in_the_response() {
    let world = World::from_shop(shop()).await;
    let data = world.post(ESTIMATE, cart()).await.json()["data"].clone();
    assert_eq!(
        (&data["orderId"], &data["customer"]),
        (&json!(""), &json!({ "name": "" }))
    );
    assert_eq!(data["billingAddress"], json!({}));
    assert_eq!(
        data["shippingAddress"],
        json!({ "country": "France", "countryCode": "FR" })
    );
    let mut label = cart();
    label["shipping_address_label"] = "https://labels.example/1.pdf".into();
    label["shipping_address"] = Value::Null;
    let data = world.post(ESTIMATE, label).await.json()["data"].clone();
    assert_eq!(
        (&data["shippingAddress"], &data["type"]),
        (&json!({}), &json!("label"))
    );
    assert!(data.get("shippingOptions").is_none(), "{data}");
}

#[actix_web::test]
async fn the_chosen_shipping_option_costs_its_estimate() {
    let world = World::from_shop(shop()).await;
    let options = world.post(ESTIMATE, cart()).await.json()["data"]["shippingOptions"].clone();
    let option = |class: &str, fee: f64, total: f64| json!({ "shipClass": class, "shippingFee": fee, "totalCost": total });
    assert_eq!(
        options,
        json!([
            option("Standard", 6.5, 27.75),
            option("Air", 13.5, 34.75),
            option("Express", 13.5, 34.75)
        ])
    );
    for (number, option) in options.as_array().unwrap().iter().enumerate() {
        let mut request = order(&format!("A-{number}"));
        request["line_items"] = cart()["line_items"].clone();
        for item in request["line_items"].as_array_mut().unwrap() {
            item["shipClass"] = option["shipClass"].clone();
        }
        let again = world.post(ESTIMATE, &request).await.json();
        assert!(again["data"].get("shippingOptions").is_none(), "{again}");
        let placed = world.post(CREATE, request).await.json()["data"].clone();
        for fee in ["shippingFee", "totalCost"] {
            assert_eq!(
                (&placed[fee], &again["data"][fee]),
                (&option[fee], &option[fee]),
                "{fee}"
            );
        }
    }
}

#[actix_web::test]
async fn a_cart_needs_items_and_a_destination() {
    let world = World::new().await;
    for (body, field) in [
        (json!({}), "shipping_address"),
        (
            json!({ "shipping_address": {} }),
            "shipping_address.country_code",
        ),
        (
            json!({ "shipping_address": { "country_code": "US" } }),
            "shipping_address.province_code",
        ),
        (
            json!({ "shipping_address": { "country": "Atlantis" } }),
            "shipping_address.country",
        ),
    ] {
        let refused = world.post(ESTIMATE, &body).await;
        assert_eq!(refused.refusal(), "400 validation_failed");
        let fields: Vec<String> = refused
            .listed("errors")
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(fields, [field, "line_items"], "{body}");
    }
}
