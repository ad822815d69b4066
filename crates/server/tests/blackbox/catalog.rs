//! Catalog files: changes by an import, refused files, and exports.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use serde_json::json;

use crate::common::{Site, assert_counts, item, on_both_databases, order, terminal};

on_both_databases!(
    an_import_adds_changes_and_retires,
    a_dry_run_reports_changes_without_making_them,
    all_bad_rows_are_reported_in_one_run,
    an_imported_export_exports_the_same,
    products_are_listed_and_searched,
    a_product_is_shown_with_its_prices_in_all_lists,
    suggestions_include_newly_imported_products,
    a_killed_import_changes_nothing
);

pub(crate) const SHOP: &str = "\
sku,product,product_name,name,options,price,currency,ship_classes,weight_g,state,area_id,area_name,size,note,size_width,size_height,requirement,require_for,extra_fee
HOODIE,,,\"A \"\"hooded\"\"
sweatshirt, grey — 注文\",,19.90,USD,,620,retired,main,Main,,,,,,,
TEE-L,TEE,Tee,\"Tee, L\",size=L|colour=black,8.75,USD,Standard|Express,185,active,front,Front,4500x5400px,\"PNG, 300 dpi\",4500,5400,,,
TEE-L,TEE,Tee,\"Tee, L\",size=L|colour=black,8.75,USD,Standard|Express,185,active,back,Back,,,,,optional,front|sleeve,4.00
TEE-M,TEE,Tee,\"Tee, M\",size=M|colour=black,8.75,USD,,170,active,main,Main,,,,,,,
YUKATA,,,Yukata,,1250,JPY,,,active,main,Main,,,,,,,
";

/// Returns a catalog file. `rows` are SKU and price.
fn products(rows: &[(&str, &str)]) -> String {
    let rows: String = rows
        .iter()
        .map(|(sku, price)| format!("{sku},The {sku},{price}\n"))
        .collect();
    format!("sku,name,price\n{rows}")
}

fn an_import_adds_changes_and_retires(site: &Site) {
    let first = products(&[("A", "1.00"), ("B", "2.00"), ("C", "3.00")]);
    assert_counts(&site.import("catalog", &first, &[]).json(), [3, 0, 0]);
    assert_counts(&site.import("catalog", &first, &[]).json(), [0, 0, 3]);
    // C is missing, and B has another price.
    let second = products(&[("A", "1.00"), ("B", "2.50"), ("D", "4.00")]);
    let done = site
        .import("catalog", &second, &["--retire-missing"])
        .json();
    assert_counts(&done, [1, 1, 1]);
    assert_eq!(
        (&done["retired"], &done["products"]),
        (&json!(1), &json!(3))
    );
    let shown = |sku: &str| site.run(&["--json", "catalog", "show", sku]).json();
    assert_eq!(
        (&shown("C")["state"], &shown("B")["price"]),
        (&json!("retired"), &json!("2.50"))
    );
    // A retired product that is imported again becomes active.
    assert_counts(&site.import("catalog", &first, &[]).json(), [0, 2, 1]);
    assert_eq!(shown("C")["state"], "active");
    assert_eq!(
        shown("D")["state"],
        "active",
        "nothing is retired that nobody asked for"
    );

    // An empty file must not retire everything.
    site.import("catalog", "sku,name\n", &["--retire-missing"])
        .fails(2, &["--retire-missing"]);
    assert_eq!(shown("A")["state"], "active");

    let server = site.serve();
    let client = site.store(&server, &[]);
    // A retired product can still be ordered, with a warning.
    site.import("catalog", &second, &["--retire-missing"]).ok();
    let mut body = order("retired");
    body["line_items"] = json!([item("C", 1, 0)]);
    let response = client.call("create", &body).ok();
    assert_eq!(response["data"]["productCost"], 3);
    assert_eq!(response["warnings"][0]["code"], "retired_sku", "{response}");
}

