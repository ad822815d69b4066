//! The worked example of docs/guides/pricing.md: the service must compute its tables from its
//! files.

use std::fs;

use serde_json::Value;

use crate::common::{Site, on_both_databases, workspace};

on_both_databases!(the_guide_shows_what_the_service_charges);

/// Returns the rows of the first table with `column` as its first header cell, without the header.
fn table(document: &str, column: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let lines = document
        .lines()
        .skip_while(|line| cells(line).first().is_none_or(|first| first != column));
    let rows: Vec<_> = lines
        .take_while(|line| line.starts_with('|'))
        .map(cells)
        .collect();
    [&rows[..1], &rows[2..]].concat()
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns an order's fee lines in the guide's form.
fn lines(order: &Value) -> Vec<Vec<String>> {
    let items = order["childDetails"].as_array().unwrap();
    let of = |line: &Value| {
        let item = line["itemIndex"]
            .as_u64()
            .and_then(|index| items.get(usize::try_from(index).unwrap()));
        let sku = item.map_or_else(String::new, |item| text(&item["sku"]));
        vec![
            text(&line["type"]),
            sku,
            text(&line["amount"]),
            text(&line["rule"]),
        ]
    };
    order["feeLines"]
        .as_array()
        .unwrap()
        .iter()
        .map(of)
        .collect()
}

fn the_guide_shows_what_the_service_charges(site: &Site) {
    let guides = workspace().join("docs/guides");
    let guide = fs::read_to_string(guides.join("pricing.md")).unwrap();
    let files = guides.join("pricing");
    for kind in ["catalog", "shipping", "fees"] {
        let file = files.join(kind).with_extension("csv");
        site.run(&[kind, "import", file.to_str().unwrap()]).ok();
        assert!(
            guide.contains(&format!(
                "pressline {kind} import docs/guides/pricing/{kind}.csv"
            )),
            "{kind}"
        );
    }
    let server = site.serve();
    let client = site.store(&server, &[]);
    let body: Value = serde_json::from_slice(&fs::read(files.join("order.json")).unwrap()).unwrap();

    let explained = table(&guide, "Type");
    let summed = table(&guide, "productCost");
    let (names, amounts) = (&summed[0], &summed[1]);
    let estimated = client.call("estimate", &body).order();
    let created = client.create(&body);
    let found = client.stored("worked-example");
    for (by, order) in [
        ("estimate", &estimated),
        ("create", &created),
        ("search", &found),
    ] {
        assert_eq!(lines(order), explained[1..], "{by}");
        for (name, amount) in names.iter().zip(amounts) {
            assert_eq!(text(&order[name]), *amount, "{by}, {name}");
        }
        assert!(
            order["handleFee"].is_null() && order["priced"] == true,
            "{by}"
        );
    }
}
