//! Quotes: an estimate or a dry run is the order that would be stored, to the last digit, and
//! nothing is stored.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPrice, Variant};
use pressline_domain::money::Currency;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, OrderType, Per, Place, ShippingRate, ShippingRates, Tariff, WeightStep,
    Zone,
};
use pressline_domain::store::StoreSettings;
use pressline_domain::time::Timestamp;
use pressline_kit::geo::Country;
use serde_json::{Value, json};

use crate::common::*;

/// What things cost in one currency.
struct Prices {
    tee: &'static str,
    back: &'static str,
    mug: &'static str,
    standard: (&'static str, &'static str),
    express: (&'static str, &'static str),
    heavy: &'static str,
    oversize: &'static str,
    packing: &'static str,
    label: &'static str,
}

/// Two, no and three decimals.
const CURRENCIES: [(&str, Prices); 3] = [
    (
        "USD",
        Prices {
            tee: "8.50",
            back: "1.55",
            mug: "4.25",
            standard: ("4.99", "1.25"),
            express: ("9.95", "2.45"),
            heavy: "2.01",
            oversize: "0.75",
            packing: "0.33",
            label: "2.50",
        },
    ),
    (
        "JPY",
        Prices {
            tee: "1201",
            back: "151",
            mug: "603",
            standard: ("807", "211"),
            express: ("1513", "305"),
            heavy: "299",
            oversize: "53",
            packing: "29",
            label: "351",
        },
    ),
    (
        "KWD",
        Prices {
            tee: "2.505",
            back: "0.255",
            mug: "1.125",
            standard: ("1.5", "0.305"),
            express: ("3.005", "0.705"),
            heavy: "0.501",
            oversize: "0.055",
            packing: "0.015",
            label: "0.755",
        },
    ),
];

fn rule(
    name: &str,
    fee: FeeType,
    per: Per,
    orders: OrderType,
    currency: Currency,
    text: &str,
) -> FeeRule {
    FeeRule {
        name: name.to_owned(),
        fee,
        currency,
        amount: amount(text, currency),
        per,
        orders: Some(orders),
        skus: Vec::new(),
        zones: Vec::new(),
    }
}

fn shop(code: &str, prices: &Prices) -> Shop {
    let currency: Currency = code.parse().unwrap();
    let money = |text: &str| amount(text, currency);
    let tee = Variant {
        price: Some(money(prices.tee)),
        currency,
        weight_grams: 160,
        areas: vec![
            area("front", "Front", money("0")),
            area("back", "Back", money(prices.back)),
        ],
        ..Variant::single("TEE-BLACK-M", "Unisex tee, black, M")
    };
    let mug = Variant {
        price: Some(money(prices.mug)),
        currency,
        weight_grams: 400,
        ship_classes: vec!["Standard".to_owned()],
        areas: vec![area("wrap", "Wrap", money("0"))],
        ..Variant::single("MUG-11OZ", "Mug 11oz")
    };
    let old = Variant {
        retired: true,
        sku: "MUG-OLD".to_owned(),
        ..mug.clone()
    };
    let rate = |class: &str, (first, further): (&str, &str), heavy: &str| ShippingRate {
        zone: "America".to_owned(),
        ship_class: class.to_owned(),
        currency,
        first: money(first),
        further: money(further),
        steps: vec![WeightStep {
            above_grams: 500,
            extra: money(heavy),
        }],
        free_from: None,
    };
    let country = Country::from_code("US").unwrap();
    let america = Zone {
        name: "America".to_owned(),
        places: vec![Place {
            country,
            province: None,
        }],
    };
    let oversize = FeeRule {
        skus: vec!["TEE-*".to_owned()],
        zones: vec!["America".to_owned()],
        ..rule(
            "Oversize",
            FeeType::Surcharge,
            Per::Unit,
            OrderType::Manual,
            currency,
            prices.oversize,
        )
    };
    let label = FeeRule::label_handling(currency, money(prices.label));
    let packing = rule(
        "Packing",
        FeeType::Other,
        Per::Item,
        OrderType::Manual,
        currency,
        prices.packing,
    );
    let pickup = rule(
        "Pick-up",
        FeeType::OtherShipping,
        Per::Order,
        OrderType::Label,
        currency,
        prices.packing,
    );
    Shop {
        store: pressline_domain::store::Store {
            currency,
            ..store()
        },
        variants: vec![tee, mug, old],
        tariff: Tariff {
            shipping: ShippingRates {
                zones: vec![america],
                rates: vec![
                    rate("Standard", prices.standard, prices.heavy),
                    rate("Express", prices.express, prices.heavy),
                ],
            },
            fees: FeeSchedule {
                rules: vec![oversize, label, packing, pickup],
            },
        },
    }
}

