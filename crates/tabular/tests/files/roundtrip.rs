//! Property tests: after any sequence of imports, importing an export again changes nothing.

use std::collections::BTreeMap;
use std::future::Future;

use pressline_backoffice::import::catalog::{
    Schedules, fee_sheet, price_sheet, read_fees, read_prices, read_shipping, read_variants,
    shipping_sheet, variant_sheet,
};
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ImportSummary, Variant};
use pressline_domain::memory::MemoryCatalog;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use super::*;

const FORMATS: [Format; 2] = [Format::Csv, Format::Json];

/// Waits for a call of the in-memory catalog, which never blocks.
fn now<T>(call: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(call)
}

fn text_of(sheet: &Sheet, format: Format) -> Vec<u8> {
    write(sheet, format).unwrap()
}

fn rows_of(file: &Json, content: Content) -> Rows {
    read(file.to_string().as_bytes(), Format::Json, content).unwrap()
}

const AWKWARD: &[&str] = &[
    "=1+1",
    "-5",
    "@x",
    "a\"b",
    "\"",
    "é, 注文",
    "two\r\nlines",
    "a\rb",
    " x ",
    "a;b",
    "a\tb",
    "'",
    "🎁",
    "a=b:c",
    "\u{feff}x",
    "*",
    "null",
    "1e5",
    "#",
];

/// Strings that are awkward in CSV, in JSON or in spreadsheets.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![select(AWKWARD).prop_map(str::to_owned), "[a-zA-Z0-9 ]{1,6}"]
}

/// Also strings of 255 characters, the maximum length.
fn long() -> impl Strategy<Value = String> {
    prop_oneof![9 => text(), 1 => Just("x".repeat(255))]
}

fn one(of: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    select(of)
}

