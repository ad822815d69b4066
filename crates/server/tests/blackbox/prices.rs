//! Price lists as files: what they decide, and what an import refuses.

use serde_json::json;

use crate::catalog::{assert_counts, export, import};
use crate::common::{Site, item, on_both_databases, order};

on_both_databases!(
    price_lists_decide_what_an_order_costs,
    price_lists_are_checked_row_by_row
);

#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
fn price_lists_decide_what_an_order_costs(site: &Site) {
    let (server, client) = site.open();
    let shown = site.run(&["--json", "store", "show", &client.store]).json();
    let prefix = shown["prefix"].as_str().unwrap();
    let cost = |order_id: &str| {
        let mut body = order(order_id);
        body["line_items"] = json!([item("MUG-11", 2, 0)]);
        client.create(&body)["productCost"].clone()
    };
    assert_eq!(cost("by-the-catalog"), json!(10.4));
    let list = |rows: &str| format!("store,sku,price,currency,valid_from\n{rows}");
    let service =
        ",MUG-11,5.00,USD,2020-01-01\n,MUG-11,4.90,USD,2021-01-01\n,MUG-11,1.00,USD,2100-01-01\n";
    assert_counts(
        &import(site, "prices", "p.csv", &list(service), &[]).json(),
        [3, 0, 0],
    );
    assert_eq!(cost("by-the-service"), json!(9.8));
    let own = format!(
        "{prefix},MUG-11,4.00,USD,2020-06-01\n{},MUG-11,9,USD,2100-01-01\n",
        client.store
    );
    import(site, "prices", "p.csv", &list(&own), &["--dry-run"]).ok();
    assert_eq!(cost("still-by-the-service"), json!(9.8));
    import(site, "prices", "p.csv", &list(&own), &[]).ok();
    assert_eq!(cost("by-the-store"), json!(8));
    // Another store has no part in it.
    let other = site.store(&server, &[]);
    let mut body = order("another's");
    body["line_items"] = json!([item("MUG-11", 2, 0)]);
    assert_eq!(other.create(&body)["productCost"], 9.8);

    let all = list(&format!(
        "{service}{prefix},MUG-11,4.00,USD,2020-06-01\n{prefix},MUG-11,9.00,USD,2100-01-01\n"
    ));
    assert_eq!(export(site, "prices"), all);
    assert_counts(
        &import(site, "prices", "all.csv", &all, &["--replace"]).json(),
        [0, 0, 5],
    );
    let json = site.run(&["--json", "prices", "export"]).ok().out;
    assert_counts(
        &import(site, "prices", "all.json", &json, &["--replace"]).json(),
        [0, 0, 5],
    );
    let less = list(&format!("{prefix},MUG-11,4.50,USD,2020-06-01\n"));
    let told = import(
        site,
        "prices",
        "less.csv",
        &less,
        &["--dry-run", "--verbose"],
    )
    .json();
    let changed = [("-", "4.00"), ("+", "4.50")]
        .map(|(sign, price)| format!("{sign} {prefix},MUG-11,{price},USD,2020-06-01"));
    assert_eq!(told["changes"], json!(changed));
    let file = site.file("less.csv", &less);
    let told = site
        .run(&[
            "prices",
            "import",
            file.to_str().unwrap(),
            "--replace",
            "--dry-run",
            "--verbose",
        ])
        .ok()
        .out;
    let lines: Vec<&str> = told.lines().collect();
    let removed = format!("- {prefix},MUG-11,9.00,USD,2100-01-01");
    assert_eq!(
        lines[..3],
        [changed[0].as_str(), &removed, &changed[1]],
        "{told}"
    );
    assert!(
        lines[3].starts_with("1 prices: 0 added, 1 changed"),
        "{told}"
    );
    let told = import(site, "prices", "less.csv", &less, &["--replace"]).json();
    assert_counts(&told, [0, 1, 0]);
    assert_eq!(told["removed"], 1);
    assert_eq!(
        export(site, "prices"),
        list(&format!("{service}{prefix},MUG-11,4.50,USD,2020-06-01\n"))
    );
    assert_eq!(cost("by-the-store-again"), json!(9));
    assert_eq!(
        client.stored("by-the-store")["productCost"],
        8,
        "what is stored stays"
    );
}

fn price_lists_are_checked_row_by_row(site: &Site) {
    site.import_catalog();
    let made = site
        .run(&[
            "--json",
            "store",
            "create",
            "--name",
            "Tokyo",
            "--currency",
            "JPY",
        ])
        .json();
    let tokyo = made["prefix"].as_str().unwrap();
    let list = |rows: &str| format!("store,sku,price,currency,valid_from\n{rows}");
    let bad = format!(
        "{tokyo},MUG-11,5.00,USD,2026-01-01\n{tokyo},MUG-11,500.5,JPY,2026-01-01\n{tokyo},MUG-12,500,JPY,2026-01-01\n\
         NOBODY,MUG-11,5,USD,2026-01-01\n,MUG-11,5,USD,yesterday\n,MUG-11,1.2345,KWD,2026-01-01\n\
         ,TEE-M,1,USD,2026-01-01\n,TEE-M,1,USD,2026-01-01T00:00:00Z\n"
    );
    let ended = import(site, "prices", "bad.csv", &list(&bad), &[]);
    ended.fails(
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
    assert_eq!(export(site, "prices").lines().count(), 1, "only the header");
    let good =
        format!(",MUG-11,1.234,KWD,2026-01-01\n{tokyo},MUG-11,500,JPY,2026-01-01T12:30:00.000Z\n");
    import(site, "prices", "good.csv", &list(&good), &[]).ok();
    assert_eq!(export(site, "prices"), list(&good));
}