fn shop_of(code: &str) -> Shop {
    let (_, prices) = CURRENCIES.iter().find(|(known, _)| *known == code).unwrap();
    shop(code, prices)
}

/// Requests of all sorts, the k-th of them under an order id of its own.
fn requests() -> Vec<(&'static str, Value)> {
    let mut requests = Vec::new();
    for number in 0..24 {
        let is_label = number % 4 == 3;
        let mut request = if is_label { label("") } else { order("") };
        request["order_id"] = format!("Q-{number}").into();
        request["line_items"][0]["quantity"] = (1 + number % 7).into();
        if number % 3 == 0 {
            request["line_items"][0]["shipClass"] = "express".into();
        }
        if number % 5 == 0 {
            request["line_items"][1]["sku"] = "MUG-12OZ".into();
        }
        if number % 6 == 1 {
            request["line_items"][0]["fileUrls"] = json!(["", "https://cdn.example/back.png"]);
        }
        if number % 8 == 2 {
            request["line_items"][1] =
                json!({ "sku": "MUG-OLD", "quantity": 3, "shipClass": "Express" });
        }
        requests.push((if is_label { LABEL } else { CREATE }, request));
    }
    requests
}

fn dry(request: &Value) -> Value {
    let mut request = request.clone();
    request["dryRun"] = true.into();
    request
}

/// What answers of a quote lack, taken out of an order, which must have it.
fn as_quoted(mut order: Value) -> Value {
    for id in ["id", "serviceOrderId"] {
        assert!(order[id].is_string(), "{id}");
        order[id] = Value::Null;
    }
    for item in order["childDetails"].as_array_mut().unwrap() {
        assert!(item["id"].is_string());
        item["id"] = Value::Null;
    }
    for line in order["feeLines"].as_array_mut().unwrap() {
        line["itemId"] = Value::Null;
    }
    order["dryRun"] = true.into();
    order
}

/// Asserts that the lines of an order add up to its fees, and its fees to its total.
fn assert_explained(order: &Value) {
    let currency: Currency = order["currency"].as_str().unwrap().parse().unwrap();
    let minor = |value: &Value| amount(&value.to_string(), currency).minor_units();
    let lines = order["feeLines"].as_array().unwrap();
    let mut total = 0;
    for (kind, fee) in [
        ("product", "productCost"),
        ("shipping", "shippingFee"),
        ("surcharge", "surchargeFee"),
        ("handling", "handleFee"),
        ("other", "otherFee"),
        ("otherShipping", "otherShippingFee"),
    ] {
        let own: Vec<i64> = lines
            .iter()
            .filter(|line| line["type"] == kind)
            .map(|line| minor(&line["amount"]))
            .collect();
        if order[fee].is_null() {
            assert!(own.is_empty(), "{fee}: {order}");
        } else {
            assert_eq!(
                own.iter().sum::<i64>(),
                minor(&order[fee]),
                "{fee}: {order}"
            );
            total += minor(&order[fee]);
        }
    }
    assert_eq!(total, minor(&order["totalCost"]), "{order}");
    for line in lines {
        assert_eq!(line["currency"], order["currency"]);
        assert!(!line["rule"].as_str().unwrap().is_empty());
        if let Some(index) = line["itemIndex"].as_u64() {
            let item = &order["childDetails"][usize::try_from(index).unwrap()];
            assert_eq!(line["itemId"], item["id"], "{order}");
        } else {
            assert!(line["itemId"].is_null());
        }
    }
}