fn suggestions_include_newly_imported_products(site: &Site) {
    let server = site.serve();
    let client = site.store(&server, &[]);
    let warning = |order_id: &str| {
        let mut body = order(order_id);
        body["line_items"] = json!([item("HOODIE-BLU", 1, 0)]);
        let response = client.call("create", &body).ok();
        assert_eq!(response["warnings"][0]["code"], "unknown_sku", "{response}");
        response["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    site.import("catalog", &products(&[("HOODIE-RED", "1.00")]), &[])
        .ok();
    let before = warning("before");
    assert!(before.contains("`HOODIE-RED`"), "{before}");
    // Another process imports while the server caches the SKUs.
    site.import("catalog", &products(&[("HOODIE-BLUE", "1.00")]), &[])
        .ok();
    let after = warning("after");
    assert!(after.contains("`HOODIE-BLUE`"), "{after}");
}

fn a_dry_run_reports_changes_without_making_them(site: &Site) {
    site.import(
        "catalog",
        &products(&[("A", "1.00"), ("B", "2.00"), ("C", "3.00")]),
        &[],
    )
    .ok();
    let before = site.export("catalog");
    let file = site.file(
        "two.csv",
        products(&[("A", "1.00"), ("B", "2.50"), ("D", "4.00")]),
    );
    let arguments = [
        "catalog",
        "import",
        file.to_str().unwrap(),
        "--retire-missing",
        "--dry-run",
    ];
    let report = site.run(&arguments).ok().out;
    let summary = "3 products: 1 added, 1 changed, 1 unchanged, 1 retired. Nothing was changed: this was a dry run.\n";
    assert_eq!(report, summary, "rows come with --verbose only");
    let report = site
        .run(&[&["--json"], arguments.as_slice()].concat())
        .json();
    assert_eq!(
        (&report["dryRun"], report.get("changes")),
        (&json!(true), None)
    );
    site.run(&["catalog", "import", file.to_str().unwrap(), "--verbose"])
        .fails(2, &["--dry-run"]);
    let arguments = [arguments.as_slice(), &["--verbose"]].concat();
    let report = site.run(&arguments).ok().out;
    for line in [
        "~ B\n",
        "- C\n",
        "+ D\n",
        "3 products: 1 added, 1 changed, 1 unchanged, 1 retired",
        "dry run",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    let report = site
        .run(&[&["--json"], arguments.as_slice()].concat())
        .json();
    assert_counts(&report, [1, 1, 1]);
    let changes = json!([
        { "change": "changed", "sku": "B" },
        { "change": "retired", "sku": "C" },
        { "change": "added", "sku": "D" }
    ]);
    assert_eq!(
        (&report["dryRun"], &report["changes"]),
        (&json!(true), &changes)
    );
    assert_eq!(site.export("catalog"), before);
}

fn all_bad_rows_are_reported_in_one_run(site: &Site) {
    let mut text = products(&[("GOOD", "1.00")]);
    for row in 0..1000 {
        let _ = match row % 4 {
            0 => writeln!(text, "S-{row},Name,cheap"),
            1 => writeln!(text, ",Name,1.00"),
            2 => writeln!(text, "S-{row},,1.00"),
            _ => writeln!(text, "S-{row},Name,1.00,and more"),
        };
    }
    let ended = site.import_as("bad.csv", "catalog", &text, &[]);
    ended.fails(1, &["bad.csv: 1000 problems; nothing was imported"]);
    let message = ended.message();
    let lines: Vec<&str> = message.lines().skip(1).collect();
    assert_eq!((lines.len(), lines[100]), (101, "  and 900 more"));
    // Line 1 is the header, line 2 the valid row.
    for (number, line) in (3..).zip(&lines[..100]) {
        let column = ["sku", "name", "cells", "price"][number % 4];
        assert!(
            line.trim().starts_with(&format!("line {number}")) && line.contains(column),
            "{line}"
        );
    }
    assert_eq!(site.export("catalog").lines().count(), 1, "only the header");
}

fn an_imported_export_exports_the_same(site: &Site) {
    site.import("catalog", SHOP, &[]).ok();
    assert_eq!(site.export("catalog"), SHOP);
    for name in ["out.csv", "out.json"] {
        let file = site.folder().join(name);
        let file = file.to_str().unwrap();
        site.run(&["catalog", "export", file]).ok();
        let first = fs::read(file).unwrap();
        assert_counts(
            &site.run(&["--json", "catalog", "import", file]).json(),
            [0, 0, 4],
        );
        site.run(&["catalog", "export", file]).ok();
        assert!(fs::read(file).unwrap() == first, "{name}");
        assert_eq!(site.export("catalog"), SHOP);
    }
    assert_eq!(
        site.run(&["--json", "catalog", "export"])
            .json()
            .as_array()
            .unwrap()
            .len(),
        4
    );
    site.run(&["catalog", "export", "out.xlsx"])
        .fails(1, &[".csv", ".json"]);
    site.run(&["catalog", "export", "no/such/folder/out.csv"])
        .fails(1, &["no/such/folder/out.csv"]);
}

fn products_are_listed_and_searched(site: &Site) {
    assert_eq!(site.run(&["--json", "catalog", "list"]).json(), json!([]));
    site.import("catalog", SHOP, &[]).ok();
    let skus = |arguments: &[&str]| -> Vec<String> {
        let listed = site
            .run(&[&["--json", "catalog", "list"], arguments].concat())
            .json();
        listed
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["sku"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(skus(&[]), ["HOODIE", "TEE-L", "TEE-M", "YUKATA"]);
    assert_eq!(skus(&["--search", "tee BLA"]), ["TEE-L", "TEE-M"]);
    assert_eq!(
        skus(&["--search", "hooded"]),
        ["HOODIE"],
        "retired ones too"
    );
    assert!(skus(&["--search", "nothing"]).is_empty());
    let listed = site.run(&["catalog", "list"]).ok().out;
    for words in [
        "TEE-L   Tee, L, 8.75 USD",
        "YUKATA  Yukata, 1250 JPY",
        "19.90 USD (retired)",
    ] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
}

fn a_product_is_shown_with_its_prices_in_all_lists(site: &Site) {
    site.import("catalog", SHOP, &[]).ok();
    let made = site
        .run(&["--json", "store", "create", "--name", "Tee House"])
        .json();
    let prefix = made["prefix"].as_str().unwrap();
    let list = format!(
        "store,sku,price,valid_from\n,TEE-L,8.00,2026-01-01\n{prefix},TEE-L,7.50,2026-02-01\n,TEE-M,1,2026-01-01\n"
    );
    site.import("prices", &list, &[]).ok();
    let shown = site.run(&["--json", "catalog", "show", "TEE-L"]).json();
    assert_eq!(shown["options"], json!({ "size": "L", "colour": "black" }));
    assert_eq!(shown["areas"][1]["extraFee"], "4.00");
    let prices = json!([
        { "store": "", "price": "8.00", "currency": "USD", "validFrom": "2026-01-01" },
        { "store": prefix, "price": "7.50", "currency": "USD", "validFrom": "2026-02-01" }
    ]);
    assert_eq!(shown["prices"], prices);
    let shown = site.run(&["catalog", "show", "TEE-L"]).ok().out;
    for words in [
        "colour = black",
        "7.50 USD",
        prefix,
        "2026-02-01",
        "185 g",
        "back",
        "4500 x 5400",
        "Express",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    site.run(&["catalog", "show", "TEE-XL"])
        .fails(4, &["TEE-XL", "`TEE-L`"]);
}

/// Returns the number of finished rows in the last progress bar with the total `rows`.
fn rows_done(drawn: &str, rows: usize) -> Option<usize> {
    let total = format!("/{rows}");
    drawn.rsplit('\r').find_map(|bar| {
        bar.trim_end()
            .strip_suffix(&total)?
            .rsplit(' ')
            .next()?
            .parse()
            .ok()
    })
}

/// Reads the progress bar of an import of `rows` rows until the import has begun to write: the
/// first half of the bar is the comparison. Returns the number of finished rows.
fn wait_until_it_writes(mut screen: File, rows: usize) -> usize {
    let mut shown = Vec::new();
    let mut buffer = [0; 256];
    loop {
        let length = screen.read(&mut buffer).unwrap();
        assert!(length > 0, "it ended: {}", String::from_utf8_lossy(&shown));
        shown.extend_from_slice(&buffer[..length]);
        let done = rows_done(&String::from_utf8_lossy(&shown), rows);
        if let Some(done) = done.filter(|done| *done > rows / 2) {
            return done;
        }
    }
}

fn a_killed_import_changes_nothing(site: &Site) {
    // So many rows that the import can be killed while it writes.
    const ROWS: usize = 20_000;
    let few = products(&[("A", "1.00"), ("SKU-000000", "2.00")]);
    site.import("catalog", &few, &[]).ok();
    let before = site.export("catalog");
    let mut text = "sku,name,price\n".to_owned();
    for row in 0..ROWS {
        let _ = writeln!(text, "SKU-{row:06},\"Product {row}, as many others\",7.25");
    }
    let file = site.file("many.csv", text);

    let (screen, program) = terminal();
    let mut command = site.command();
    command
        .args(["catalog", "import", file.to_str().unwrap()])
        // A progress bar is drawn only on a capable terminal.
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(program);
    let mut process = command.spawn().unwrap();
    // The command also holds the program's end of the terminal: while it is open, reading the
    // screen never ends.
    drop(command);
    let done = wait_until_it_writes(screen, ROWS);
    process.kill().unwrap();
    let ended = process.wait().unwrap();
    assert_eq!(
        ended.signal(),
        Some(9),
        "it had not ended by itself: {ended}"
    );
    assert!(ROWS / 2 < done && done < ROWS, "{done}");

    assert_eq!(site.export("catalog"), before);
    // The killed import left no lock for the next import to wait for.
    let again = products(&[("A", "1.00"), ("B", "2.00")]);
    let report = site.import("catalog", &again, &[]).json();
    assert_counts(&report, [1, 0, 1]);
}
