//! Orders and parcels of files that a spreadsheet has saved, and SKUs that the catalog confirms.

use pressline_backoffice::import::catalog::{Layout, Mode, read_variants};
use pressline_backoffice::import::order::{ORDER_COLUMNS, OrderImport, OrderImportReport};
use pressline_backoffice::import::shipment::RowProblem;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions};
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_tabular::read_orders_at_most;

use super::super::shipments::Shop;
use super::super::*;

const HEADER: &str =
    "order_id,first_name,address1,city,zip,province_code,country_code,sku,quantity";

fn order(order_id: &str, sku: &str) -> String {
    format!("{order_id},Ana,1 Main St,Springfield,62701,US-IL,US,{sku},1")
}

async fn place(shop: &Shop, text: &str) -> OrderImportReport {
    let store = references().stores.remove(0);
    let file = read_orders_at_most(1000, text.as_bytes());
    let by = Caller::new(Actor::CommandLine);
    let import = OrderImport::new(shop.service.clone());
    import.import(&store, file, Mode::Apply, &by).await.unwrap()
}

/// Imports the order or parcel file `text` with the columns of `layout`.
pub(super) async fn problems_of(layout: &Layout, text: &str) -> Vec<String> {
    let shop = Shop::open().await;
    let problems = if *layout == ORDER_COLUMNS {
        place(&shop, text).await.problems
    } else {
        shop.import(text, Mode::Apply).await.problems
    };
    problems.iter().map(problem_text).collect()
}

fn problem_text(problem: &RowProblem) -> String {
    format!(
        "line {}, {}: {}",
        problem.line, problem.field, problem.message
    )
}

#[tokio::test]
async fn a_long_id_that_several_items_repeat_counts_once() {
    let shop = Shop::open().await;
    let id = "5512345678901230";
    let items = ["A", "B", "C"].map(|sku| order(id, sku)).join("\n");
    let report = place(&shop, &format!("{HEADER}\n{items}\n")).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(report.created, 1);
}

#[tokio::test]
async fn two_orders_whose_ids_were_rounded_alike_are_refused() {
    let shop = Shop::open().await;
    for customer in ["Ana", "Bea"] {
        let row = order("1.23457E+12", "MUG").replace("Ana", customer);
        let report = place(&shop, &format!("{HEADER}\n{row}\n")).await;
        assert_eq!((report.created, report.unchanged), (0, 0));
        let problems: Vec<String> = report.problems.iter().map(problem_text).collect();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("line 2, order_id: `1.23457E+12`: a spreadsheet rounded"));
    }
    let exact = [
        order("1234567890123", "MUG") + ".0",
        order("1234567890124", "MUG"),
    ];
    let exact = exact.join("\n");
    let report = place(&shop, &format!("{HEADER}\n{exact}\n")).await;
    assert_eq!((report.created, report.problems), (2, Vec::new()));
}

#[tokio::test]
async fn the_catalog_confirms_skus_that_look_damaged() {
    let shop = Shop::open().await;
    let catalog = "sku,name\n'1E5,A\n\"=\"\"12.0\"\"\",B\n";
    let variants = rows(catalog, Content::Variants).and_then(read_variants);
    let variants = variants.unwrap();
    let skus: Vec<&str> = variants
        .iter()
        .map(|variant| variant.sku.as_str())
        .collect();
    assert_eq!(skus, ["1E5", "12.0"]);
    let options = ImportOptions::default();
    shop.catalog.import(&variants, &options).await.unwrap();

    let text = format!(
        "{HEADER}\n{}\n{}\n{}\n",
        order("A", "1E5"),
        order("B", "12.0"),
        order("C", "1E6")
    );
    let report = place(&shop, &text).await;
    let problems: Vec<String> = report.problems.iter().map(problem_text).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("line 4, sku: `1E6`"));

    let text = format!("{HEADER}\n{}\n{}\n", order("A", "1E5"), order("C", "'1E6"));
    let report = place(&shop, &text).await;
    assert_eq!((report.created, report.problems), (2, Vec::new()));
    assert_eq!(report.orders[1].products, ["1 x 1E6"]);
}

#[tokio::test]
async fn parcels_name_confirmed_skus_and_skip_ids_that_are_not_read() {
    let shop = Shop::open().await;
    let catalog = rows("sku,name\n'1E5,A\n", Content::Variants).and_then(read_variants);
    let options = ImportOptions::default();
    shop.catalog
        .import(&catalog.unwrap(), &options)
        .await
        .unwrap();
    shop.order("DEMO", "T-1", &[("1E5", 1)]).await;
    // With `number`, the store's own id is not read.
    let text = "number,order_id,tracking_number,sku\nDEMO-1,1.23457E+12,1Z-1,1E5\n";
    let report = shop.import(text, Mode::Apply).await;
    assert_eq!((report.created, report.problems), (1, Vec::new()));
    let text = "order_id,tracking_number\n1.23457E+12,1Z-1\n";
    let report = shop.import(text, Mode::Apply).await;
    let problems: Vec<String> = report.problems.iter().map(problem_text).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("line 2, order_id: `1.23457E+12`"));
}