#[actix_web::test]
async fn a_quote_is_the_order_that_is_placed_next() {
    for (code, prices) in &CURRENCIES {
        let world = World::of(shop(code, prices)).await;
        for (path, request) in requests() {
            let estimated = world.post(ESTIMATE, &request).await;
            let dry = world.post(path, dry(&request)).await;
            let placed = world.post(path, &request).await;
            assert_eq!(estimated.status, 200, "{}", estimated.body);
            assert_eq!(estimated.json(), dry.json());
            let (estimated, placed) = (estimated.json(), placed.json());
            assert_eq!(placed["message"], "OK");
            assert_eq!(estimated["message"], "OK");
            assert_eq!(estimated["data"], as_quoted(placed["data"].clone()));
            assert_eq!(estimated["warnings"], placed["warnings"]);
            assert_explained(&estimated["data"]);
            assert_explained(&placed["data"]);
        }
        let found = world.post(SEARCH, json!({ "size": 100 })).await.json();
        assert_eq!(found["data"].as_array().unwrap().len(), requests().len());
        for order in found["data"].as_array().unwrap() {
            assert_explained(order);
            assert_eq!(order["currency"], *code);
        }
    }
}

#[actix_web::test]
async fn the_figures_are_those_of_the_price_lists() {
    for (code, total, label) in [
        // 2 tees, a mug; 3 units to America of 720 g; 2 backs and 2 oversize; 2 packings.
        ("USD", "36.01", "2.83"),
        ("JPY", "4999", "380"),
        ("KWD", "9.396", "0.77"),
    ] {
        let world = World::of(shop_of(code)).await;
        for (body, expected) in [(order("A-1"), total), (crate::common::label("L-1"), label)] {
            let estimate = world.post(ESTIMATE, body).await;
            assert!(
                estimate
                    .body
                    .contains(&format!("\"totalCost\":{expected},")),
                "{code}: {}",
                estimate.body
            );
        }
    }
}

#[actix_web::test]
async fn a_quote_stores_nothing() {
    let world = World::of(shop_of("USD")).await;
    for (path, request) in requests() {
        world.post(ESTIMATE, &request).await;
        world.post(path, dry(&request)).await;
    }
    assert_eq!(world.post(SEARCH, "{}").await.json()["data"], json!([]));
    let first = world.post(CREATE, order("Q-1")).await.json();
    assert_eq!(
        (&first["data"]["serviceOrderId"], &first["message"]),
        (&json!("DEMO-1"), &json!("OK"))
    );
    let before = world.post(SEARCH, "{}").await.json();
    let answer = world.post(CREATE, order("Q-1")).await;
    let quoted = world
        .post(UPDATE, dry(&update("Q-1", &answer, 9)))
        .await
        .json();
    assert_eq!(quoted["data"]["childDetails"][0]["quantity"], 9);
    assert_eq!(world.post(SEARCH, "{}").await.json(), before);
}

#[actix_web::test]
async fn a_dry_update_is_the_update_that_comes_next() {
    let world = World::of(shop_of("KWD")).await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut request = update("A-1", &created, 5);
    request["version"] = 1.into();
    request["production_note"] = "Fold".into();
    request["line_items"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "sku": "TEE-BLACK-M", "quantity": 1 }));
    let quoted = world.post(UPDATE, dry(&request)).await.json();
    let mut updated = world.post(UPDATE, &request).await.json();
    assert_eq!(updated["data"]["version"], 2);
    assert_explained(&quoted["data"]);
    assert_explained(&updated["data"]);
    // Of what the order has already the quote names the ids; the new item has none before it is
    // stored.
    assert_eq!(quoted["data"]["id"], created.json()["data"]["id"]);
    let new = updated["data"]["childDetails"][2]["id"].take();
    assert!(new.is_string());
    for line in updated["data"]["feeLines"].as_array_mut().unwrap() {
        if line["itemId"] == new {
            line["itemId"] = Value::Null;
        }
    }
    updated["data"]["dryRun"] = true.into();
    assert_eq!(quoted, updated);
    let stale = world.post(UPDATE, dry(&request)).await;
    assert_eq!(stale.code(), "version_conflict");
}

