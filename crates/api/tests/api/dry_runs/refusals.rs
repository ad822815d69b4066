//! Refused dry-run flags and refused items.

use serde_json::{Value, json};

use super::dry;
use super::shop::shop_of;
use crate::common::*;

#[actix_web::test]
async fn only_true_makes_a_dry_run_and_the_flag_does_not_distinguish_requests() {
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
            assert_eq!(refused.refusal(), "400 validation_failed", "{path}");
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
    // An estimate stores nothing, whatever `dryRun` says.
    let mut request = order("B-4");
    request["dryRun"] = false.into();
    assert_eq!(
        world.post(ESTIMATE, request).await.json()["data"]["id"],
        Value::Null
    );
}

fn german_address() -> Value {
    json!({
        "name": "Jörg Müller", "address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country_code": "DE"
    })
}

/// Items with a catalog finding each, and the expected field and code.
fn odd_items() -> (Value, [(&'static str, &'static str); 4]) {
    let items = json!([
        { "sku": "MUG-OLD", "quantity": 1 },
        { "sku": "MUG-11OZ-WHITE", "quantity": 1, "shipClass": "Express" },
        { "sku": "TEE-UNISEX-BLACK-L", "quantity": 1 },
        { "sku": "TEE-UNISEX-BLACK-M", "quantity": 1, "shipClass": "Expres" }
    ]);
    let findings = [
        ("line_items[0].sku", "retired_sku"),
        ("line_items[1].shipClass", "ship_class_not_offered"),
        ("line_items[2].sku", "unknown_sku"),
        ("line_items[3].shipClass", "unknown_ship_class"),
    ];
    (items, findings)
}

#[actix_web::test]
async fn strict_stores_turn_catalog_warnings_into_errors_in_estimates_too() {
    let (items, findings) = odd_items();
    let findings = findings.map(|(field, code)| (field.to_owned(), code.to_owned()));
    let mut request = order("A-1");
    request["line_items"] = items;
    let lenient = World::from_shop(shop_of("USD")).await;
    let mut strict = shop_of("USD");
    strict.store.settings.strict_catalog = true;
    let strict = World::from_shop(strict).await;

    let dry_run = lenient.post(ESTIMATE, &request).await;
    let incomplete = ("totalCost".to_owned(), "total_incomplete".to_owned());
    let warned = [&findings[..], &[incomplete]].concat();
    assert_eq!(dry_run.listed("warnings"), warned, "{}", dry_run.body);
    assert_eq!(dry_run.json()["data"]["priced"], false);
    assert!(
        dry_run.body.contains("did you mean `TEE-UNISEX-BLACK-M`?"),
        "{}",
        dry_run.body
    );
    for (path, body) in [
        (ESTIMATE, request.clone()),
        (CREATE, dry(&request)),
        (CREATE, request.clone()),
    ] {
        let refused = strict.post(path, body).await;
        assert_eq!(refused.refusal(), "400 validation_failed");
        assert_eq!(refused.listed("errors"), findings, "{}", refused.body);
    }

    let mut elsewhere = order("A-2");
    elsewhere["shipping_address"] = german_address();
    let has_no_rate = |(_, code): &(String, String)| code == "no_shipping_rate";
    let unshippable = lenient.post(ESTIMATE, &elsewhere).await;
    assert_eq!(unshippable.json()["data"]["shippingFee"], Value::Null);
    assert!(unshippable.listed("warnings").iter().any(has_no_rate));
    let refused = strict.post(ESTIMATE, &elsewhere).await;
    assert_eq!(refused.status, 400);
    assert!(
        refused.listed("errors").iter().all(has_no_rate),
        "{}",
        refused.body
    );
}
