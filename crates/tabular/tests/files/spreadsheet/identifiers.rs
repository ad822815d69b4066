//! All columns of all imports, with everything that a spreadsheet does to a cell.

use pressline_backoffice::import::catalog::{
    Layout, read_fees, read_prices, read_shipping, read_variants,
};
use pressline_backoffice::import::order::ORDER_COLUMNS;
use pressline_backoffice::import::shipment::SHIPMENT_COLUMNS;
use pressline_backoffice::operator::ImportDraft;
use pressline_backoffice::rows::{CellContent, Column, damage};

use super::super::*;
use super::orders::problems_of;
use super::{CORRECT, DAMAGES, GROUPED};

fn layouts() -> Vec<&'static Layout> {
    let catalog = ImportDraft::CONTENTS.map(|(_, content)| content.layout());
    let mut layouts = catalog.to_vec();
    layouts.extend([&ORDER_COLUMNS, &SHIPMENT_COLUMNS]);
    layouts
}

fn grouping(column: &Column) -> Option<&'static [char]> {
    match column.content {
        CellContent::Identifier { grouping } => Some(grouping),
        CellContent::Text | CellContent::Value => None,
    }
}

/// A file with all columns of `layout`, and a row that has only `cell`, in `column`.
fn file(layout: &Layout, column: &Column, cell: &str) -> String {
    let names: Vec<&str> = layout.flat_names().collect();
    let cells = names.iter().map(|name| match *name == column.name {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => String::new(),
    });
    let cells: Vec<String> = cells.collect();
    format!("{}\n{}\n", names.join(","), cells.join(","))
}

/// Imports `text`, and returns the problems as `line, column: message`.
async fn imported(layout: &Layout, text: &str) -> Vec<String> {
    let contents = ImportDraft::CONTENTS.into_iter();
    let mut contents = contents.filter(|(_, content)| content.layout() == layout);
    let Some((_, content)) = contents.next() else {
        return problems_of(layout, text).await;
    };
    let rows = rows(text, content).unwrap();
    let references = references();
    let read = match content {
        Content::Variants => read_variants(rows).map(drop),
        Content::Prices => read_prices(rows, &references).map(drop),
        Content::Shipping => read_shipping(rows).map(drop),
        Content::Fees => read_fees(rows, &references).map(drop),
    };
    let findings = read.err();
    let found = findings.map(|mut findings| findings.shown().to_vec());
    let found = found.unwrap_or_default();
    found.iter().map(Finding::to_string).collect()
}

