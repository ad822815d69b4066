//! Imports and exports of all kinds: an export can be imported, also through pipes, and files that
//! are too large are refused.

use std::fs::{self, File};
use std::process::Stdio;

use serde_json::json;

use crate::catalog::SHOP;
use crate::common::{Finished, Site, assert_counts, on_both_databases};

on_both_databases!(
    imports_that_name_a_product_differently_can_be_exported_and_imported,
    data_of_changed_stores_and_removed_zones_can_be_exported_and_imported,
    files_come_from_standard_input_and_go_to_standard_output,
    too_large_files_are_refused_unread,
    file_content_cannot_control_the_terminal,
    an_import_waits_for_the_previous_import
);

/// Exports all data of `kind` as CSV and as JSON. Importing the files must change nothing.
#[track_caller]
fn assert_round_trip(site: &Site, kind: &str) {
    for name in ["trip.csv", "trip.json"] {
        let file = site.folder().join(name);
        let file = file.to_str().unwrap();
        site.run(&[kind, "export", file]).ok();
        let exported = fs::read(file).unwrap();
        let report = site.run(&["--json", kind, "import", file]).json();
        match kind {
            "shipping" => assert_eq!(report["changed"], false, "{report}"),
            _ => {
                assert_eq!(
                    (&report["changed"], report["added"].as_u64().unwrap_or(0)),
                    (&json!(0), 0),
                    "{report}"
                )
            }
        }
        site.run(&[kind, "export", file]).ok();
        assert!(fs::read(file).unwrap() == exported, "{name}");
    }
}

fn imports_that_name_a_product_differently_can_be_exported_and_imported(site: &Site) {
    let tee = |sku: &str, name: &str| {
        format!("sku,product,product_name,name\n{sku},TEE,{name},\"Tee, {sku}\"\n")
    };
    site.import("catalog", &tee("M", "Tee"), &[]).ok();
    // The second import renames the product.
    assert_counts(
        &site.import("catalog", &tee("L", "T-shirt"), &[]).json(),
        [1, 1, 0],
    );
    // Without a name in the file, the product keeps its name.
    assert_counts(
        &site.import("catalog", &tee("S", ""), &[]).json(),
        [1, 0, 0],
    );
    assert_eq!(site.export("catalog").matches(",TEE,T-shirt,").count(), 3);
    assert_round_trip(site, "catalog");
    // Three variants exist already; the limit is 1,000.
    let many: String = (0..997).map(|n| format!("{n},TEE,x\n")).collect();
    let many = |more: &str| format!("sku,product,name\n{many}{more}");
    site.import("catalog", &many("more,TEE,x\n"), &["--dry-run"])
        .fails(
            1,
            &["product `TEE` would have 1001 variants that are not retired, and may have 1000"],
        );
    site.import("catalog", &many(""), &[]).ok();
    assert_round_trip(site, "catalog");
}

fn data_of_changed_stores_and_removed_zones_can_be_exported_and_imported(site: &Site) {
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
    let (prefix, id) = (
        made["prefix"].as_str().unwrap(),
        made["storeId"].as_str().unwrap(),
    );
    let zones = "zone,places,ship_class,first_unit,further_unit\nNear,US,Standard,5,1\nFar,*,Standard,9,2\n";
    site.import("shipping", zones, &[]).ok();
    let list = format!("store,sku,price,valid_from\n{prefix},MUG-11,500,2026-01-01\n");
    site.import("prices", &list, &[]).ok();
    // The export includes the service's fee schedule, which every database has.
    let service = ",Label handling,handling,2.50,order,\n";
    let rule =
        format!("store,name,fee,amount,per,zones\n{service}{prefix},Remote,other,300,order,Far\n");
    site.import("fees", &rule, &[]).ok();

    // Prices and fees stay, although their currency and zone are gone.
    site.run(&["store", "set", id, "--currency", "KRW"]).ok();
    let zones = zones.replace("Far", "Elsewhere");
    site.import("shipping", &zones, &[]).ok();
    for kind in ["prices", "shipping", "fees"] {
        assert_round_trip(site, kind);
    }
    let report = site.import("fees", &site.export("fees"), &[]).ok();
    assert!(
        report
            .err
            .contains("zones that the shipping rates do not have: Far"),
        "{report:?}"
    );
    // Wrong currencies and zones are still refused.
    let wrong = list
        .replace("price,", "price,currency,")
        .replace("500,", "500,EUR,");
    site.import("prices", &wrong, &[])
        .fails(1, &["line 2, currency: EUR, and store"]);
    site.import("fees", &rule.replace("Far", "Fär"), &[])
        .fails(1, &["line 3, zones: `Fär`"]);
}

