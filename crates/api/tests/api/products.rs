//! Product search: the offer of the catalog at a store's prices.

use std::sync::atomic::Ordering;

use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, ListPrice, ListPriceParts, ProductRef, VariantParts,
};
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, Timestamp};
use serde_json::{Value, json};

use crate::common::*;

fn pair(field: &str, code: &str) -> (String, String) {
    (field.to_owned(), code.to_owned())
}

fn variant(product: &str, sku: &str, colour: &str) -> VariantParts {
    VariantParts {
        product: ProductRef {
            id: product.to_owned(),
            name: Some(format!("Product {product}")),
        },
        options: vec![
            ("size".to_owned(), "M".to_owned()),
            ("colour".to_owned(), colour.to_owned()),
        ],
        price: Some(usd("5")),
        ..VariantParts::single(sku, &format!("Variant {sku}"))
    }
}

/// Caps, shirts of three colours (green is retired), and retired socks.
fn wardrobe() -> Shop {
    let retired = |variant| VariantParts {
        retired: true,
        ..variant
    };
    let white = VariantParts {
        ship_classes: vec!["Standard".to_owned(), "Express".to_owned()],
        weight_grams: 180,
        areas: vec![
            area("front", "Front", usd("0")),
            area("sleeve", "Sleeve", usd("0.75")),
        ],
        ..variant("SHIRT", "SHIRT-W", "white")
    };
    let variants = vec![
        white,
        variant("SHIRT", "SHIRT-R", "rouge vif"),
        retired(variant("SHIRT", "SHIRT-G", "green")),
        retired(variant("SOCKS", "SOCKS-1", "green")),
        VariantParts::single("CAP", "Çap"),
    ];
    Shop {
        variants: variants.into_iter().map(valid).collect(),
        ..Shop::default()
    }
}

fn ids(response: &Response) -> Vec<String> {
    let data = response.json()["data"].as_array().unwrap().clone();
    data.iter()
        .map(|product| product["id"].as_str().unwrap().to_owned())
        .collect()
}

