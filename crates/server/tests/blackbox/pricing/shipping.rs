//! Zones and shipping rates.

use serde_json::{Value, json};

use super::{RATES, assert_lists, mugs_to, remove};
use crate::common::{Client, Site, item, on_both_databases, order};

on_both_databases!(
    an_import_replaces_the_rates_and_an_export_returns_them,
    imported_rates_decide_the_shipping_fee,
    a_place_without_a_rate_has_no_shipping_fee,
    removing_the_rates_restores_the_default_rates,
    each_bad_rate_is_reported,
    money_follows_the_currency_of_the_store
);

/// A shipping rate of a new database.
const FIRST_RATE: &str = "everywhere,*,Standard,USD,4.99,1.50,,";

#[track_caller]
fn shipping(client: &Client, order_id: &str, quantity: u32, province: &str) -> Value {
    client.create(&mugs_to(province, order_id, quantity))["shippingFee"].clone()
}

fn an_import_replaces_the_rates_and_an_export_returns_them(site: &Site) {
    let first = site.export("shipping");
    assert!(first.contains(&format!("{FIRST_RATE}\n")), "{first}");

    let report = site
        .import("shipping", RATES, &["--dry-run", "--verbose"])
        .json();
    assert_eq!(
        (&report["changed"], &report["dryRun"]),
        (&json!(true), &json!(true))
    );
    assert_lists(&report, "+ Rest,*,Express,USD,11.00,2.50,,");
    assert_lists(&report, &format!("- {FIRST_RATE}"));
    assert_eq!(site.export("shipping"), first);

    let report = site.import("shipping", RATES, &[]).json();
    assert_eq!(report, json!({ "zones": 2, "rates": 3, "changed": true }));
    assert_eq!(site.export("shipping"), RATES);

    let json = site.run(&["--json", "shipping", "export"]).ok().out;
    for same in [RATES, &json] {
        assert_eq!(site.import("shipping", same, &[]).json()["changed"], false);
    }
}

fn imported_rates_decide_the_shipping_fee(site: &Site) {
    let (_server, client) = site.open();
    // 4.99 + 1.50.
    assert_eq!(shipping(&client, "first", 2, "US-HI"), json!(6.49));

    site.import("shipping", RATES, &[]).ok();
    // 4.00 + 2 x 1.00, and 9.00 + 2 x 2.00.
    assert_eq!(shipping(&client, "rest", 3, "US-CA"), json!(6));
    assert_eq!(shipping(&client, "islands", 3, "US-HI"), json!(13));

    // A mug weighs 340 g. Steps: 3.50 from 1,000 g, 8.00 from 3,000 g.
    let weights = "sku,name,price,weight_g\nMUG-11,\"Mug, 11 oz\",5.20,340\n";
    site.import("catalog", weights, &[]).ok();
    for (order_id, quantity, fee, why) in [
        ("heavy", 3, json!(16.5), "1020 g"),
        ("not-heavy", 2, json!(11), "680 g"),
        ("free", 12, json!(0), "62.40 USD of products"),
    ] {
        assert_eq!(shipping(&client, order_id, quantity, "US-HI"), fee, "{why}");
    }
}

fn a_place_without_a_rate_has_no_shipping_fee(site: &Site) {
    let (_server, client) = site.open();
    let rates =
        "zone,places,ship_class,currency,first_unit,further_unit\nOnly,US-HI,Standard,USD,1,1\n";
    site.import("shipping", rates, &[]).ok();

    let response = client.call("create", &mugs_to("US-CA", "nowhere", 1)).ok();
    assert_eq!(response["data"]["shippingFee"], Value::Null);
    let codes: Vec<&Value> = response["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| &warning["code"])
        .collect();
    assert!(codes.contains(&&json!("no_shipping_rate")), "{response}");
}

fn removing_the_rates_restores_the_default_rates(site: &Site) {
    let (_server, client) = site.open();
    let first = site.export("shipping");
    site.import("shipping", RATES, &[]).ok();
    // An empty file is more likely a mistake than a wish to remove all rates.
    let empty = "zone,places,ship_class,first_unit,further_unit\n";
    site.import("shipping", empty, &[]).fails(2, &["no rates"]);
    assert_eq!(site.export("shipping"), RATES);

    assert_eq!(remove(site, &["shipping", "remove"]), true);
    assert_eq!(site.export("shipping"), first);
    assert_eq!(shipping(&client, "removed", 2, "US-HI"), json!(6.49));
    assert_eq!(remove(site, &["shipping", "remove"]), false);
}

fn each_bad_rate_is_reported(site: &Site) {
    let bad = "zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from\n\
        A,US-XX,Standard,USD,1,1,,\nB,*|US,Standard,USD,1,1,,\nC,CA,Standard,JPY,1.5,1,,\n\
        D,MX,Standard,USD,1,1,2000:1|1000:2,\nE,FR,Standard,USD,1,1,,\nE,DE,Express,USD,1,1,,\n\
        E,FR,Standard,USD,2,1,,\n";
    site.import("shipping", bad, &[]).fails(
        1,
        &[
            "6 problems; nothing was imported",
            "line 2, places",
            "line 3, places",
            "line 4, first_unit",
            "line 5, weight_steps",
            "line 7, places: zone `E` has other places in line 6",
            "line 8, ship_class",
        ],
    );
    assert!(site.export("shipping").contains("everywhere"));
}

fn money_follows_the_currency_of_the_store(site: &Site) {
    let catalog = "sku,name,price,currency,area_id,area_name,extra_fee\n\
        YEN,Yukata,1250,JPY,front,Front,300\nDINAR,Dishdasha,2.125,KWD,front,Front,0.375\n";
    site.import("catalog", catalog, &[]).ok();
    let rates = "zone,places,ship_class,currency,first_unit,further_unit\n\
        All,*,Standard,JPY,800,120\nAll,*,Standard,KWD,1.505,0.25\n";
    site.import("shipping", rates, &[]).ok();
    let server = site.serve();
    // The yen has no decimals, the Kuwaiti dinar three.
    for (currency, sku, expected) in [
        ("JPY", "YEN", [2500.0, 600.0, 920.0, 4020.0]),
        ("KWD", "DINAR", [4.25, 0.75, 1.755, 6.755]),
    ] {
        let client = site.store(&server, &["--currency", currency]);
        let mut body = order("one");
        body["line_items"] = json!([item(sku, 2, 1)]);
        let made = client.create(&body);
        let fees = ["productCost", "surchargeFee", "shippingFee", "totalCost"]
            .map(|fee| made[fee].as_f64().unwrap());
        assert_eq!(
            (made["currency"].as_str(), fees),
            (Some(currency), expected),
            "{made}"
        );
    }
}