fn object(entries: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn area() -> impl Strategy<Value = Json> {
    let texts = (
        text(),
        text(),
        option::of(text()),
        option::of(one(&["optional", "base_belongs"])),
    );
    let files = (
        option::of(one(&["png", "pdf|svg", "png|jpeg|tiff|webp|svg|pdf"])),
        option::of(one(&["150", "299", "300"])),
        option::of(one(&["0", "1", "2.5"])),
        option::of(one(&["any", "none"])),
    );
    (texts, 0..3_u32, vec(text(), 0..3), option::of(one(&["0", "3.5"])), files).prop_map(
        |((id, name, size, requirement), width, require_for, fee, (formats, dpi, tolerance, alpha))| {
            json!({ "id": id, "name": name, "size": size, "sizeWidth": width, "requirement": requirement,
                "requireFor": require_for, "extraFee": fee, "formats": formats, "dpi": dpi, "minDpi": dpi,
                "aspectTolerance": tolerance, "alpha": alpha })
        },
    )
}

/// Variants of a file. There are few SKUs and products, so that files overlap.
fn variants() -> impl Strategy<Value = Json> {
    let sku = one(&["A", "1E5", "TEE", "00123", "a \"b\",c", "=A1"]);
    let product = (
        option::of(one(&["TEE", "A", "P"])),
        option::of(one(&["One", "Two", "A"])),
        long(),
    );
    let options = option::of(btree_map(one(&["size", "colour"]), long(), 0..3));
    let money = (
        option::of(one(&["0", "9.5", "12"])),
        option::of(one(&["USD", "JPY", "KWD"])),
    );
    let rest = (
        vec(text(), 0..3),
        0..3_u32,
        option::of(one(&["active", "retired"])),
        vec(area(), 0..3),
    );
    let row = (product, options, money, rest).prop_map(|((id, given, name), options, money, rest)| {
        json!({ "product": id, "productName": given, "name": name, "options": options, "price": money.0,
            "currency": money.1, "shipClasses": rest.0, "weightG": rest.1, "state": rest.2, "areas": rest.3 })
    });
    btree_map(sku, row, 0..4).prop_map(|rows: BTreeMap<&str, Json>| {
        let with_sku = |(sku, mut row): (&str, Json)| {
            row["sku"] = json!(sku);
            row
        };
        rows.into_iter().map(with_sku).collect()
    })
}

fn list_prices() -> impl Strategy<Value = Json> {
    let from = one(&[
        "1970-01-01",
        "2026-12-01",
        "2026-12-01T09:00:00.5Z",
        "9999-12-31",
        "2026-12-01T00:00:00Z",
    ]);
    let row = (
        one(&["", "DEMO", "TOKYO", "KUWAIT"]),
        one(&["TEE-M", "MUG-11"]),
        one(&["0", "7", "7.5"]),
        from,
    );
    let row = (row, option::of(one(&["USD", "JPY", "KWD"]))).prop_map(|((store, sku, price, from), currency)| {
        json!({ "store": store, "sku": sku, "price": price, "currency": currency, "validFrom": from })
    });
    vec(row, 0..4).prop_map(Json::from)
}

fn fee_rules() -> impl Strategy<Value = Json> {
    let kinds = (
        one(&["surcharge", "handling", "other", "otherShipping"]),
        one(&["order", "item", "unit"]),
    );
    let limits = (
        option::of(one(&["manual", "label"])),
        vec(one(&["TEE-*", "MUG-11", "*"]), 0..3),
        vec(one(&["Zone 1", "Remote", "New, \"zone\""]), 0..3),
    );
    let money = (
        one(&["0", "7", "7.5"]),
        option::of(one(&["USD", "JPY", "KWD"])),
    );
    let rule = (one(&["", "DEMO", "TOKYO"]), long(), kinds, money, limits).prop_map(
        |(store, name, (fee, per), (amount, currency), (orders, skus, zones))| {
            json!({ "store": store, "name": name, "fee": fee, "per": per, "amount": amount, "currency": currency,
                "orders": orders, "skus": skus, "zones": zones })
        },
    );
    let empty = one(&["DEMO", "TOKYO", "KUWAIT"]).prop_map(|store| json!({ "store": store }));
    vec(prop_oneof![5 => rule, 1 => empty], 0..4).prop_map(Json::from)
}

/// Zones and their places, the same in all rows.
const ZONES: &[(&str, &[&str])] = &[
    ("Zone 1", &["US", "CA-ON"]),
    ("New, \"zone\"", &["*"]),
    ("=x", &["us-ca"]),
];

fn rates() -> impl Strategy<Value = Json> {
    let zone = select(ZONES);
    let steps = option::of(btree_map(one(&["1000", "5000"]), one(&["2.5", "9"]), 0..3));
    let rate = (
        one(&["Standard", "é, \"x\""]),
        option::of(one(&["USD", "JPY"])),
        one(&["0", "4"]),
        one(&["1", "2.5"]),
    );
    let rate = option::of((rate, steps, option::of(one(&["0", "250"]))));
    let row = (zone, rate).prop_map(|((zone, places), rate)| {
        let mut row = json!({ "zone": zone, "places": places });
        if let Some(((class, currency, first, further), steps, free)) = rate {
            let entries = [
                ("shipClass", json!(class)),
                ("currency", json!(currency)),
                ("firstUnit", json!(first)),
                ("furtherUnit", json!(further)),
                ("weightSteps", json!(steps)),
                ("freeFrom", json!(free)),
            ];
            row.as_object_mut()
                .unwrap()
                .extend(object(entries).as_object().unwrap().clone());
        }
        row
    });
    vec(row, 1..4).prop_map(Json::from)
}

/// References with content that depends on the bits of `time`: the currency of each store, and
/// whether there are three zones or a single zone.
fn references_at(time: u8) -> References {
    let mut known = references();
    for (number, store) in known.stores.iter_mut().enumerate() {
        if time >> number & 1 == 1 {
            store.currency = "JPY".parse().unwrap();
        }
    }
    known.zones = ["Zone 1", "Remote", "New, \"zone\""]
        .map(str::to_owned)
        .into();
    known.zones.truncate(if time & 8 == 8 { 1 } else { 3 });
    known.skus.insert("TEE".to_owned());
    known
}

fn unchanged(rows: usize) -> ImportSummary {
    ImportSummary {
        unchanged: rows,
        ..ImportSummary::default()
    }
}

fn options(replace: bool) -> ImportOptions {
    ImportOptions {
        retire_missing: replace,
        ..ImportOptions::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_catalog(imports in vec((variants(), any::<bool>()), 1..5)) {
        let kept = MemoryCatalog::new();
        for (file, retire) in imports {
            // Files that the reader rejects are not imported.
            if let Ok(variants) = read_variants(rows_of(&file, Content::Variants)) {
                now(kept.import(&variants, &options(retire))).unwrap();
            }
        }
        let all: Vec<Variant> = now(kept.variants(None, 1000)).unwrap();
        for format in FORMATS {
            let exported = text_of(&variant_sheet(&all), format);
            let again = read_variants(read(&exported, format, Content::Variants).unwrap()).unwrap();
            prop_assert_eq!(&text_of(&variant_sheet(&again), format), &exported);
            for retire in [false, true] {
                prop_assert_eq!(now(kept.import(&again, &options(retire))).unwrap(), unchanged(all.len()));
            }
        }
    }

    #[test]
    fn price_lists(imports in vec((list_prices(), any::<bool>(), any::<u8>()), 1..5)) {
        let kept = MemoryCatalog::new();
        let stored = || now(kept.prices()).unwrap();
        let at = |time| References { former: FormerReferences::of_prices(&stored()), ..references_at(time) };
        let mut last = 0;
        for (file, replace, time) in imports {
            last = time;
            let known = at(time);
            if let Ok(come) = read_prices(rows_of(&file, Content::Prices), &known) {
                now(kept.set_prices(&come, &options(replace))).unwrap();
            }
        }
        let known = at(last);
        for format in FORMATS {
            let exported = text_of(&price_sheet(&stored(), &known.stores), format);
            let again = read(&exported, format, Content::Prices).unwrap();
            let again = read_prices(again, &known).unwrap();
            let count = stored().len();
            prop_assert_eq!(now(kept.set_prices(&again, &options(true))).unwrap(), unchanged(count));
        }
    }

    #[test]
    fn schedules_of_fees(imports in vec((fee_rules(), any::<u8>()), 1..5)) {
        let kept = MemoryCatalog::new();
        let stored = || now(kept.fees()).unwrap();
        let at = |time| References { former: FormerReferences::of_fees(&stored()), ..references_at(time) };
        let set = |schedules: &Schedules| {
            let given: Vec<_> = schedules.iter().map(|(store, schedule)| (*store, Some(schedule))).collect();
            now(kept.set_fees(&given)).unwrap()
        };
        let mut last = 0;
        for (file, time) in imports {
            last = time;
            let known = at(time);
            if let Ok(come) = read_fees(rows_of(&file, Content::Fees), &known) {
                set(&come);
            }
        }
        let known = at(last);
        for format in FORMATS {
            let exported = text_of(&fee_sheet(&stored(), &known.stores), format);
            let again = read(&exported, format, Content::Fees).unwrap();
            let again = read_fees(again, &known).unwrap();
            prop_assert_eq!(&again, &stored());
            prop_assert_eq!(set(&again), 0);
        }
    }

    #[test]
    fn shipping_rates(imports in vec(rates(), 1..4)) {
        let kept = MemoryCatalog::new();
        for file in imports {
            if let Ok(rates) = read_shipping(rows_of(&file, Content::Shipping)) {
                now(kept.set_shipping(&rates)).unwrap();
            }
        }
        let Some(stored) = now(kept.shipping()).unwrap() else { return Ok(()) };
        for format in FORMATS {
            let exported = text_of(&shipping_sheet(&stored), format);
            let again = read_shipping(read(&exported, format, Content::Shipping).unwrap()).unwrap();
            prop_assert!(!now(kept.set_shipping(&again)).unwrap());
        }
    }
}

/// Cases that the properties above found, or would find only by chance.
#[test]
fn two_imports_that_name_one_product_differently() {
    let kept = MemoryCatalog::new();
    for csv in [
        "sku,product,product_name,name\nTEE-M,TEE,Tee,\"Tee, M\"\nMUG,,,Mug\n",
        "sku,product,product_name,name\nTEE-L,TEE,Shirt,\"Shirt, L\"\n",
        "sku,product,name\nTEE-S,TEE,\"Shirt, S\"\n",
    ] {
        let variants = rows(csv, Content::Variants)
            .and_then(read_variants)
            .unwrap();
        now(kept.import(&variants, &options(false))).unwrap();
    }
    let all = now(kept.variants(None, 10)).unwrap();
    let names: Vec<_> = all
        .iter()
        .map(|variant| variant.product.name.as_deref())
        .collect();
    assert_eq!(names, [None, Some("Shirt"), Some("Shirt"), Some("Shirt")]);
    let exported = text_of(&variant_sheet(&all), Format::Csv);
    let again = read(&exported, Format::Csv, Content::Variants).unwrap();
    assert_eq!(read_variants(again).unwrap(), all);
}

#[test]
fn options_as_long_as_json_allows() {
    let (key, value) = ("k".repeat(255), "v".repeat(255));
    let json = json!([{ "sku": "A", "name": "A", "options": { key: value } }]).to_string();
    let variants = rows(&json, Content::Variants)
        .and_then(read_variants)
        .unwrap();
    let exported = text_of(&variant_sheet(&variants), Format::Csv);
    let again = read(&exported, Format::Csv, Content::Variants).unwrap();
    assert_eq!(read_variants(again).unwrap(), variants);
}

#[test]
fn duplicates_in_one_line_of_json_are_found() {
    let known = references();
    let price = r#"{"sku": "TEE-M", "price": 1, "validFrom": "2026-01-01"}"#;
    let twice = |entry: &str| format!("[{entry}, {entry}]");
    let prices = rows(&twice(price), Content::Prices).and_then(|rows| read_prices(rows, &known));
    assert_problems(prices, &[("line 1, sku", "is already in line 1")]);
    let rule = r#"{"name": "A", "fee": "other", "amount": 1, "per": "order"}"#;
    let fees = rows(&twice(rule), Content::Fees).and_then(|rows| read_fees(rows, &known));
    assert_problems(fees, &[("line 1, name", "is already in line 1")]);
    let rate =
        r#"{"zone": "A", "places": "US", "shipClass": "A", "firstUnit": 1, "furtherUnit": 1}"#;
    let rates = rows(&twice(rate), Content::Shipping).and_then(read_shipping);
    assert_problems(rates, &[("line 1, shipClass", "is already in line 1")]);
}