fn skus(product: &Value) -> Vec<&str> {
    product["variants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|variant| variant["sku"].as_str().unwrap())
        .collect()
}

#[actix_web::test]
async fn a_page_of_products() {
    let world = World::from_shop(wardrobe()).await;
    insta::assert_snapshot!(world.post(PRODUCTS, "{}").await.shown());
}

#[actix_web::test]
async fn variants_are_listed_with_their_product_unless_they_are_retired() {
    let world = World::from_shop(wardrobe()).await;
    for (key, found) in [
        ("", vec!["CAP", "SHIRT"]),
        ("sHiRt", vec!["SHIRT"]),
        ("cap", vec!["CAP"]),
        ("produ shirt", vec!["SHIRT"]),
        ("rouge", vec!["SHIRT"]),
        ("vif shirt-r", vec!["SHIRT"]),
        // Words of two variants do not match together.
        ("white rouge", vec![]),
        ("green", vec![]),
        ("socks", vec![]),
        ("%", vec![]),
    ] {
        let response = world.post(PRODUCTS, json!({ "searchKey": key })).await;
        assert_eq!(ids(&response), found, "{key}");
        assert_eq!(response.json()["count"], found.len(), "{key}");
    }
    let rouge = world
        .post(PRODUCTS, json!({ "searchKey": "rouge" }))
        .await
        .json();
    assert_eq!(
        skus(&rouge["data"][0]),
        ["SHIRT-R", "SHIRT-W"],
        "all its variants come"
    );
}

/// Prices of the service, of the store and of another store, valid before and after the test's
/// time.
fn prices() -> Vec<ListPrice> {
    let price = |store: Option<&str>, sku: &str, code: &str, millis: i64, text: &str| {
        let currency: Currency = code.parse().unwrap();
        valid(ListPriceParts {
            store: store.map(|id| id.parse().unwrap()),
            sku: sku.to_owned(),
            currency,
            valid_from: Timestamp::from_millis(millis),
            amount: amount(text, currency),
        })
    };
    let other = "0197f3c2-0000-7000-8000-0000000000ff";
    vec![
        price(None, "SHIRT-W", "USD", NOW - 10, "4.50"),
        price(None, "SHIRT-R", "USD", NOW - 10, "4.60"),
        price(Some(STORE), "SHIRT-R", "USD", NOW - 5, "4.20"),
        price(Some(STORE), "SHIRT-R", "USD", NOW + 5, "4.10"),
        price(Some(other), "SHIRT-R", "USD", NOW - 5, "0.01"),
        price(None, "SHIRT-W", "JPY", NOW - 10, "650"),
        price(None, "CAP", "KWD", NOW - 10, "1.234"),
    ]
}

#[actix_web::test]
async fn prices_are_the_current_prices_of_the_store() {
    let prices = prices();
    for (code, later, shown) in [
        ("USD", 0, ["null", "4.2", "4.5"]),
        ("USD", 5, ["null", "4.1", "4.5"]),
        ("JPY", 0, ["null", "null", "650"]),
        ("KWD", 0, ["1.234", "null", "null"]),
    ] {
        let currency: Currency = code.parse().unwrap();
        let world = World::from_shop(Shop {
            store: Store {
                currency,
                ..store()
            },
            ..wardrobe()
        })
        .await;
        world
            .catalog
            .set_prices(&prices, &ImportOptions::default())
            .await
            .unwrap();
        world.clock.advance(later);
        let response = world.post(PRODUCTS, "{}").await.json();
        let products = response["data"].as_array().unwrap().iter();
        let variants: Vec<&Value> = products
            .flat_map(|product| product["variants"].as_array().unwrap())
            .collect();
        let prices: Vec<String> = variants
            .iter()
            .map(|variant| variant["price"].to_string())
            .collect();
        assert_eq!(prices, shown, "{code} {later}");
        assert!(variants.iter().all(|variant| variant["currency"] == code));
        let sleeve = &variants[2]["fileRequirements"][1];
        assert_eq!(
            (&sleeve["extraFee"], &sleeve["extraFeeCurrency"]),
            (&json!("0.75"), &json!("USD"))
        );
        // An order is estimated at the same price.
        let mut order = order("A-1");
        order["line_items"] = json!([{ "sku": "SHIRT-W", "quantity": 1 }]);
        let estimate = world.post(ESTIMATE, order).await.json();
        assert_eq!(
            estimate["data"]["productCost"].to_string(),
            shown[2],
            "{code}"
        );
    }
}

/// Seven products with ids that are not plain words.
fn seven() -> Shop {
    let names = ["A", "B 1", "b", "C/ö", "Z", "Ö", "文"];
    let variants = names
        .iter()
        .map(|name| valid(variant(name, &format!("SKU-{name}"), "red")))
        .collect();
    Shop {
        variants,
        ..Shop::default()
    }
}

#[actix_web::test]
async fn pages_by_number_and_by_cursor_contain_each_product_once() {
    let world = World::from_shop(seven()).await;
    let all = ids(&world.post(PRODUCTS, "{}").await);
    assert_eq!(all, ["A", "B 1", "C/ö", "Z", "b", "Ö", "文"]);
    let mut cursor = Value::Null;
    for (number, has_next) in [(1, true), (2, true), (3, true), (4, false)] {
        let at = (number - 1) * 2;
        let expected = &all[at..all.len().min(at + 2)];
        let page = world
            .post(
                PRODUCTS,
                json!({ "searchKey": "red", "size": 2, "page": number }),
            )
            .await;
        assert_eq!(ids(&page), expected);
        let page = page.json();
        assert_eq!(
            (&page["page"], &page["size"], &page["count"]),
            (&json!(number), &json!(2), &json!(7))
        );
        assert_eq!(
            (&page["pageHasNext"], &page["pageHasPre"]),
            (&json!(has_next), &json!(number > 1))
        );
        assert_eq!(page.get("nextCursor").is_some(), has_next);
        let walked = world
            .post(
                PRODUCTS,
                json!({ "searchKey": "red", "size": 2, "cursor": cursor }),
            )
            .await;
        assert_eq!(ids(&walked), expected, "page {number} of the walk");
        let walked = walked.json();
        assert_eq!(walked.get("page").is_some(), cursor.is_null());
        assert_eq!(
            (&walked["count"], &walked["pageHasPre"]),
            (&json!(7), &json!(!cursor.is_null()))
        );
        assert_eq!(walked.get("nextCursor"), page.get("nextCursor"));
        cursor = walked["nextCursor"].clone();
    }
    let past = world.post(PRODUCTS, json!({ "page": 9 })).await.json();
    assert_eq!(
        (&past["data"], &past["pageHasNext"]),
        (&json!([]), &json!(false))
    );
    assert_eq!(
        (&past["pageHasPre"], &past["count"]),
        (&json!(true), &json!(7))
    );
}

#[actix_web::test]
async fn all_problems_of_a_product_search_are_reported_together() {
    let world = World::from_shop(seven()).await;
    let first = world
        .post(PRODUCTS, json!({ "searchKey": "red", "size": 2 }))
        .await
        .json();
    let cursor = &first["nextCursor"];
    for id in ["A-1", "A-2"] {
        world.post(CREATE, order(id)).await;
    }
    let of_orders = world.post(SEARCH, json!({ "size": 1 })).await.json()["nextCursor"].clone();
    assert!(of_orders.is_string());
    for (body, errors) in [
        (
            json!({ "cursor": cursor }),
            vec![pair("cursor", "invalid_format")],
        ),
        (
            json!({ "cursor": cursor, "searchKey": "re" }),
            vec![pair("cursor", "invalid_format")],
        ),
        (
            json!({ "cursor": of_orders }),
            vec![pair("cursor", "invalid_format")],
        ),
        (
            json!({ "cursor": cursor, "searchKey": "red", "page": 2 }),
            vec![pair("cursor", "conflict")],
        ),
        (json!({ "cursor": 7 }), vec![pair("cursor", "wrong_type")]),
        (
            json!({ "searchKey": [], "size": 101, "page": 0 }),
            vec![
                pair("searchKey", "wrong_type"),
                pair("size", "out_of_range"),
                pair("page", "out_of_range"),
            ],
        ),
        (
            json!({ "searchKey": "a b c d e f g h i j k" }),
            vec![pair("searchKey", "too_long")],
        ),
    ] {
        let refused = world.post(PRODUCTS, &body).await;
        assert_eq!(refused.refusal(), "400 validation_failed", "{body}");
        assert_eq!(refused.listed("errors"), errors, "{body}");
    }
    let other = world
        .post(SEARCH, json!({ "cursor": cursor, "searchKey": "red" }))
        .await;
    assert_eq!(other.listed("errors"), [pair("cursor", "invalid_format")]);
}

#[actix_web::test]
async fn a_field_of_another_search_is_unknown() {
    let world = World::from_shop(seven()).await;
    let unknown = world.post(PRODUCTS, json!({ "fromTime": 1 })).await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.listed("warnings")),
        (200, vec![pair("fromTime", "unknown_field")])
    );
}

#[actix_web::test]
async fn prices_are_never_shown_without_a_signature() {
    let world = World::from_shop(seven()).await;
    world.unsigned_search.store(true, Ordering::Relaxed);
    assert_eq!(world.send(unsigned(SEARCH, "{}")).await.status, 200);
    for path in [PRODUCTS, ESTIMATE] {
        assert_eq!(
            world.send(unsigned(path, "{}")).await.code(),
            "permission_denied"
        );
    }
}