fn files_come_from_standard_input_and_go_to_standard_output(site: &Site) {
    let piped = |arguments: &[&str], content: &str| -> Finished {
        let file = site.file("piped", content);
        let mut command = site.command();
        command
            .args(arguments)
            .stdin(Stdio::from(File::open(file).unwrap()));
        command.output().unwrap().into()
    };
    let report = piped(
        &["--json", "catalog", "import", "-", "--format", "csv"],
        SHOP,
    )
    .json();
    assert_counts(&report, [4, 0, 0]);
    assert_eq!(
        site.run(&["catalog", "export", "-", "--format", "csv"])
            .ok()
            .out,
        SHOP
    );
    let json = site
        .run(&["catalog", "export", "-", "--format", "json"])
        .ok()
        .out;
    assert_eq!(json, site.run(&["--json", "catalog", "export"]).ok().out);
    assert_counts(
        &piped(
            &["--json", "catalog", "import", "-", "--format", "json"],
            &json,
        )
        .json(),
        [0, 0, 4],
    );
    piped(
        &["catalog", "import", "-", "--format", "csv"],
        "sku;nam\nA;Mug\n",
    )
    .fails(
        1,
        &[
            "standard input: 2 problems;",
            "not a known column; did you mean `name`? (columns: sku, product, ",
        ],
    );
    // The `--format` option takes precedence over the file's extension.
    let file = site.file("catalog.txt", SHOP);
    let file = file.to_str().unwrap();
    assert_counts(
        &site
            .run(&["--json", "catalog", "import", file, "--format", "csv"])
            .json(),
        [0, 0, 4],
    );
    site.run(&["catalog", "import", file])
        .fails(1, &["catalog.txt: add --format csv or --format json"]);
    for arguments in [["catalog", "import", "-"], ["catalog", "export", "-"]] {
        site.run(&arguments).fails(2, &["--format"]);
    }
}

fn too_large_files_are_refused_unread(site: &Site) {
    const LIMIT: u64 = 256 * 1024 * 1024;
    // A sparse file needs no disk space.
    let path = site.file("large.csv", "sku,name\n");
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(LIMIT + 1)
        .unwrap();
    site.run(&["catalog", "import", path.to_str().unwrap()])
        .fails(1, &["large.csv: larger than 256 MiB"]);
    // A file of unknown length.
    site.run(&["catalog", "import", "/dev/zero", "--format", "csv"])
        .fails(1, &["/dev/zero: larger than 256 MiB"]);
    let mut command = site.command();
    command
        .args(["catalog", "import", "-", "--format", "json"])
        .stdin(Stdio::from(File::open(path).unwrap()));
    Finished::from(command.output().unwrap()).fails(1, &["standard input: larger than 256 MiB"]);
    let folder = site.folder().to_str().unwrap().to_owned();
    site.run(&["catalog", "import", &folder, "--format", "csv"])
        .fails(1, &["cannot be read"]);
}

/// Programs that import at the same time do not interfere. Tests of the stores check how long an
/// import waits.
fn an_import_waits_for_the_previous_import(site: &Site) {
    const ROWS: usize = 2_000;
    // Creates the database and its tables.
    site.import("catalog", "sku,name\nSKU-000000,Mug\n", &[])
        .ok();
    let rows = |name: &str| -> String {
        (0..ROWS)
            .map(|row| format!("SKU-{row:06},\"{name} {row}, as many others\",7.25\n"))
            .collect()
    };
    let imports: Vec<_> = ["One", "Two", "Three", "Four"]
        .map(|name| {
            let file = site.file(
                &format!("{name}.csv"),
                format!("sku,name,price\n{}", rows(name)),
            );
            let mut command = site.command();
            command.args(["--json", "catalog", "import", file.to_str().unwrap()]);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .into();
    let mut written = 0;
    for import in imports {
        let report = Finished::from(import.wait_with_output().unwrap()).json();
        written += report["added"].as_u64().unwrap() + report["changed"].as_u64().unwrap();
    }
    assert_eq!(
        written,
        4 * ROWS as u64,
        "each changes what the one before it wrote"
    );
    assert_eq!(site.export("catalog").lines().count(), ROWS + 1);
}

fn file_content_cannot_control_the_terminal(site: &Site) {
    let evil = "\u{1b}[2J\u{202e}\u{9b}";
    let ended = site.import("catalog", &format!("sku,name\nA,{evil}\n{evil},\n"), &[]);
    ended.fails(
        1,
        &["line 2, name: contains the control character \\u{1b}; remove it"],
    );
    let steers = |text: &str| text.contains(['\u{1b}', '\u{202e}', '\u{9b}']);
    assert!(!steers(&ended.err), "{ended:?}");
    // Stored names may contain invisible and control characters, but the output contains none of
    // them.
    let name = "Mug\u{202e}\u{200b}\nA  Another";
    site.import("catalog", &format!("sku,name\nA,\"{name}\"\n"), &[])
        .ok();
    let listed = site.run(&["catalog", "list"]).ok().out;
    assert_eq!(
        listed,
        "A  Mug\\u{202e}\\u{200b}\\u{a}A  Another, no price\n"
    );
    assert!(!steers(&site.run(&["catalog", "show", "A"]).ok().out));
    let shown = site.run(&["--json", "catalog", "show", "A"]);
    assert!(!steers(&shown.out), "{shown:?}");
    assert_eq!(shown.json()["name"], name);
}