#[actix_web::test]
async fn a_quote_of_a_placed_request_is_the_order_that_is_there() {
    let world = World::of(shop_of("USD")).await;
    for (path, request) in [(CREATE, order("A-1")), (LABEL, label("L-1"))] {
        let mut placed = world.post(path, &request).await.json()["data"].clone();
        placed["dryRun"] = true.into();
        for quote in [
            world.post(ESTIMATE, &request).await,
            world.post(path, dry(&request)).await,
        ] {
            assert_eq!(quote.header("Idempotent-Replayed"), Some("true"));
            assert_eq!(quote.json()["message"], "Already exists");
            assert_eq!(quote.json()["data"], placed);
        }
        let mut other = request.clone();
        other["line_items"][0]["quantity"] = 3.into();
        for refused in [
            world.post(ESTIMATE, &other).await,
            world.post(path, dry(&other)).await,
        ] {
            assert_eq!(
                (refused.status.as_u16(), refused.code().as_str()),
                (409, "duplicate_order_id")
            );
            assert_eq!(refused.json()["existing"]["id"], placed["id"]);
            let differing = refused.listed("errors");
            assert_eq!(
                differing,
                [("line_items[0].quantity".to_owned(), "differs".to_owned())]
            );
        }
    }
    // The order of another kind.
    assert_eq!(
        world.post(ESTIMATE, order("L-1")).await.code(),
        "duplicate_order_id"
    );
    assert_eq!(
        world.post(ESTIMATE, label("A-1")).await.code(),
        "duplicate_order_id"
    );
}

#[actix_web::test]
async fn only_true_makes_a_dry_run_and_the_flag_is_no_part_of_the_request() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let all = [
        (CREATE, order("A-2")),
        (LABEL, label("L-2")),
        (UPDATE, update("A-1", &created, 9)),
        (ESTIMATE, order("A-2")),
    ];
    for (path, request) in &all {
        for wrong in [json!("yes"), json!(1), json!([true])] {
            let mut request = request.clone();
            request["dryRun"] = wrong;
            let refused = world.post(path, request).await;
            assert_eq!(
                (refused.status.as_u16(), refused.code().as_str()),
                (400, "validation_failed"),
                "{path}"
            );
            assert_eq!(
                refused.listed("errors"),
                [("dryRun".to_owned(), "wrong_type".to_owned())]
            );
        }
    }
    assert_eq!(
        world.post(SEARCH, "{}").await.json()["data"][0]["version"],
        1
    );
    for (id, flag) in [("B-1", json!(false)), ("B-2", json!(null))] {
        let mut request = order(id);
        request["dryRun"] = flag;
        let stored = world.post(CREATE, &request).await.json();
        assert!(
            stored["data"]["id"].is_string() && stored["data"].get("dryRun").is_none(),
            "{stored}"
        );
        assert!(stored.get("warnings").is_none(), "{stored}");
        assert_eq!(
            world.post(CREATE, order(id)).await.json()["message"],
            "Already exists"
        );
    }
    // An estimate stores nothing whatever the flag says.
    let mut request = order("B-4");
    request["dryRun"] = false.into();
    assert_eq!(
        world.post(ESTIMATE, request).await.json()["data"]["id"],
        Value::Null
    );
}

#[actix_web::test]
async fn the_warnings_of_the_catalog_are_errors_in_a_strict_store_for_quotes_too() {
    let mut request = order("A-1");
    request["line_items"] = json!([
        { "sku": "MUG-OLD", "quantity": 1 },
        { "sku": "MUG-11OZ", "quantity": 1, "shipClass": "Express" },
        { "sku": "TEE-BLACK-L", "quantity": 1 },
        { "sku": "TEE-BLACK-M", "quantity": 1, "shipClass": "Expres" }
    ]);
    let expected: Vec<(String, String)> = [
        ("line_items[0].sku", "retired_sku"),
        ("line_items[1].shipClass", "ship_class_not_offered"),
        ("line_items[2].sku", "unknown_sku"),
        ("line_items[3].shipClass", "unknown_ship_class"),
    ]
    .map(|(field, code)| (field.to_owned(), code.to_owned()))
    .into();
    let lenient = World::of(shop_of("USD")).await;
    let quote = lenient.post(ESTIMATE, &request).await;
    let incomplete = ("totalCost".to_owned(), "total_incomplete".to_owned());
    let mut warned = expected.clone();
    warned.push(incomplete);
    assert_eq!(quote.listed("warnings"), warned, "{}", quote.body);
    assert_eq!(quote.json()["data"]["priced"], false);
    assert!(
        quote.body.contains("did you mean `TEE-BLACK-M`?"),
        "{}",
        quote.body
    );
    let mut strict = shop_of("USD");
    strict.store.settings = StoreSettings {
        strict_catalog: true,
        ..StoreSettings::default()
    };
    let strict = World::of(strict).await;
    for (path, body) in [
        (ESTIMATE, request.clone()),
        (CREATE, dry(&request)),
        (CREATE, request.clone()),
    ] {
        let refused = strict.post(path, body).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (400, "validation_failed")
        );
        assert_eq!(refused.listed("errors"), expected, "{}", refused.body);
    }
    let mut elsewhere = order("A-2");
    elsewhere["shipping_address"] = json!({
        "name": "Jörg Müller", "address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country_code": "DE"
    });
    let unshippable = lenient.post(ESTIMATE, &elsewhere).await;
    assert_eq!(unshippable.json()["data"]["shippingFee"], Value::Null);
    assert!(
        unshippable
            .listed("warnings")
            .iter()
            .any(|(_, code)| code == "no_shipping_rate")
    );
    let refused = strict.post(ESTIMATE, &elsewhere).await;
    assert_eq!(refused.status, 400);
    assert!(
        refused
            .listed("errors")
            .iter()
            .all(|(_, code)| code == "no_shipping_rate"),
        "{}",
        refused.body
    );
}