#[tokio::test]
async fn each_identifier_column_of_each_import_refuses_what_a_spreadsheet_changed() {
    for layout in layouts() {
        for column in layout.flat_columns() {
            let Some(grouping) = grouping(column) else {
                continue;
            };
            let damages = DAMAGES.iter().map(|(cell, _)| cell);
            let grouped = GROUPED.iter().filter(|_| grouping.is_empty());
            for cell in damages.chain(grouped) {
                let problems = imported(layout, &file(layout, column, cell)).await;
                let place = format!("line 2, {}: ", column.name);
                let of_cell = problems
                    .iter()
                    .filter(|problem| problem.starts_with(&place));
                let of_cell: Vec<&String> = of_cell.collect();
                assert_eq!(of_cell.len(), 1, "{place}{cell}: {problems:#?}");
                assert!(
                    of_cell[0].contains("format Text"),
                    "{place}{cell}: {of_cell:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_mark_confirms_a_cell_in_each_identifier_column() {
    for layout in layouts() {
        for column in layout
            .flat_columns()
            .filter(|column| grouping(column).is_some())
        {
            for (cell, _) in DAMAGES {
                for cell in [
                    format!("'{cell}"),
                    format!("=\"{}\"", cell.replace('"', "\"\"")),
                ] {
                    let problems = imported(layout, &file(layout, column, &cell)).await;
                    let damaged = problems
                        .iter()
                        .find(|problem| problem.contains("format Text"));
                    assert_eq!(damaged, None, "{} {cell}", column.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn words_for_people_may_look_like_damage() {
    for layout in layouts() {
        for column in layout.flat_columns() {
            if column.content != CellContent::Text {
                continue;
            }
            for (cell, _) in DAMAGES {
                let problems = imported(layout, &file(layout, column, cell)).await;
                let damaged = problems
                    .iter()
                    .find(|problem| problem.contains("format Text"));
                assert_eq!(damaged, None, "{} {cell}", column.name);
            }
        }
    }
}

#[test]
fn each_change_is_recognised_and_correct_identifiers_are_not_refused() {
    for (cell, expected) in DAMAGES {
        let is_by_column = digits(cell);
        let found = damage(cell, &[]);
        assert_eq!(found, Some(*expected).filter(|_| !is_by_column), "{cell}");
    }
    for cell in CORRECT {
        assert_eq!(damage(cell, &[]), None, "{cell}");
    }
}

fn digits(cell: &str) -> bool {
    cell.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn people_may_group_the_digits_of_phone_and_tax_numbers() {
    let columns = [&ORDER_COLUMNS, &SHIPMENT_COLUMNS].map(|layout| layout.columns(false));
    let grouped = [
        ("phone", "612.345.678"),
        ("phone", "612 345 678"),
        ("phone", "555.0000"),
        ("tax_number", "900.123.456"),
        ("eur_tax_value", "123 456 789"),
        ("zip", "110 001"),
        ("tracking_number", "1 234 567"),
    ];
    for (name, cell) in grouped {
        let mut columns = columns.iter().copied().flatten();
        let column = columns.find(|column| column.name == name).unwrap();
        assert_eq!(
            damage(cell, grouping(column).unwrap()),
            None,
            "{name} {cell}"
        );
    }
}

/// The columns that the imports do not compare with anything; all others are identifiers.
#[test]
fn only_words_and_values_are_exempt() {
    let exempt = layouts().into_iter().flat_map(Layout::flat_columns);
    let exempt = exempt.filter(|column| grouping(column).is_none());
    let mut names: Vec<&str> = exempt.map(|column| column.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(
        names.join(" "),
        "address1 address2 alpha amount area_name aspect_tolerance bleed_mm city colour company \
         country currency dpi extra_fee fee first_name first_unit formats free_from further_unit \
         height_mm item_name last_name max_mb min_dpi name note options orders per price \
         product_name province quantity requirement shipped_at size size_height size_width state \
         valid_from weight_g weight_steps width_mm"
    );
}

#[test]
fn numbers_of_more_than_15_digits_are_judged_by_their_column() {
    let refused = |cells: &[&str]| {
        let text = format!("sku,name\n{},x\n", cells.join(",x\n"));
        let read = rows(&text, Content::Variants).and_then(read_variants);
        read.map_or_else(|findings| findings.count(), |_| 0)
    };
    // All zeros, in one number or in several.
    assert_eq!(refused(&["123456789012345000"]), 1);
    assert_eq!(
        refused(&[
            "1234567890123450",
            "1234567890123460",
            "1234567890123470",
            "A"
        ]),
        3
    );
    // A correct number ends in 0 once in 10 times.
    assert_eq!(refused(&["1234567890123450", "A"]), 0);
    // Another digit shows that the column is stored as text.
    assert_eq!(refused(&["123456789012345000", "123456789012345678"]), 0);
    assert_eq!(refused(&["0123456789012345000"]), 0);
}

#[test]
fn json_keeps_texts_and_refuses_numbers_as_identifiers() {
    for (cell, _) in DAMAGES {
        let text = serde_json::json!([{ "sku": cell, "name": "x" }]).to_string();
        let read = rows(&text, Content::Variants).and_then(read_variants);
        assert_eq!(read.unwrap()[0].sku, *cell);
    }
    for number in ["5", "1E5", "12.0", "true"] {
        let text = format!("[{{\"sku\": {number}, \"name\": \"x\", \"shipClasses\": [{number}]}}]");
        assert_problems(
            rows(&text, Content::Variants).and_then(read_variants),
            &[
                ("line 1, sku", "text belongs here"),
                ("line 1, shipClasses", "text"),
            ],
        );
    }
}
