//! Exports that a spreadsheet opens: marks, and importing them again.

use pressline_backoffice::import::catalog::{
    Layout, read_fees, read_prices, read_shipping, read_variants, variant_sheet,
};
use pressline_backoffice::operator::ImportDraft;
use pressline_backoffice::rows::{CellContent, Column, damage, is_formula, marked, unmarked};
use pressline_tabular::for_spreadsheets;
use proptest::prelude::*;

use super::super::*;
use super::{CORRECT, DAMAGES, GROUPED};

const COLUMNS: [Column; 4] = [
    Column::identifier("sku"),
    Column::grouped("phone", &[' ', '.']),
    Column::text("name"),
    Column::value("price"),
];

fn assert_kept(text: &str, column: &Column) {
    let written = marked(text, column);
    let (content, is_exact) = unmarked(&written, column);
    assert_eq!(content, text, "{column:?} {written}");
    if let CellContent::Identifier { grouping } = column.content {
        assert!(
            is_exact || damage(text, grouping).is_none(),
            "{column:?} {written}"
        );
    }
    assert!(!is_formula(&written), "{column:?} {written}");
}

#[test]
fn marks_keep_every_text() {
    let damages = DAMAGES.iter().map(|(cell, _)| *cell);
    let texts = damages
        .chain(GROUPED.iter().copied())
        .chain(CORRECT.iter().copied());
    for text in texts.chain(["-2.50", "'", "''", "\t=1", "＝1+1", "-inf", "\u{2019}00123"]) {
        for column in &COLUMNS {
            for text in [text.to_owned(), format!("'{text}"), format!("''{text}")] {
                assert_kept(&text, column);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn marks_keep_any_text(text in "['’=+@\"0-9eE., /:%a-cA-C#!-]{0,8}") {
        for column in &COLUMNS {
            assert_kept(&text, column);
        }
    }
}

#[test]
fn a_spreadsheet_keeps_the_identifiers_of_an_export() {
    // Excel drops the zeros, rounds, and makes dates.
    for sku in [
        "00123",
        "4006381333931",
        "1-2",
        "3/4",
        "1E5",
        "12.0",
        "=A1",
        "+1",
        "-A",
    ] {
        assert_eq!(marked(sku, &COLUMNS[0]), format!("'{sku}"));
    }
    for sku in ["123", "TEE-M", "MUG-11", "A1", "0"] {
        assert_eq!(marked(sku, &COLUMNS[0]), sku);
    }
}

#[test]
fn each_catalog_export_is_imported_again_with_awkward_identifiers() {
    let skus: Vec<&str> = DAMAGES.iter().map(|(cell, _)| *cell).collect();
    let entries = skus.iter().map(|sku| {
        serde_json::json!({ "sku": sku, "name": sku, "productName": sku, "options": { "size": sku },
            "areas": [{ "id": sku, "name": sku, "note": sku }] })
    });
    let json = serde_json::Value::from_iter(entries).to_string();
    let variants = rows(&json, Content::Variants)
        .and_then(read_variants)
        .unwrap();
    let exported = for_spreadsheets(write(&variant_sheet(&variants), Format::Csv).unwrap());
    assert!(exported.starts_with("\u{feff}sku,".as_bytes()));
    let again = read(&exported, Format::Csv, Content::Variants).and_then(read_variants);
    assert_eq!(again.unwrap(), variants);
}

#[test]
fn references_confirm_identifiers_that_look_damaged() {
    let mut references = references();
    references.skus.insert("1E5".to_owned());
    references.zones.push("1.0".to_owned());
    let prices = "sku,price,valid_from\n1E5,2,2026-01-01\n1E6,2,2026-01-01\n";
    let prices = rows(prices, Content::Prices).and_then(|rows| read_prices(rows, &references));
    assert_problems(prices, &[("line 3, sku", "`1E6`: a spreadsheet rounded")]);
    let fees = "name,fee,amount,per,skus,zones\nA,other,1,unit,1E5,1.0\nB,other,1,unit,1E6,2.0\n";
    let fees = rows(fees, Content::Fees).and_then(|rows| read_fees(rows, &references));
    assert_problems(
        fees,
        &[
            ("line 3, skus", "`1E6`: a spreadsheet"),
            ("line 3, zones", "`2.0`: a spreadsheet"),
        ],
    );
    let rates = "zone,places,ship_class,first_unit,further_unit\n1.0,US,Standard,1,1\n";
    let rates = rows(rates, Content::Shipping).and_then(read_shipping);
    assert_problems(
        rates,
        &[("line 2, zone", "`1.0`: a spreadsheet added decimals")],
    );
}

#[test]
fn no_catalog_column_lacks_a_mark_against_formulas() {
    let layouts = ImportDraft::CONTENTS.map(|(_, content)| content.layout());
    for column in layouts.into_iter().flat_map(Layout::flat_columns) {
        for formula in ["=1+1", "+cmd", "-cmd", "@SUM(A1)", "＝1"] {
            assert_eq!(
                marked(formula, column),
                format!("'{formula}"),
                "{}",
                column.name
            );
        }
    }
}