#[actix_web::test]
async fn a_new_price_is_quoted_at_once_and_never_alters_what_is_stored() {
    let world = World::of(shop_of("USD")).await;
    let created = world.post(CREATE, order("A-1")).await;
    let price = ListPrice {
        store: Some(STORE.parse().unwrap()),
        sku: "TEE-BLACK-M".to_owned(),
        currency: Currency::USD,
        valid_from: Timestamp::from_millis(NOW + 60_000),
        amount: usd("7.10"),
    };
    world
        .catalog
        .set_prices(&[price], &ImportOptions::default())
        .await
        .unwrap();
    // The price is known, but does not hold yet.
    assert_eq!(
        world.post(ESTIMATE, order("A-2")).await.json()["data"]["productCost"],
        21.25
    );
    world.clock.advance(60_000);
    let quoted = world.post(ESTIMATE, order("A-2")).await.json();
    assert_eq!(quoted["data"]["productCost"], 18.45);
    assert_eq!(quoted["data"]["pricedAt"], "2024-06-08T03:50:12.905Z");
    let rule = &quoted["data"]["feeLines"][0]["rule"];
    assert!(
        rule.as_str().unwrap().contains("the store's price list"),
        "{rule}"
    );
    let stored = world.post(SEARCH, "{}").await.json();
    for member in ["feeLines", "pricedAt", "totalCost"] {
        assert_eq!(
            stored["data"][0][member],
            created.json()["data"][member],
            "{member}"
        );
    }
    let mut request = update("A-1", &created, 2);
    request["production_note"] = "with care".into();
    for body in [dry(&request), request] {
        let updated = world.post(UPDATE, body).await;
        assert_eq!(
            updated.listed("warnings"),
            [("totalCost".to_owned(), "repriced".to_owned())]
        );
        assert_eq!(updated.json()["data"]["productCost"], 18.45);
        assert_eq!(
            updated.json()["data"]["pricedAt"],
            "2024-06-08T03:50:12.905Z"
        );
    }
}

#[actix_web::test]
async fn a_catalog_changed_behind_a_remembered_price_is_quoted_as_it_is() {
    let shop = shop_of("USD");
    let mug = Variant {
        price: Some(usd("99.99")),
        ..shop.variants[1].clone()
    };
    let world = World::of(shop).await;
    // Now the price is remembered.
    let created = world.post(CREATE, order("A-1")).await;
    assert_eq!(
        created.json()["data"]["childDetails"][1]["sellerCost"],
        4.25
    );
    world
        .catalog
        .import(&[mug], &ImportOptions::default())
        .await
        .unwrap();
    let mut request = update("A-1", &created, 2);
    request["production_note"] = "with care".into();
    for quoted in [
        world.post(ESTIMATE, order("A-2")).await,
        world.post(CREATE, dry(&order("A-2"))).await,
        world.post(UPDATE, dry(&request)).await,
        world.post(CREATE, order("A-2")).await,
    ] {
        assert_eq!(
            quoted.json()["data"]["childDetails"][1]["sellerCost"],
            99.99,
            "{}",
            quoted.body
        );
    }
}
