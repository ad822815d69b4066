//! Price lists.

use serde_json::{Value, json};

use super::mugs;
use crate::common::{Client, Site, assert_counts, on_both_databases};

on_both_databases!(
    price_lists_decide_the_cost_of_an_order,
    an_imported_export_changes_nothing,
    a_replacing_import_removes_the_other_prices_of_its_lists,
    each_bad_price_is_reported
);

/// The service's price list: an expired price, the current price, and a future price.
const SERVICE: &str =
    ",MUG-11,5.00,USD,2020-01-01\n,MUG-11,4.90,USD,2021-01-01\n,MUG-11,1.00,USD,2100-01-01\n";

/// Returns a store's price list: the current price and a future price.
fn own_list(prefix: &str) -> String {
    format!("{prefix},MUG-11,4.00,USD,2020-06-01\n{prefix},MUG-11,9.00,USD,2100-01-01\n")
}

fn list(rows: &str) -> String {
    format!("store,sku,price,currency,valid_from\n{rows}")
}

/// Creates an order of two mugs and returns the cost of its products.
#[track_caller]
fn cost(client: &Client, order_id: &str) -> Value {
    client.create(&mugs(order_id, 2))["productCost"].clone()
}

fn price_lists_decide_the_cost_of_an_order(site: &Site) {
    let (server, client) = site.open();
    assert_eq!(cost(&client, "by-the-catalog"), json!(10.4));

    let report = site.import("prices", &list(SERVICE), &[]).json();
    assert_counts(&report, [3, 0, 0]);
    assert_eq!(cost(&client, "by-the-service"), json!(9.8));

    // A file may name a store by its prefix or by its id.
    let own = list(&format!(
        "{},MUG-11,4.00,USD,2020-06-01\n{},MUG-11,9,USD,2100-01-01\n",
        site.prefix(&client.store),
        client.store
    ));
    site.import("prices", &own, &["--dry-run"]).ok();
    assert_eq!(cost(&client, "still-by-the-service"), json!(9.8));
    site.import("prices", &own, &[]).ok();
    assert_eq!(cost(&client, "by-the-store"), json!(8));
    let other = site.store(&server, &[]);
    assert_eq!(cost(&other, "another's"), json!(9.8));
}

fn an_imported_export_changes_nothing(site: &Site) {
    let (_server, client) = site.open();
    let own = own_list(&site.prefix(&client.store));
    let all = list(&format!("{SERVICE}{own}"));
    site.import("prices", &all, &[]).ok();
    assert_eq!(site.export("prices"), all);

    let json = site.run(&["--json", "prices", "export"]).ok().out;
    for same in [all, json] {
        let report = site.import("prices", &same, &["--replace"]).json();
        assert_counts(&report, [0, 0, 5]);
    }
}

fn a_replacing_import_removes_the_other_prices_of_its_lists(site: &Site) {
    let (_server, client) = site.open();
    let prefix = site.prefix(&client.store);
    let all = list(&format!("{SERVICE}{}", own_list(&prefix)));
    site.import("prices", &all, &[]).ok();
    assert_eq!(cost(&client, "before"), json!(8));
    let row = format!("{prefix},MUG-11,4.50,USD,2020-06-01");
    let less = list(&format!("{row}\n"));

    // Without `--replace` the future price remains.
    let options = ["--dry-run", "--verbose"];
    let report = site.import("prices", &less, &options).json();
    let before = format!("- {prefix},MUG-11,4.00,USD,2020-06-01");
    let after = format!("+ {row}");
    assert_eq!(report["changes"], json!([before, after]));

    let file = site.file("less.csv", &less);
    let arguments = ["prices", "import", file.to_str().unwrap(), "--replace"];
    let text = site.run(&[&arguments[..], &options].concat()).ok().out;
    let lines: Vec<&str> = text.lines().collect();
    let removed = format!("- {prefix},MUG-11,9.00,USD,2100-01-01");
    assert_eq!(lines[..3], [&before, &removed, &after], "{text}");
    assert!(
        lines[3].starts_with("1 prices: 0 added, 1 changed"),
        "{text}"
    );

    let report = site.import("prices", &less, &["--replace"]).json();
    assert_counts(&report, [0, 1, 0]);
    assert_eq!(report["removed"], 1);
    assert_eq!(site.export("prices"), list(&format!("{SERVICE}{row}\n")));
    assert_eq!(cost(&client, "after"), json!(9));
    // An order keeps the prices that it was stored with.
    assert_eq!(client.stored("before")["productCost"], 8);
}

fn each_bad_price_is_reported(site: &Site) {
    site.import_catalog();
    let create = ["--json", "store", "create", "--name", "Tokyo"];
    let made = site
        .run(&[&create[..], &["--currency", "JPY"]].concat())
        .json();
    let tokyo = made["prefix"].as_str().unwrap();
    let bad = format!(
        "{tokyo},MUG-11,5.00,USD,2026-01-01\n{tokyo},MUG-11,500.5,JPY,2026-01-01\n{tokyo},MUG-12,500,JPY,2026-01-01\n\
         NOBODY,MUG-11,5,USD,2026-01-01\n,MUG-11,5,USD,yesterday\n,MUG-11,1.2345,KWD,2026-01-01\n\
         ,TEE-M,1,USD,2026-01-01\n,TEE-M,1,USD,2026-01-01T00:00:00Z\n"
    );
    let finished = site.import_as("bad.csv", "prices", &list(&bad), &[]);
    finished.fails(
        1,
        &[
            "bad.csv: 7 problems; nothing was imported",
            "line 2, currency: USD, and store",
            "line 3, price: more than 0 decimals",
            "line 4, sku: `MUG-12` is not in the catalog; did you mean `MUG-11`?",
            "line 5, store: `NOBODY`",
            "line 6, valid_from: `yesterday`",
            "line 7, price: more than 3 decimals",
            "line 9, sku:",
        ],
    );
    assert_eq!(site.export("prices").lines().count(), 1, "only the header");

    let good =
        format!(",MUG-11,1.234,KWD,2026-01-01\n{tokyo},MUG-11,500,JPY,2026-01-01T12:30:00.000Z\n");
    site.import("prices", &list(&good), &[]).ok();
    assert_eq!(site.export("prices"), list(&good));
}
